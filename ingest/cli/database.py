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
        help=f"use this database (default: ${DATABASE} or {default}); a lake's folder can be read too",
    )


def require_database(options: argparse.Namespace) -> None:
    """Refuse to continue without the database: opening a missing one would create it."""
    from ingest.maintenance.lake.parts import is_lake

    if not (options.db.is_file() or is_lake(options.db)):
        problem = "a folder, but not a lake; name a database" if options.db.is_dir() else "no such database; check --db"
        raise CommandError(f"{options.db}: {problem}")
