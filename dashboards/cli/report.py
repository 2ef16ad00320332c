"""The command `himalaya report`: report a tournament or another selection, or check a report."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

from dashboards.report.check import differences, notes
from dashboards.report.model import Claims, ReportError, read_report
from dashboards.report.render import REPORT_OPERATIONS
from dashboards.report.words import filter_from
from himalaya_core.cli.command import CommandError, Parser, command
from himalaya_core.cli.progress import progress_bar
from ingest.cli.commands import add_database, require_database
from ingest.cli.operations import operate
from ingest.errors import WarehouseError, plain_reason

__all__ = ["add_filter", "add_report", "filter_pairs", "progress"]

DIFFERS: Final = 1
FILTER: Final = {
    "game": "select this game (default: the one with most matches)",
    "tournament": "select these tournaments",
    "option": "select matches with these options, as name=value",
    "players": "select matches of so many players",
    "player": "select seats of these players",
    "version": "select seats of these versions, as 'player version'",
    "seat": "select these seats, from 1",
    "result": "select seats by result: won, lost, outlasted (lost, not eliminated), or the influence that eliminated",
    "from": "count rounds from this one on",
    "to": "count rounds up to this one",
    "board": "select this board",
    "verdict": "select these verdicts of the rules: clean, waiting, unjudged (default: clean)",
}
FORMATS: Final = ("html", "pdf", "xlsx")


def add_report(parser: Parser) -> None:
    """Add the command's arguments to its parser."""
    command(
        parser,
        _report,
        "himalaya report --tournament cup --out cup.html",
        "himalaya report --filter 'tournament=cup&players=4' --out cup.pdf --db cup.duckdb",
        "himalaya report --check cup.html --logs logs/cup",
    )
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument(
        "--out", type=_report_path, metavar="FILE", help=f"write the report, as {', '.join(FORMATS)} by its name"
    )
    wanted.add_argument(
        "--check", type=Path, metavar="FILE", help="recompute the figures of an HTML report, and list the differences"
    )
    parser.add_argument(
        "--logs",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="recompute with --check from these logs, without a database",
    )
    add_filter(parser)
    add_database(parser)


def add_filter(parser: Parser) -> None:
    """Add the filter options: one for each key, and `--filter`, which takes a whole query string."""
    group = parser.add_argument_group("filter", "select matches, and seats and rounds in them (default: all)")
    for key, text in FILTER.items():
        group.add_argument(f"--{key}", dest=f"only_{key}", nargs="+", action="extend", metavar=key.upper(), help=text)
    group.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="QUERY",
        help="select as in a page's address: 'tournament=cup&seat=1'",
    )


