"""The command `himalaya`: play, tournament, verify, show, replay, schema, perft, ingest, serve, report, export, demo.

A command that cannot do what was asked says so in one line on standard error and exits with 2; `verify` exits with 1
when a log departs from the rules; `ingest` with 1 when it could not be done, with 3 when something is in quarantine.
"""

import argparse
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from dashboards.cli.demo import run_demo
from dashboards.cli.export import add_export
from dashboards.cli.replay import add_replay
from dashboards.cli.report import add_report
from himalaya_core.arena.record import Pairing, play
from himalaya_core.cli.logs import add_perft, add_schema, add_show, add_verify
from himalaya_core.cli.shared import (
    FAILED,
    CommandError,
    Parser,
    add_game,
    add_variants,
    command,
    log_name,
    positive,
    progress_bar,
    variants,
)
from himalaya_core.cli.tournament import add_tournament
from himalaya_core.errors import HimalayaError
from himalaya_core.files import LOG_SUFFIXES, load_board, write_log
from himalaya_core.game import Game, IllegalAction
from himalaya_core.match import Match
from himalaya_core.players.named import line_up
from ingest.cli.check import add_check
from ingest.cli.ingest import add_ingest
from ingest.cli.maintenance import add_backup, add_doctor, add_forget, add_lake, add_restore, add_vacuum
from ingest.cli.operations import add_database
from ingest.cli.push import add_limits, add_push, add_token, limits
from ingest.cli.quarantine import add_quarantine
from ingest.cli.watch import watched

__all__ = ["main"]

INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    try:
        options = _parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except CommandError as error:
        print(f"himalaya: {error}", file=sys.stderr)
        return error.code
    except (HimalayaError, IllegalAction) as error:
        print(f"himalaya: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        print("himalaya: stopped; what was finished is kept, the same command goes on from there", file=sys.stderr)
        return INTERRUPTED


def _parser() -> Parser:
    parser = Parser(prog="himalaya", description="Play board games, keep their event logs, and see why they were won.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (
        _add_play,
        add_tournament,
        add_verify,
        add_show,
        add_replay,
        add_schema,
        add_perft,
        add_ingest,
        add_quarantine,
        add_check,
        _add_serve,
        add_report,
        add_export,
        add_push,
        add_token,
        add_lake,
        add_backup,
        add_restore,
        add_vacuum,
        add_forget,
        add_doctor,
        _add_demo,
    ):
        add(commands)
    return parser


def _add_address(parser: Parser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", default=8050, type=_port, help="the port to listen on (default: 8050)")


def _log_path(text: str) -> Path:
    if not text.endswith(LOG_SUFFIXES):
        raise argparse.ArgumentTypeError(f"expected a name that ends in {', '.join(LOG_SUFFIXES)}, found {text!r}")
    return Path(text)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"expected a port 0..65535, found {text!r}")
    return int(text)


def _add_play(commands: Any) -> None:
    parser = command(
        commands,
        "play",
        _play,
        "play one match, write its log, print how it ended",
        "himalaya play caravan --players trader,pilgrim,greedy,random --luck monday --out match.jsonl",
    )
    add_game(parser)
    add_variants(parser)
    parser.add_argument(
        "--luck",
        "--seed",
        dest="seed",
        type=log_name,
        metavar="NAME",
        help="the seed: the same name rolls the same dice",
    )
    parser.add_argument(
        "--out", required=True, type=_log_path, metavar="FILE", help=f"the log: {', '.join(LOG_SUFFIXES)}"
    )


def _play(options: argparse.Namespace) -> int:
    game: Game[Any, Any, Any] = options.game
    seed = options.seed or f"play-{secrets.token_hex(4)}"
    board = load_board(game, options.board)
    players, outside = line_up(game, options.players)
    match, lines = play(game, board, variants(options), Pairing(seed, players, seed), outside)
    with write_log(options.out) as file:
        file.write(lines)
    _print_standing(match, players, seed)
    print(f"{len(match.history) + 2} events written to {options.out}")
    return 0


def _print_standing(match: Match[Any, Any, Any], players: Sequence[str], seed: str) -> None:
    """Print the ranking with each seat's figures and how it fared."""
    outcome = match.outcome
    assert outcome is not None, "a match that was played to its end has an outcome"
    table = Table("place", "seat", "player", "label", *outcome.scores[0], "", box=SIMPLE_HEAD)
    place = 1
    for group in outcome.ranking:
        for seat in group:
            label, figures = match.game.seat_labels[seat], map(str, outcome.scores[seat].values())
            table.add_row(str(place), str(seat), players[seat], label, *figures, outcome.remarks[seat])
        place += len(group)
    print(f"{match.game.name}, seed {seed}")
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _add_serve(commands: Any) -> None:
    parser = command(
        commands,
        "serve",
        _serve,
        "serve the pages: matches, replay, traffic, outcomes",
        "himalaya serve --db himalaya.duckdb --port 8050",
        "himalaya serve --watch logs",
    )
    add_database(parser)
    _add_address(parser)
    add_limits(parser)
    parser.add_argument(
        "--watch", action="append", default=[], metavar="DIR", help="follow the logs in a folder as they grow"
    )


def _serve(options: argparse.Namespace) -> int:
    from dashboards.server import ServeError, serve

    try:
        serve(
            options.db,
            options.host,
            options.port,
            lambda address: _say(f"Himalaya is at {address} (Ctrl-C stops it)"),
            limits(options),
            watched(options.watch),
            _say,
        )
    except ServeError as error:
        raise CommandError(str(error)) from None
    return 0


def _say(text: str) -> None:
    print(text, flush=True)


def _add_demo(commands: Any) -> None:
    parser = command(
        commands,
        "demo",
        _demo,
        "play 200 matches of three games, load them, serve the pages",
        "himalaya demo --port 8050",
    )
    parser.add_argument("--dir", default=Path("demo"), type=Path, help="where logs and database go (default: demo)")
    parser.add_argument(
        "--jobs", default=os.cpu_count() or 1, type=positive, metavar="N", help="how many processes play"
    )
    parser.add_argument("--once", action="store_true", help="ask every page for an answer, say how it went, and stop")
    _add_address(parser)


def _demo(options: argparse.Namespace) -> int:
    from dashboards.server import ServeError
    from ingest.errors import WarehouseError

    try:
        return run_demo(
            options.dir, options.jobs, options.host, options.port, once=options.once, show=progress_bar, say=_say
        )
    except (ServeError, WarehouseError) as error:
        raise CommandError(str(error)) from None


if __name__ == "__main__":
    sys.exit(main())
