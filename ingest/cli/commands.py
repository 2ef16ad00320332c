"""The commands of this package, as listed by `himalaya --help`."""

import argparse
import os
from pathlib import Path
from typing import Final

from himalaya_core.cli.command import Command, CommandError, Parser

__all__ = ["COMMANDS", "add_database", "require_database"]


DATABASE: Final = "HIMALAYA_DB"


def add_database(parser: Parser) -> None:
    """Add the option `--db` to a parser."""
    default = Path(os.environ.get(DATABASE, "himalaya.duckdb"))
    parser.add_argument(
        "--db",
        type=Path,
        default=default,
        metavar="FILE",
        help=f"use this database (default: ${DATABASE} or {default}); a lake's folder can be read too",
    )


def require_database(options: argparse.Namespace) -> None:
    """Raise `CommandError` if the database does not exist, because opening a missing database would create it."""
    from ingest.maintenance.lake.tables import is_lake

    if not (options.db.is_file() or is_lake(options.db)):
        problem = "a folder, but not a lake; name a database" if options.db.is_dir() else "no such database; check --db"
        raise CommandError(f"{options.db}: {problem}")


COMMANDS: Final = (
    Command(
        "push",
        "send logs to a server; what it already has is not sent again",
        "ingest.cli.push:add_push",
        60,
        group="Logs",
        extra="ingest",
    ),
    Command(
        "ingest",
        "load logs into the database, each match exactly once",
        "ingest.cli.ingest:add_ingest",
        10,
        group="Data",
        extra="ingest",
    ),
    Command(
        "quarantine",
        "list, repair or drop rejected logs",
        "ingest.cli.quarantine:add_quarantine",
        20,
        group="Data",
        extra="ingest",
    ),
    Command(
        "check",
        "check that the tables of the database agree with the logs",
        "ingest.cli.check:add_check",
        50,
        group="Data",
        extra="ingest",
    ),
    Command(
        "doctor",
        "report on the database; exit 1 if it is not sound",
        "ingest.cli.maintenance:add_doctor",
        60,
        group="Data",
        extra="ingest",
    ),
    Command(
        "backup",
        "write a copy of the database as it is now, even while it is in use",
        "ingest.cli.maintenance:add_backup",
        70,
        group="Data",
        extra="ingest",
    ),
    Command(
        "restore",
        "replace the database with a copy; the old file is kept",
        "ingest.cli.maintenance:add_restore",
        80,
        group="Data",
        extra="ingest",
    ),
    Command(
        "vacuum",
        "rewrite the database compactly, in order of matches",
        "ingest.cli.maintenance:add_vacuum",
        90,
        group="Data",
        extra="ingest",
    ),
    Command(
        "forget",
        "erase matches or people from the database; log files stay",
        "ingest.cli.maintenance:add_forget",
        100,
        group="Data",
        extra="ingest",
    ),
    Command(
        "lake",
        "write the tables as Parquet files for other tools",
        "ingest.cli.maintenance:add_lake",
        110,
        group="Data",
        extra="ingest",
    ),
    Command(
        "derive",
        "make a lake from logs without a database, on cores or a cluster",
        "ingest.cli.derive:add_derive",
        120,
        group="Data",
        extra="ingest",
    ),
    Command(
        "token",
        "manage the tokens that let others into a server",
        "ingest.cli.token:add_token",
        30,
        group="Serve",
        extra="ingest",
    ),
    Command(
        "audit",
        "list who did what: tokens, sign-ins, logs, bookmarks, jobs",
        "ingest.cli.token:add_audit",
        40,
        group="Serve",
        extra="ingest",
    ),
)
