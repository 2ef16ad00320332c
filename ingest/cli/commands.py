"""The commands of ingest, as `himalaya --help` lists them."""

from typing import Final

from himalaya_core.cli.command import Command

__all__ = ["COMMANDS"]

COMMANDS: Final = (
    Command(
        "ingest", "load logs into the database, each match exactly once", "ingest.cli.ingest:add_ingest", 80, "ingest"
    ),
    Command(
        "quarantine",
        "list, repair or drop rejected logs",
        "ingest.cli.quarantine:add_quarantine",
        90,
        "ingest",
    ),
    Command(
        "check",
        "check that the database keeps what its tables promise",
        "ingest.cli.check:add_check",
        100,
        "ingest",
    ),
    Command(
        "push",
        "send logs to a server; what it already has is not sent again",
        "ingest.cli.push:add_push",
        140,
        "ingest",
    ),
    Command("token", "manage the tokens that let others into a server", "ingest.cli.token:add_token", 150, "ingest"),
    Command(
        "audit",
        "list who did what: tokens, sign-ins, logs, bookmarks, jobs",
        "ingest.cli.token:add_audit",
        155,
        "ingest",
    ),
    Command(
        "lake",
        "write the tables as Parquet files for other tools",
        "ingest.cli.maintenance:add_lake",
        160,
        "ingest",
    ),
    Command(
        "derive",
        "make a lake from logs, without a database, with several processes or a cluster",
        "ingest.cli.derive:add_derive",
        165,
        "ingest",
    ),
    Command(
        "backup",
        "write a copy of the database as it is now, even while it is in use",
        "ingest.cli.maintenance:add_backup",
        170,
        "ingest",
    ),
    Command(
        "restore",
        "replace the database with a copy; the old file is kept beside it",
        "ingest.cli.maintenance:add_restore",
        180,
        "ingest",
    ),
    Command(
        "vacuum",
        "rewrite the database compactly, in order of matches",
        "ingest.cli.maintenance:add_vacuum",
        190,
        "ingest",
    ),
    Command(
        "forget",
        "remove matches or people from the database for good; log files stay",
        "ingest.cli.maintenance:add_forget",
        200,
        "ingest",
    ),
    Command(
        "doctor",
        "report on the database: versions, space, contents and soundness (exit 1 if it is not sound)",
        "ingest.cli.maintenance:add_doctor",
        210,
        "ingest",
    ),
)