def filter_pairs(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the keys and values of the requested filter; `CommandError` if it is invalid."""
    pairs = [(key, value) for key in FILTER for value in getattr(options, f"only_{key}") or []]
    for text in options.filter:
        pairs += parse_qsl(text.removeprefix("?"), keep_blank_values=True)
    try:
        return filter_from(pairs).pairs()
    except ReportError as error:
        raise CommandError(f"the filter: {error}") from None


def _report_path(text: str) -> Path:
    if not text.lower().endswith(tuple(f".{end}" for end in FORMATS)):
        ends = ", ".join(f".{end}" for end in FORMATS)
        raise argparse.ArgumentTypeError(f"{text!r} does not end in {ends}")
    return Path(text)


def _report(options: argparse.Namespace) -> int:
    if options.check:
        return _check(options)
    if options.logs:
        raise CommandError("--logs needs --check; for a report, load the logs with `himalaya ingest` first")
    require_database(options)
    arguments = {
        "filter": filter_pairs(options),
        "format": options.out.suffix[1:].lower(),
        "file": str(options.out.absolute()),
    }
    done = _operate(options, "report", arguments)
    print(f"{options.out}: {done['size']:,} bytes")
    return 0


def _check(options: argparse.Namespace) -> int:
    """Recompute the figures of a report, print any differences, and return the exit code."""
    if any(getattr(options, f"only_{key}") for key in FILTER) or options.filter:
        raise CommandError("--check uses the filter of the report; leave out yours")
    try:
        text = options.check.read_text(encoding="utf-8")
        said: dict[str, Any] = read_report(text) | {"page": text}
    except (OSError, UnicodeError) as error:
        reason = plain_reason(error) if isinstance(error, OSError) else "it is not an HTML report"
        raise CommandError(f"cannot read {options.check}: {reason}") from None
    except ReportError as error:
        raise CommandError(f"{options.check}: {error}") from None
    with _database(options):
        _ask_again(options, said["players"])
        _review_again(options, said)
        arguments = {key: said[key] for key in ("filter", "players", "coloured")}
        found = json.loads(json.dumps(_operate(options, "report_data", arguments)))
    for note in notes(said, found):
        print(f"note: {note}")
    if different := differences(said, found):
        print("\n".join(f"differs: {line}" for line in different))
        return DIFFERS
    print(f"the report agrees with the data: {said['matches']:,} matches, {len(said['figures'])} figures")
    return 0


def _ask_again(options: argparse.Namespace, players: Claims) -> None:
    """Check whether players choose the same again, if the report has such checks and the database lacks them."""
    if not players:
        return
    arguments = {"jobs": os.cpu_count() or 1, "matches": list(players)}
    with progress_bar("asking players", 1, quiet=True) as show:
        try:
            operate(options, "ask", arguments, lambda at: show(at["done"], at["total"]))
        except WarehouseError as error:  # the database may be read-only
            print(f"note: the players' choices were not checked: {error}", file=sys.stderr)


def _review_again(options: argparse.Namespace, said: Mapping[str, Any]) -> None:
    """Review the report's matches if it shows chances of winning and they are not reviewed yet."""
    valued, _ = said.get("valued", (0, ()))
    if not valued:
        return
    with progress_bar("reviewing", 1, quiet=True) as show:
        try:
            arguments = {"jobs": os.cpu_count() or 1}
            operate(options, "review", arguments, lambda at: show(at["done"], at["total"]))
        except WarehouseError as error:  # the database may be read-only
            print(f"note: matches were not reviewed: {error}", file=sys.stderr)


@contextmanager
def _database(options: argparse.Namespace) -> Iterator[None]:
    """Provide a database while the block runs: the named one, or one loaded from the named logs."""
    if not options.logs:
        require_database(options)
        yield
        return
    missing = next((path for path in options.logs if not path.exists()), None)
    if missing:
        raise CommandError(f"{missing}: no such file or folder")
    with tempfile.TemporaryDirectory(prefix="himalaya-") as folder:
        options.db = Path(folder, "logs.duckdb")
        paths: dict[str, Any] = {"paths": [str(path.absolute()) for path in options.logs], "names": {}}
        with progress_bar("loading", None, quiet=True) as show:
            result = operate(
                options,
                "ingest",
                {**paths, "tournament": None, "dry_run": False},
                lambda at: show(at["bytes_read"], at["bytes_total"], f"{at['matches']:,} matches"),
            )
        if result.get("put_aside"):
            print("note: some logs are not valid, and do not count", file=sys.stderr)
        for failure in result.get("failed", ()):
            print(f"note: cannot read {failure['file']}: {failure['reason']}", file=sys.stderr)
        yield


def _operate(options: argparse.Namespace, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Run a report's operation and show its progress."""
    with progress() as report:
        return operate(options, name, arguments, report, REPORT_OPERATIONS)


@contextmanager
def progress() -> Iterator[Callable[[dict[str, Any]], None]]:
    """Yield a function that shows progress reports as bars, one bar for each step."""
    with ExitStack() as bars:
        shown: dict[str, Callable[..., None]] = {}

        def report(at: dict[str, Any]) -> None:
            what, total = at["what"], at["total"]
            if what not in shown:
                bars.close()
                shown[what] = bars.enter_context(progress_bar(what, total or None, quiet=True))
            shown[what](at["done"], total, at.get("note", ""))

        yield report
