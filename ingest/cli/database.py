"""The option `--db`; separate from the modules that use a database, as these take long to import."""

import argparse
import os
from pathlib import Path
from typing import Final

from himalaya_core.cli.command import CommandError, Parser

__all__ = ["add_database", "require_database"]

DATABASE: Final = "HIMALAYA_DB"


def add_database(parser: Parser) -> None:
    """Add the option for the database."""
    default = Path(os.environ.get(DATABASE, "himalaya.duckdb"))
    parser.add_argument(
        "--db",
        type=Path,
        default=default,
        metavar="FILE",
        help=f"the database (default: ${DATABASE} or {default}); to read from, it may be a lake's folder",
    )


def require_database(options: argparse.Namespace) -> None:
    """Refuse to continue without the database: opening a missing one would create it."""
    from ingest.maintenance.lake.parts import is_lake

    if not (options.db.is_file() or is_lake(options.db)):
        is_folder = options.db.is_dir()
        raise CommandError(f"{options.db}: {'is a folder, but not a lake' if is_folder else 'no such database'}")
