"""The command `himalaya check`: whether a database holds what its tables promise."""

import argparse
import json
from typing import Final

from himalaya_core.cli.command import Parser, command
from himalaya_core.cli.shared import progress_bar
from ingest.cli.operations import add_database, operate, require_database

__all__ = ["add_check"]

BROKEN: Final = 1


def add_check(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _check,
        "himalaya check --db himalaya.duckdb",
    )
    parser.add_argument("--json", action="store_true", help="print what is found as JSON")
    add_database(parser)


def _check(options: argparse.Namespace) -> int:
    require_database(options)
    with progress_bar("promises", 1, quiet=True) as show:
        result = operate(options, "check", {}, lambda at: show(at["done"], at["total"]))
    findings = result["findings"]
    if options.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print("\n".join(finding["text"] for finding in findings) or "every promise of the tables is kept")
    return BROKEN if findings else 0
