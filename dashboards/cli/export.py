"""The command `himalaya export`: a table, a figure or a query as CSV, Parquet, JSON or XLSX."""

import argparse
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from dashboards.cli.report import add_filter, filter_pairs, progress
from dashboards.report.render import REPORT_OPERATIONS
from himalaya_core.cli.command import CommandError, Parser, command, whole
from ingest.cli.commands import add_database, require_database
from ingest.cli.operations import operate
from ingest.errors import plain_reason

__all__ = ["add_export"]

FORMATS: Final = ("csv", "parquet", "json", "xlsx")
STANDARD_OUTPUT: Final = "-"
MOST_SECONDS: Final = 86_400


def add_export(parser: Parser) -> None:
    """Add the command's arguments to its parser."""
    command(
        parser,
        _export,
        "himalaya export",
        "himalaya export dim_seats --out seats.parquet",
        "himalaya export win-share --tournament cup --format csv --out -",
        "himalaya export --query mine.sql --out mine.xlsx",
        "himalaya export fct_caravan_deliveries --dictionary",
    )
    parser.add_argument(
        "table",
        nargs="?",
        metavar="TABLE",
        help="export this table or figure, such as win-share (default: list all)",
    )
    parser.add_argument(
        "--query", metavar="FILE", help="export the result of a read-only SQL query in a file, - for standard input"
    )
    parser.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS", help="stop a query after so many seconds (default: 60)"
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="write this format (default: from the file name, else csv); use xlsx for Excel, which misreads CSV",
    )
    parser.add_argument(
        "--out", metavar="FILE", default=STANDARD_OUTPUT, help="write to this file, - for standard output (default)"
    )
    parser.add_argument(
        "--dictionary", action="store_true", help="export name, type and meaning of the columns instead of the rows"
    )
    add_filter(parser)
    add_database(parser)


def _export(options: argparse.Namespace) -> int:
    if options.table and options.query:
        raise CommandError("name a table or figure, or a query with --query, not both")
    if options.timeout and not options.query:
        raise CommandError("--timeout limits a query; add --query")
    require_database(options)
    if not (options.table or options.query):
        return _list(options)
    arguments = {
        "table": options.table,
        "query": _query(options.query),
        "filter": filter_pairs(options),
        "timeout": options.timeout,
        "dictionary": options.dictionary,
        "format": _format(options),
    }
    with tempfile.TemporaryDirectory(prefix="himalaya-") as folder:
        to_screen = options.out == STANDARD_OUTPUT
        file = Path(folder, "export") if to_screen else Path(options.out).absolute()
        with progress() as report:
            done = operate(options, "export", {**arguments, "file": str(file)}, report, REPORT_OPERATIONS)
        if not done["rows"]:
            print("note: no rows match the filter", file=sys.stderr)
        if to_screen:
            with file.open("rb") as made:
                shutil.copyfileobj(made, sys.stdout.buffer)
                sys.stdout.buffer.flush()
        else:
            print(f"{options.out}: {done['rows']:,} rows of {done['columns']} columns, {done['size']:,} bytes")
    return 0


def _seconds(text: str) -> int:
    if not 1 <= (number := whole(text)) <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 1 to {MOST_SECONDS}")
    return number


def _list(options: argparse.Namespace) -> int:
    for kind, names in operate(
        options, "exportable", {"filter": filter_pairs(options)}, lambda _: None, REPORT_OPERATIONS
    ).items():
        print(f"{kind}:")
        print("\n".join(f"  {name}" for name in names))
    return 0


def _format(options: argparse.Namespace) -> str:
    """Return the requested format, or the one that the file's extension implies."""
    named = Path(options.out).suffix[1:].lower()
    if options.format or named in FORMATS:
        return str(options.format or named)
    if named and options.out != STANDARD_OUTPUT:
        raise CommandError(f"{options.out}: add --format with one of {', '.join(FORMATS)}")
    return "csv"


def _query(name: str | None) -> str | None:
    if name is None:
        return None
    with suppress(UnicodeError):
        try:
            return sys.stdin.read() if name == STANDARD_OUTPUT else Path(name).read_text(encoding="utf-8")
        except OSError as error:
            raise CommandError(f"cannot read {name}: {plain_reason(error)}") from None
    raise CommandError(f"{name}: not UTF-8 text; save the query as UTF-8")
