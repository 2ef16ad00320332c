"""The command `himalaya train`: fit a win-probability model to logs."""

import argparse
import sys
from pathlib import Path
from typing import Any

from himalaya_core.cli.arguments import game_named, given_board
from himalaya_core.cli.command import CommandError, Parser, command
from himalaya_core.cli.progress import progress_bar
from himalaya_core.columns import table
from himalaya_core.files import log_files
from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.names import did_you_mean
from himalaya_core.tournament.verify_files import count_matches
from himalaya_core.winprob.fit import Sampled, sampled
from himalaya_core.winprob.model import Model
from himalaya_core.winprob.train import faults, trained, write_model

__all__ = ["add_train"]


def add_train(parser: Parser) -> None:
    """Define the arguments of the command."""
    command(
        parser,
        _train,
        "himalaya train caravan logs/league logs/cup --hold-out cup --out model.json",
    )
    parser.add_argument("game", metavar="GAME", type=game_named, help=f"the game: {', '.join(GAMES)}")
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="logs, or folders of logs")
    parser.add_argument(
        "--hold-out",
        required=True,
        metavar="TOURNAMENT",
        help="the tournament that the model is checked on, and never fitted to",
    )
    parser.add_argument("--board", type=Path, metavar="FILE", help="a board that the logs name but do not carry")
    parser.add_argument("--out", type=Path, metavar="FILE", default=Path("model.json"), help="default: model.json")


def _train(options: argparse.Namespace) -> int:
    hold_out: str = options.hold_out
    found = _sampled(options.game, options.logs, given_board(options.board))
    tournaments = {match.header.tournament for match in found}
    if hold_out not in tournaments:
        near = did_you_mean(hold_out, filter(None, tournaments))
        raise CommandError(f"no match of the tournament {hold_out!r} is in these logs{near}")
    model = trained(options.game, found, hold_out)
    write_model(model, options.out)
    print(_told(model))
    print(f"{model.name} written to {options.out}")
    return 0


def _sampled(game: Game[Any, Any, Any], logs: list[Path], board: Any) -> list[Sampled]:
    files = log_files(logs)
    total, found, without = count_matches(files), list[Sampled](), 0
    with progress_bar("matches", total, quiet=True) as show:
        show(0)
        for number, match in enumerate(sampled(game, files, board), start=1):
            if match is None:
                without += 1
            else:
                found.append(match)
            show(number)
    if without:
        print(f"left out {without:,} of {total:,} matches, which have no outcome", file=sys.stderr)
    return found


def _told(model: Model) -> str:
    """Return text about a model's quality: a comparison with two baselines, calibration bins, and shortcomings."""
    quality, document = model.document["quality"], model.document
    sources = (("model", ""), ("if scored now", "_scored_now"), ("constant", "_constant"))
    rows = [(name, *(f"{quality[key + of]:.3f}" for key in ("log_loss", "brier"))) for name, of in sources]
    bins = [(f"{row['seats']:,}", f"{row['chance']:.1%}", f"{row['won']:.1%}") for row in document["reliability"]]
    parts = (
        f"fitted to {document['trained_on']['matches']:,} matches, temperature {document['temperature']:.2f}, "
        f"checked on {quality['matches']:,} of {document['checked_on']['tournament']}"
    )
    gain = (
        f"log-loss below 'if scored now' by {quality['gain']:.3f} ({quality['gain_from']:.3f} to "
        f"{quality['gain_to']:.3f}); calibration error {quality['calibration_error']:.3f}"
    )
    short = [f"falls short: {fault}" for fault in faults(quality)]
    figures, reliability = table(("held out", "log-loss", "Brier"), rows), table(("seats", "chance", "won"), bins)
    return "\n".join([parts, "", figures, reliability, gain, *short])
