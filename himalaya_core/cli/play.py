"""The command `himalaya play`: play one match and write its log."""

import argparse
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from himalaya_core.cli.arguments import add_game, add_limits, add_variants, limits, variants
from himalaya_core.cli.command import CommandError, Parser, add_renamed, command
from himalaya_core.files import LOG_SUFFIXES, load_board, write_log
from himalaya_core.game import Game
from himalaya_core.match import Match, PlayerFailure
from himalaya_core.names import SEED_HINT, SEED_NAME
from himalaya_core.players.named import line_up
from himalaya_core.tournament.plan import Pairing, play

__all__ = ["add_play"]


def add_play(parser: Parser) -> None:
    """Define the arguments of the command."""
    command(
        parser,
        _play,
        "himalaya play caravan --players trader,pilgrim,greedy,random --seed monday",
        "himalaya play caravan --players trader,pilgrim,greedy,random --seed monday --out match.jsonl",
    )
    add_game(parser)
    add_variants(parser)
    add_limits(parser)
    add_renamed(
        parser,
        "--seed",
        "--luck",
        type=_seed,
        metavar="NAME",
        help="the seed: the same name rolls the same dice (default: a new one)",
    )
    parser.add_argument(
        "--out",
        type=_log_path,
        metavar="FILE",
        help=f"write the log to this file, {', '.join(LOG_SUFFIXES)} (default: write none)",
    )


def _play(options: argparse.Namespace) -> int:
    game: Game[Any, Any, Any] = options.game
    seed = options.seed or f"play-{secrets.token_hex(4)}"
    board = load_board(game, options.board)
    players, outside = line_up(game, options.players, limits=limits(options))
    try:
        match, lines = play(
            game, board, variants(options, game), Pairing(seed.replace("/", "."), players, seed), outside
        )
    except PlayerFailure as failure:
        _write(options.out, failure.log)
        kept = f"; the events before that are in {options.out}" if options.out else ""
        raise CommandError(f"{failure}{kept}") from failure
    _write(options.out, lines)
    _print_standing(match, players, seed)
    if options.out is not None:
        print(f"{len(match.history) + 2} events written to {options.out}")
    return 0


def _write(path: Path | None, lines: bytes) -> None:
    if path is not None:
        with write_log(path) as file:
            file.write(lines)


def _seed(text: str) -> str:
    if not re.fullmatch(SEED_NAME, text):
        raise argparse.ArgumentTypeError(f"expected {SEED_HINT}, found {text!r}")
    return text


def _print_standing(match: Match[Any, Any, Any], players: Sequence[str], seed: str) -> None:
    outcome = match.outcome
    assert outcome is not None, "a match that was played to its end has an outcome"
    table = Table("place", "seat", "player", "label", *outcome.scores[0], "", box=SIMPLE_HEAD)
    place = 1
    for group in outcome.ranking:
        for seat in group:
            label, figures = match.game.seat_labels[seat], map(str, outcome.scores[seat].values())
            table.add_row(str(place), str(seat + 1), players[seat], label, *figures, outcome.remarks[seat])
        place += len(group)
    print(f"{match.game.name}, seed {seed}")
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _log_path(text: str) -> Path:
    if not text.endswith(LOG_SUFFIXES):
        raise argparse.ArgumentTypeError(f"expected a name that ends in {', '.join(LOG_SUFFIXES)}, found {text!r}")
    return Path(text)
