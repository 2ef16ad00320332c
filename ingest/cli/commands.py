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
        "rejected logs: list them, repair them, drop them",
        "ingest.cli.quarantine:add_quarantine",
        90,
        "ingest",
    ),
    Command(
        "check",
        "look whether the database holds what its tables promise, and name what does not",
        "ingest.cli.check:add_check",
        100,
        "ingest",
    ),
    Command(
        "push",
        "send logs to a server; what it has already is not sent again",
        "ingest.cli.push:add_push",
        140,
        "ingest",
    ),
    Command("token", "tokens that logs may be sent to a server with", "ingest.cli.push:add_token", 150, "ingest"),
    Command(
        "lake",
        "write the tables as Parquet files for other tools, only what has changed since the last time",
        "ingest.cli.maintenance:add_lake",
        160,
        "ingest",
    ),
    Command(
        "backup",
        "write a copy of the database as it is at this moment, whoever uses it",
        "ingest.cli.maintenance:add_backup",
        170,
        "ingest",
    ),
    Command(
        "restore",
        "put a copy in the place of the database, which stays beside it",
        "ingest.cli.maintenance:add_restore",
        180,
        "ingest",
    ),
    Command(
        "vacuum",
        "write the database again, compact and in order of matches",
        "ingest.cli.maintenance:add_vacuum",
        190,
        "ingest",
    ),
    Command(
        "forget",
        "remove all that is known of matches, their logs too",
        "ingest.cli.maintenance:add_forget",
        200,
        "ingest",
    ),
    Command(
        "doctor",
        "say how the database is: versions, space, what is in it, whether it is sound (exit 1 if something is not)",
        "ingest.cli.maintenance:add_doctor",
        210,
        "ingest",
    ),
)
