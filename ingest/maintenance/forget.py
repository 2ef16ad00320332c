"""Forgets matches and people, or lets forgotten logs be loaded again."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from himalaya_core.names import did_you_mean
from ingest.errors import ReadError, WarehouseError, plain_reason
from ingest.inbox.inbox import PASSING
from ingest.inbox.loading import RECEIVED
from ingest.inbox.receive import inbox_folder
from ingest.load.rejected import first_line_of
from ingest.maintenance.backup import beside, files_beside, take_place, written_before
from ingest.maintenance.mentions import Found, remove_notes, stem, without_mentions
from ingest.maintenance.rewrite import Change, explained, one_at_a_time, write_again
from ingest.maintenance.to_forget import Wanted, find, first_lines, frame, header_of, marked, matches_in, registered
from ingest.opening import open_warehouse
from ingest.owner import Owner
from ingest.people.pairing import BEFORE_RESTORE
from ingest.read.discover import discover
from ingest.read.source import Parts, Source
from ingest.read.split import chunks
from ingest.tables.definitions import sql_tables
from ingest.validate.pool import ValidationPool
from ingest.values import unpack
from ingest.warehouse import Report, Warehouse

__all__ = ["allow_again", "forget", "forget_again"]


def allow_again(warehouse: Warehouse, arguments: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Remove the tombstones of logs, so that these logs can be loaded again: the operation `allow_again`.

    The argument `paths` names the logs, or files with their first lines. Returns the number of `matches`. Their files
    then count as never read.
    """
    found = discover(tuple(map(Path, arguments["paths"])))
    if found.failed:
        raise WarehouseError(f"cannot read {found.failed[0]}; nothing was changed")
    digests, first_lines = set[str](), set[str]()
    files, parts = list[str](), Parts(warehouse.database)
    with ValidationPool(0, judges=False) as pool, _readable():
        for done, path in enumerate(found.logs):
            report({"what": "reading", "done": done, "total": len(found.logs)})
            parts.refuse(path)
            for text in _texts(pool, path):
                digests.add(hashlib.sha256(text).hexdigest())
                first_lines.add(first_line_of(text))
            with path.open("rb") as file:
                files.append(hashlib.file_digest(file, "sha256").hexdigest())
    with warehouse.writing() as connection:
        connection.begin()
        allowed = connection.execute(
            ALLOWED, {"digests": sorted(digests), "first_lines": sorted(first_lines)}
        ).fetchall()
        connection.execute("DELETE FROM ingested_files WHERE list_contains($files, sha256)", {"files": files})
        connection.commit()
    return {"matches": len(allowed)}


ALLOWED: Final = """
DELETE FROM forgotten_matches
WHERE list_contains($digests, bytes_sha256) OR list_contains($first_lines, first_line_sha256) RETURNING 1
"""


@contextmanager
def _readable() -> Iterator[None]:
    """Turn errors from an unreadable log into a `WarehouseError`."""
    try:
        yield
    except ReadError as error:
        raise WarehouseError(f"cannot read {error}; nothing was changed") from None
    except OSError as error:
        raise WarehouseError(f"cannot read {error.filename}: {plain_reason(error)}; nothing was changed") from None


def _texts(pool: ValidationPool, path: Path) -> Iterator[bytes]:
    for _, checked in pool.check(chunks(path)):
        yield from (unpack(match.lines) for match in checked.matches)
        yield from (each.text for each in checked.rejections)


MOST_NAMED: Final = 20
NOTES: Final = re.compile(r"\.(wal|backup\.json|server\.json(\.\d+)?)$")
"""Suffixes of files that are named after a database but hold no copy of its data."""
LEFT_BEHIND: Final = re.compile(r"(\.before-restore)?\.(schema-|upgrading)")
"""Suffixes of files left by an upgrade, which may be deleted because the database holds all their data."""
ABOUT_MATCHES: Final = """
SELECT table_name FROM duckdb_columns() SEMI JOIN duckdb_tables() USING (database_name, table_name)
WHERE database_name = current_database() AND column_name = 'match_id'
"""
"""Lists the tables about matches, including those of games that are no longer installed."""


