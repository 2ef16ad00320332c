"""What the commands about a warehouse share: which file, and having an operation done, here or by its server."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.shared import CommandError, Parser
from ingest.errors import WarehouseError

__all__ = ["add_database", "operate", "require_database", "say_on_stderr"]

DATABASE: Final = "HIMALAYA_DB"


def add_database(parser: Parser) -> None:
    """Add the database."""
    default = Path(os.environ.get(DATABASE, "himalaya.duckdb"))
    parser.add_argument(
        "--db", type=Path, default=default, metavar="FILE", help=f"the database (default: ${DATABASE} or {default})"
    )


def require_database(options: argparse.Namespace) -> None:
    """Refuse to go on without the database: opening one that is not there would make it."""
    if not options.db.is_file():
        raise CommandError(f"{options.db}: no such database")


def operate(
    options: argparse.Namespace,
    name: str,
    arguments: Mapping[str, Any],
    report: Callable[[dict[str, Any]], None] = lambda _: None,
    operations: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Have an operation done on the database of the options, and return its result.

    `arguments` go to another process if a server has the database open, so paths among them are absolute. What stands
    in the way becomes a `CommandError`. `operations` are others than those of the warehouse.
    """
    from ingest.operations import OPERATIONS, run_operation

    try:
        return run_operation(options.db, name, arguments, report, say_on_stderr, operations=operations or OPERATIONS)
    except WarehouseError as error:
        raise CommandError(str(error)) from None


def say_on_stderr(text: str) -> None:
    """Say something that is not the result."""
    print(text, file=sys.stderr)
