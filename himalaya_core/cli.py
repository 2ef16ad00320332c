"""The command `himalaya`: play, tournament, verify, ingest, serve, demo.

A command that cannot do what was asked says so in one line on standard error and exits with 2; `verify` exits with 1
when a log departs from the rules, `ingest` with 3 when something was put aside.
"""

import argparse
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from himalaya_core.arena.record import Pairing, play
from himalaya_core.arena.tournament import Plan, TournamentError, run_tournament
from himalaya_core.demo import run_demo
from himalaya_core.files import LogFileError, load_board, log_files, read_lines, write_log
from himalaya_core.game import BoardError, Game, OptionsError
from himalaya_core.games import GAMES
from himalaya_core.match import Match
from himalaya_core.players import PLAYERS, UnknownPlayer
from himalaya_core.replay import ReplayError, matches, verify

__all__ = ["main"]

FAILED: Final = 2
DIVERGED: Final = 1
PUT_ASIDE: Final = 3
INTERRUPTED: Final = 130
NAME: Final = r"[A-Za-z0-9._-]{1,57}"
DATABASE: Final = "HIMALAYA_DB"


class CommandError(Exception):
    """Something the user can mend; the message says how."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"{self.prog}: {message} (see '{self.prog} --help')\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except (CommandError, BoardError, LogFileError, OptionsError, TournamentError, UnknownPlayer) as error:
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
    for add in (_add_play, _add_tournament, _add_verify, _add_ingest, _add_serve, _add_demo):
        add(commands)
    return parser


def _command(commands: Any, name: str, run: Callable[[argparse.Namespace], int], text: str, example: str) -> Parser:
    parser: Parser = commands.add_parser(
        name,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def _add_game(parser: Parser) -> None:
    parser.add_argument("game", metavar="GAME", type=_game, help=f"the game: {', '.join(GAMES)}")
    players = "; ".join(f"{game}: {', '.join(names)}" for game, names in PLAYERS.items())
    parser.add_argument(
        "--players", required=True, metavar="A,B,C,D", type=_names, help=f"who plays, in seat order ({players})"
    )
    parser.add_argument(
        "--board", type=Path, metavar="FILE", help="another board: a file, or the id of one that ships with the game"
    )


def _add_variants(parser: Parser) -> None:
    parser.add_argument("--tokens", action="store_true", help="caravan: event tokens (Yeti, snowstorm, market)")
    parser.add_argument("--full-inventory", action="store_true", help="caravan: the winner chooses the reward")
    parser.add_argument("--village-cards", action="store_true", help="caravan: village cards instead of the die")


def _variants(options: argparse.Namespace) -> dict[str, bool]:
    """Return the variants that were asked for; a log names only those."""
    return {name: True for name in ("tokens", "full_inventory", "village_cards") if getattr(options, name)}


def _add_database(parser: Parser) -> None:
    default = Path(os.environ.get(DATABASE, "himalaya.duckdb"))
    parser.add_argument(
        "--db", type=Path, default=default, metavar="FILE", help=f"the database (default: ${DATABASE} or {default})"
    )


def _add_address(parser: Parser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", default=8050, type=_port, help="the port to listen on (default: 8050)")


def _game(name: str) -> Game[Any, Any, Any]:
    if name not in GAMES:
        raise argparse.ArgumentTypeError(f"the game {name!r} is unknown; there are {', '.join(GAMES)}")
    return GAMES[name]


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _name(text: str) -> str:
    if not re.fullmatch(NAME, text):
        raise argparse.ArgumentTypeError(f"expected 1 to 57 of A-Z a-z 0-9 . _ -, found {text!r}")
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"expected a number from 1, found {text!r}")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"expected a port 0..65535, found {text!r}")
    return int(text)


def _add_play(commands: Any) -> None:
    parser = _command(
        commands,
        "play",
        _play,
        "play one match, write its log, print how it ended",
        "himalaya play caravan --players trader,pilgrim,greedy,random --luck monday --out match.jsonl",
    )
    _add_game(parser)
    _add_variants(parser)
    parser.add_argument(
        "--luck", type=_name, metavar="NAME", help="the luck to meet: the same name rolls the same dice"
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="FILE", help="the log: .jsonl, .jsonl.gz or .jsonl.zst"
    )


def _play(options: argparse.Namespace) -> int:
    game: Game[Any, Any, Any] = options.game
    luck = options.luck or f"play-{secrets.token_hex(4)}"
    board = load_board(game, options.board)
    match, lines = play(game, board, _variants(options), Pairing(luck, options.players, luck))
    with write_log(options.out) as file:
        file.write(lines)
    _print_standing(match, options.players, luck)
    print(f"{len(match.history) + 2} events written to {options.out}")
    return 0


def _print_standing(match: Match[Any, Any, Any], players: Sequence[str], luck: str) -> None:
    """Print the ranking with each seat's figures and how it fared."""
    outcome = match.outcome
    assert outcome is not None, "a match that was played to its end has an outcome"
    table = Table("place", "seat", "player", "tribe", *outcome.scores[0], "", box=SIMPLE_HEAD)
    place = 1
    for group in outcome.ranking:
        for seat in group:
            label, figures = match.game.seat_labels[seat], map(str, outcome.scores[seat].values())
            table.add_row(str(place), str(seat), players[seat], label, *figures, outcome.remarks[seat])
        place += len(group)
    print(f"{match.game.name}, luck {luck}")
    Console(width=None if sys.stdout.isatty() else 100).print(table)