def forget(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Forget matches and people: the operation `forget`.

    Arguments: names of `matches`, `tournaments`, and `players` (people); with `dry_run`, the data is only counted.
    Raises `WarehouseError` for an unknown name. The result has these counts:

    `matches`, `events`, `quarantine`, `receipts`, `bookmarks`, `branches`, `chapters`: numbers of these
    `studies`      studies that have no chapter left
    `drafts`       recordings
    `mentions`     texts from which a name is removed, by table
    `tournaments`  pairs of a name and its number of matches

    The result has these lists:

    `names`        the matches
    `others`       other people who played in them
    `live`         matches that are still being written
    `copies`       copies of the database from which the data is forgotten too
    `same`         not forgotten: the same matches under other names
    `remaining`    not forgotten: other matches with logs that mention a person
    `tokens`       not forgotten: tokens named after a person
    `logs`         not forgotten: log files
    `elsewhere`    not forgotten: other copies of the data
    """
    wanted, is_done = Wanted.read(arguments), not arguments.get("dry_run")
    database = warehouse.database
    with ExitStack() as held:
        if is_done:
            held.enter_context(one_at_a_time)
            held.enter_context(warehouse.sole_writer())
            if warehouse.app.problem:
                raise WarehouseError(warehouse.app.problem)
            warehouse.app.compact()  # erases data that a killed command may have left
        copy = held.enter_context(_kept_by_restore(database))
        plans = [(each, *_planned(each, wanted, report)) for each in (copy, warehouse) if each]
        _require_loaded(database, wanted, [found for _, found, _ in plans])
        _require_known(warehouse, wanted, [found for _, found, _ in plans])
        if is_done:
            for left in _left_behind(database):
                left.unlink(missing_ok=True)
            for each, found, change in plans:
                if found.is_anything or each is warehouse:
                    remove_notes(each.app, found)
                    _rewrite(each, change, report)
                    remove_notes(each.app, found)  # notes written during the rewrite
        *others, (_, found, _) = plans
        return _result(warehouse, found, [each.database for each, there, _ in others if there.is_anything], copy)


def forget_again(warehouse: Warehouse, report: Report) -> dict[str, int] | None:
    """Remove forgotten logs from a copy of the warehouse that is older than their tombstones.

    Returns the number of remaining rows by table; `None` if there was nothing to forget.
    """
    with warehouse.sole_writer():
        with explained(warehouse.database, warehouse.database), warehouse.reading() as connection:
            names, nameless = marked(connection, report)
            if not names and not nameless:
                return None
            found = find(connection, warehouse.app, Wanted(sorted(names)), report)
            found.quarantined += sorted(nameless - set(found.quarantined))
            change = _without(connection, found)
        remove_notes(warehouse.app, found)
        return _rewrite(warehouse, change, report)


def _planned(warehouse: Warehouse, wanted: Wanted, report: Report) -> tuple[Found, Change]:
    with explained(warehouse.database, warehouse.database), warehouse.reading() as connection:
        found = find(connection, warehouse.app, wanted, report)
        return found, _without(connection, found)


def _rewrite(warehouse: Warehouse, change: Change, report: Report) -> dict[str, int]:
    new = beside(warehouse.database)
    rows = write_again(warehouse, new, report, change)
    take_place(warehouse, new)
    return rows


def _result(warehouse: Warehouse, found: Found, copies: Sequence[Path], copy: Warehouse | None) -> dict[str, Any]:
    database = warehouse.database.resolve()
    own = (f"{database.name}{BEFORE_RESTORE}",) if copy else ()
    others = [path for path in files_beside(database) if not path.name.startswith((".", *own))]
    known = written_before(warehouse.app, database, datetime.now(UTC))
    kept = [str(path) for path in others if not NOTES.search(path.name) and path not in _left_behind(database)]
    return {
        "matches": len(found.matches),
        "events": found.events,
        "quarantine": len(found.quarantined),
        "receipts": len(found.receipts),
        "bookmarks": found.bookmarks,
        "branches": len(found.branches),
        "chapters": found.chapters,
        "studies": len(found.studies),
        "drafts": len(found.drafts),
        "mentions": found.changed_texts,
        "tournaments": sorted(found.tournaments.items(), key=lambda each: (each[0] is None, each)),
        "names": sorted(found.seen & found.names)[:MOST_NAMED],
        "others": found.others,
        "live": found.live,
        "copies": list(map(str, copies)),
        "same": found.same,
        "remaining": found.remaining,
        "tokens": found.tokens,
        "logs": sorted(file for file in found.files if not file.startswith(RECEIVED))[:MOST_NAMED],
        "elsewhere": sorted({*known, *kept}),
    }


# --- Files around the warehouse


@contextmanager
def _kept_by_restore(database: Path) -> Iterator[Warehouse | None]:
    """Yield the warehouse that a restore replaced and kept; `None` if there is none, or it cannot be opened."""
    file = Path(f"{database.resolve()}{BEFORE_RESTORE}")
    try:
        opened = open_warehouse(file) if file.is_file() else None
    except WarehouseError:
        opened = None
    if opened is None:
        yield None
        return
    with opened:
        yield opened


def _left_behind(database: Path) -> list[Path]:
    """Return the files that upgrades and killed processes left next to a database."""
    database = database.resolve()
    left = [path for path in files_beside(database) if LEFT_BEHIND.match(path.name.removeprefix(database.name))]
    folder = inbox_folder(database)
    if folder.is_dir() and Owner.of(database) is None:
        left += [path for path in folder.iterdir() if path.name.startswith(PASSING)]
    return left


def _require_loaded(database: Path, wanted: Wanted, founds: Sequence[Found]) -> None:
    """Raise `WarehouseError` if a received log that is not loaded yet names data to forget.

    Otherwise the data would be loaded again afterwards.
    """
    names = {name for found in founds for name in found.names}
    headers = list(map(header_of, wanted.tournaments))
    mentions = founds[-1].mentions
    folder = inbox_folder(database)
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if not path.name.startswith(PASSING) and any(
            matches_in(lines) & names or mentions.names_person(lines) or any(each.search(lines) for each in headers)
            for lines in _lines_of(path)
        ):
            raise WarehouseError(
                f"{path}: holds some of this and is not loaded yet; load it with `himalaya serve`, "
                "then forget again; nothing was forgotten"
            )


def _lines_of(path: Path) -> Iterator[bytes]:
    """Yield whole lines of a file in the inbox, in large blocks; nothing if the file is already loaded and removed."""
    rest = b""
    with suppress(ReadError), Source(path, path) as source:
        for block in source.blocks():
            lines, end, rest = (rest + block).rpartition(b"\n")
            yield lines + end
    yield rest


# --- Checking the names


def _require_known(warehouse: Warehouse, wanted: Wanted, founds: Sequence[Found]) -> None:
    """Raise `WarehouseError` for an unknown name; the message suggests similar names."""
    seen = {name for found in founds for name in found.seen}
    missing = {
        "match": set(wanted.matches) - seen,
        "tournament": set(wanted.tournaments) - seen,
        "player": {
            name for name in wanted.people - seen if not any(found.mentions.have_seen(name) for found in founds)
        },
    }
    for kind, names in missing.items():
        if names:
            near = "" if kind == "match" else did_you_mean(min(names), _all_names(warehouse, kind))
            raise WarehouseError(f"there is no {kind} {min(names)} in the database; nothing was forgotten{near}")


def _all_names(warehouse: Warehouse, kind: str) -> list[str]:
    table = {"tournament": "dim_matches", "player": "dim_seats"}[kind]
    sql = f"SELECT DISTINCT {kind} FROM {table} WHERE {kind} IS NOT NULL ORDER BY 1"
    with explained(warehouse.database, warehouse.database), warehouse.reading() as connection:
        return [name for (name,) in connection.execute(sql).fetchall()]


# --- Rewriting the warehouse without the data


def _without(connection: duckdb.DuckDBPyConnection, found: Found) -> Change:
    """Return new contents of the tables without the found data.

    Files with forgotten matches then count as never read.
    """
    ((run,),) = connection.execute("SELECT coalesce(max(run), 0) FROM ingest_runs").fetchall()
    files = connection.execute("SELECT file FROM ingested_files UNION SELECT file FROM watched_files").fetchall()
    forgotten_files = [
        file
        for (file,) in files
        if file in found.files or stem(file) in found.names or found.mentions.redacted(file) != file
    ]
    digests = found.digests | first_lines(connection, found)
    frames = {
        "gone_matches": frame("match_id", found.matches, pl.Int32),
        "batch": frame("match_id", found.matches, pl.Int32),
        "gone_quarantine": frame("quarantine_id", found.quarantined, pl.Int32),
        "gone_receipts": frame("receipt", found.receipts, pl.String),
        "gone_files": frame("file", forgotten_files, pl.String),
        "gone_live": frame("live", found.live, pl.String),
        "gone_digests": pl.DataFrame(
            [(digest, first, run) for digest, first in sorted(digests.items())],
            schema={"bytes_sha256": pl.String, "first_line_sha256": pl.String, "forgotten_in": pl.Int32},
            orient="row",
        ),
    }
    about = [table for (table,) in connection.execute(ABOUT_MATCHES).fetchall()]
    relations = {table: f"FROM {table} ANTI JOIN gone_matches USING (match_id)" for table in about}
    relations |= {table.name: table.sums.without for table in sql_tables() if table.sums}
    relations |= {
        "dim_cohorts": "FROM dim_cohorts SEMI JOIN (FROM dim_seats ANTI JOIN gone_matches USING (match_id)) "
        "USING (cohort)",
        "quarantine": "FROM quarantine ANTI JOIN gone_quarantine USING (quarantine_id)",
        "receipts": "FROM receipts ANTI JOIN gone_receipts USING (receipt)",
        "ingested_files": "FROM ingested_files ANTI JOIN gone_files USING (file)",
        "watched_files": "FROM watched_files ANTI JOIN gone_files USING (file) ANTI JOIN gone_live USING (live)",
        "forgotten_matches": "FROM forgotten_matches UNION ALL (FROM gone_digests ANTI JOIN forgotten_matches "
        "USING (bytes_sha256))",
    }
    with registered(connection, frames):
        redacted, rows = without_mentions(connection, found.mentions, relations)
    for table, number in rows.items():
        found.changed_texts[table] = found.changed_texts.get(table, 0) + number
    return Change(relations, frames | redacted)