def _add_tournament(commands: Any) -> None:
    parser = _command(
        commands,
        "tournament",
        _tournament,
        "play many matches of a line-up, the seats rotating, into shards of logs",
        "himalaya tournament caravan --name autumn --players envoy,pilgrim,trader,greedy --jobs 2 --out logs/autumn",
    )
    _add_game(parser)
    _add_variants(parser)
    parser.add_argument(
        "--name", required=True, type=_name, help="the tournament's name; its matches are NAME.000000 …"
    )
    parser.add_argument("--matches", default=200, type=_positive, metavar="N", help="how many (default: 200)")
    parser.add_argument("--jobs", default=1, type=_positive, metavar="N", help="how many processes play (default: 1)")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="the folder for the logs")


def _tournament(options: argparse.Namespace) -> int:
    plan = Plan(options.name, options.game.name, options.players, options.matches, _variants(options), options.board)
    options.game.parse_options({**plan.options, "players": len(plan.players)})
    with progress_bar("matches", plan.matches) as show:
        paths = run_tournament(plan, options.out, options.jobs, show)
    print(f"{plan.matches} matches in {len(paths)} {'file' if len(paths) == 1 else 'files'} in {options.out}")
    return 0


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error while the block runs; yields the function that moves it to a count."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.speed:,.1f}/s" if total is None else "{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=total, rate="")

        def show(count: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=count, rate=f"{speed:,.1f}/s" if speed else "")

        yield show


def _add_verify(commands: Any) -> None:
    parser = _command(
        commands,
        "verify",
        _verify,
        "decide every action of a log anew and name what does not follow",
        "himalaya verify logs",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="logs, or folders of logs")
    parser.add_argument("--board", type=Path, metavar="FILE", help="a board that the logs name but do not carry")


def _verify(options: argparse.Namespace) -> int:
    board = load_board(GAMES["caravan"], options.board) if options.board else None
    checked = events = faults = 0
    for path in log_files(options.paths):
        for start, lines in matches(read_lines(path)):
            checked, events = checked + 1, events + len(lines)
            fault = _fault(path, start, lines, board)
            if fault:
                faults += 1
                print(fault)
    verdict = f"{faults:,} depart from the rules" if faults else "clean"
    print(f"{checked:,} {'match' if checked == 1 else 'matches'}, {events:,} events: {verdict}")
    return DIVERGED if faults else 0


def _fault(path: Path, start: int, lines: list[bytes], board: Any) -> str | None:
    """Return what is wrong with a match, by file and line, or `None`."""
    try:
        divergence = verify(lines, board)
    except ReplayError as error:
        return f"{path}:{start + error.line - 1}: {str(error).partition(': ')[2]}"
    if divergence is None:
        return None
    where = f"{path}:{start + divergence.line - 1}: seq {divergence.seq}"
    return f"{where}: expected {divergence.expected}, found {divergence.found}"


def _add_ingest(commands: Any) -> None:
    parser = _command(
        commands,
        "ingest",
        _ingest,
        "load logs into the database, each match exactly once",
        "himalaya ingest logs --db himalaya.duckdb",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="logs, or folders of logs")
    _add_database(parser)


def _ingest(options: argparse.Namespace) -> int:
    from ingest.pipeline import ingest
    from ingest.warehouse import WarehouseError

    try:
        summary = ingest(options.paths, options.db)
    except WarehouseError as error:
        raise CommandError(str(error)) from None
    print(summary)
    return PUT_ASIDE if summary.quarantined else 0


def _add_serve(commands: Any) -> None:
    parser = _command(
        commands,
        "serve",
        _serve,
        "serve the pages: matches, replay, traffic, outcomes",
        "himalaya serve --db himalaya.duckdb --port 8050",
    )
    _add_database(parser)
    _add_address(parser)


def _serve(options: argparse.Namespace) -> int:
    from dashboards.server import ServeError, serve

    try:
        serve(
            options.db, options.host, options.port, lambda address: _say(f"Himalaya is at {address} (Ctrl-C stops it)")
        )
    except ServeError as error:
        raise CommandError(str(error)) from None
    return 0


def _say(text: str) -> None:
    print(text, flush=True)


def _add_demo(commands: Any) -> None:
    parser = _command(
        commands,
        "demo",
        _demo,
        "play 200 matches of mixed strategies, load them, serve the pages",
        "himalaya demo --port 8050",
    )
    parser.add_argument("--dir", default=Path("demo"), type=Path, help="where logs and database go (default: demo)")
    parser.add_argument(
        "--jobs", default=os.cpu_count() or 1, type=_positive, metavar="N", help="how many processes play"
    )
    parser.add_argument("--once", action="store_true", help="ask every page for an answer, say how it went, and stop")
    _add_address(parser)


def _demo(options: argparse.Namespace) -> int:
    from dashboards.server import ServeError
    from ingest.warehouse import WarehouseError

    try:
        return run_demo(
            options.dir, options.jobs, options.host, options.port, once=options.once, show=progress_bar, say=_say
        )
    except (ServeError, WarehouseError) as error:
        raise CommandError(str(error)) from None
