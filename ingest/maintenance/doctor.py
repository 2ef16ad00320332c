"""Reports the state of a warehouse: versions, disk space, contents, faults, and an audit of the stored logs."""

import hashlib
import json
import os
import platform
import shlex
import shutil
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import duckdb
import zstandard

from himalaya_core import __version__
from himalaya_core.names import one_player
from ingest.app_store import AppStore, store_file
from ingest.errors import WarehouseError
from ingest.files import OTHERS
from ingest.inbox.inbox import is_receipt
from ingest.inbox.receive import inbox_folder
from ingest.load.summary import counted, different_spellings
from ingest.maintenance.backup import files_beside, last_forgetting, written_before
from ingest.maintenance.integrity import check
from ingest.maintenance.rewrite import explained, one_at_a_time, read_through
from ingest.people.pairing import broken_in_store
from ingest.tables.definitions import SCHEMA_VERSION
from ingest.values import unpack
from ingest.warehouse import Report, Warehouse

__all__ = ["StoredLog", "audit_log", "audit_logs", "examine", "unreadable"]


SLICE: Final = 500
"""Maximum number of logs in memory at the same time."""
KEPT: Final = """
SELECT match, lines, bytes_sha256, size, events FROM raw_matches WHERE match_id BETWEEN $first AND $last
ORDER BY match_id
"""


@dataclass(frozen=True, slots=True)
class StoredLog:
    """A compressed log as stored in `raw_matches`, with its digest and counts."""

    match: str
    lines: bytes
    bytes_sha256: str
    size: int
    events: int


def audit_logs(connection: duckdb.DuckDBPyConnection, report: Report) -> Iterator[str | None]:
    """Check every stored log and yield its fault, or `None`; uses all processors and bounded memory."""
    ((total, first, last),) = connection.execute(
        "SELECT count(*), min(match_id), max(match_id) FROM raw_matches"
    ).fetchall()
    done = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for start in range(first or 0, (last or -1) + 1, SLICE):
            report({"what": "checking logs", "done": done, "total": total})
            rows = connection.execute(KEPT, {"first": start, "last": start + SLICE - 1}).fetchall()
            yield from pool.map(audit_log, (StoredLog(*row) for row in rows))
            done += len(rows)


def audit_log(kept: StoredLog) -> str | None:
    """Return what is wrong with a log's bytes, digests or number of lines; `None` if nothing is."""
    try:
        text = unpack(kept.lines, max_output_size=kept.size)
    except (zstandard.ZstdError, MemoryError):
        return f"match {kept.match}: its log cannot be decompressed; restore a backup"
    if len(text) != kept.size:
        return f"match {kept.match}: its log has {len(text):,} of {kept.size:,} bytes; restore a backup"
    end = text.rfind(b"\n", 0, max(len(text) - 1, 0)) + 1
    digest = hashlib.sha256(memoryview(text)[:end])
    before_the_last = digest.hexdigest()
    digest.update(memoryview(text)[end:])
    found = digest.hexdigest()
    if found != kept.bytes_sha256:
        return f"match {kept.match}: its log has changed since it was loaded; restore a backup"
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    if lines != kept.events:
        return f"match {kept.match}: its log has {lines:,} lines, not {kept.events:,}; restore a backup"
    said = _said(text[end:])
    if said is not None and said != before_the_last:
        return f"match {kept.match}: the digest in its last line is not that of the other lines; restore a backup"
    return None


def _said(line: bytes) -> str | None:
    """Return the digest of all previous lines that the last line records; `None` if it does not end a match."""
    if b"match_ended" not in line:
        return None
    try:
        last = json.loads(line)
        return str(last["data"]["lines_sha256"]) if last["type"] == "match_ended" else None
    except (ValueError, KeyError, TypeError) as error:
        return f"nothing to be read: {error}"


LEAST_FREE: Final = 1_000_000_000
"""Free bytes on the disk below which the user should act."""
MOST_FOUND: Final = 20
COUNTS: Final = {
    "matches": "SELECT count(*) FROM raw_matches",
    "events": "SELECT count(*) FROM events",
    "unfinished": "SELECT count(*) FROM dim_matches WHERE status = 'unfinished'",
    "quarantine": "SELECT count(*) FROM quarantine WHERE resolved_in IS NULL",
    "live": "SELECT count(*) FROM watched_files WHERE live IS NOT NULL",
    "forgotten": "SELECT count(*) FROM forgotten_matches",
}
COPIES: Final = """
SELECT count(DISTINCT contents), list_sort(list(DISTINCT coalesce(tournament, match))) FROM (
    FROM dim_matches WHERE contents IN (SELECT contents FROM dim_matches WHERE is_copy)
    QUALIFY row_number() OVER (PARTITION BY contents ORDER BY match_id) > 1
)
"""
MOST_NAMED: Final = 3
FREE: Final = """
SELECT free_blocks * block_size FROM pragma_database_size() WHERE database_name = current_database()
"""
RUNS: Final = """
SELECT run, started_at, source, files, matches, events, skipped, quarantined FROM ingest_runs ORDER BY run DESC LIMIT 5
"""


def examine(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Examine a warehouse: the operation `doctor`. With the argument `deep`, every block and every log is read.

    Returns `versions`, `space` in bytes, `counts`, the last `runs`, the numbers of items `checked`, and `remarks` as
    sentences. Also returns `findings`, the faults; the list is empty for a sound warehouse.
    """
    findings: list[str] = []
    space = _space(warehouse.database, [] if warehouse.read_only else findings)
    about: dict[str, Any] = {"versions": _versions(), "space": space, "remarks": list(_remarks(warehouse.database))}
    with _asking(warehouse, findings) as connection:
        about["counts"] = {name: _one(connection, sql) for name, sql in COUNTS.items()}
        about["counts"]["inbox"] = _waiting(warehouse.database)
    with _asking(warehouse, findings) as connection:
        about["runs"] = list(_runs(connection))
        about["remarks"] += _remarks_on_matches(connection)
        about["space"]["inside"] = _one(connection, FREE)
    with _asking(warehouse, findings) as connection:
        promised = check(connection, lambda done, total: report(_at("checking tables", done, total)))
        findings += map(str, promised)
    with _asking(warehouse, findings):
        findings += map(str, broken_in_store(warehouse.app))
        about["remarks"] += _older_copies(warehouse.app, warehouse.database)
    about["checked"] = _look_deep(warehouse, findings, report) if arguments.get("deep") else None
    return about | {"findings": findings}


def unreadable(database: Path, reason: str) -> dict[str, Any]:
    """Return the report on a database that cannot be opened."""
    findings: list[str] = []
    return {"versions": _versions(), "space": _space(database, findings), "findings": [reason, *findings]}


def _look_deep(warehouse: Warehouse, findings: list[str], report: Report) -> dict[str, int]:
    """Read every block, then every log; return the numbers of `rows` and `logs` read."""
    checked = {"rows": 0, "logs": 0}
    with one_at_a_time, _asking(warehouse, findings) as connection:
        checked["rows"] = sum(read_through(connection, report).values())
    wrong = 0
    with one_at_a_time, _asking(warehouse, findings) as connection:
        connection.begin()  # a snapshot: matches loaded meanwhile are not seen
        for finding in audit_logs(connection, report):
            checked["logs"] += 1
            if finding:
                wrong += 1
                if wrong <= MOST_FOUND:
                    findings.append(finding)
        connection.rollback()
    if wrong > MOST_FOUND:
        more = wrong - MOST_FOUND
        findings.append(f"and {more:,} more {'log has' if more == 1 else 'logs have'} changed")
    return checked


@contextmanager
def _asking(warehouse: Warehouse, findings: list[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a cursor; a DuckDB error is recorded as a finding, and the examination continues."""
    try:
        with explained(warehouse.database, warehouse.database), warehouse.reading() as connection:
            yield connection
    except WarehouseError as error:
        if str(error) not in findings:
            findings.append(str(error))


# --- Disk space, copies and runs


def _versions() -> dict[str, Any]:
    return {
        "himalaya": __version__,
        "schema": SCHEMA_VERSION,
        "duckdb": duckdb.__version__,
        "python": platform.python_version(),
    }


def _space(database: Path, findings: list[str]) -> dict[str, Any]:
    """Return used and free space in bytes, and the files next to the database."""
    database = database.resolve()
    size, free = database.stat().st_size, shutil.disk_usage(database.parent).free
    if free < max(size, LEAST_FREE):
        needed = "a vacuum or an upgrade needs as much again" if free >= LEAST_FREE else "make room"
        findings.append(f"{database.parent}: {free / 1e9:,.1f} GB free on this disk; {needed}")
    wal, store = Path(f"{database}.wal"), store_file(database)
    return {
        "database": str(database),
        "size": size,
        "app_store": store.stat().st_size if store.exists() else 0,
        "wal": wal.stat().st_size if wal.exists() else 0,
        "free": free,
        "beside": {path.name: path.stat().st_size for path in files_beside(database) if path != wal},
    }


def _remarks(database: Path) -> Iterator[str]:
    """Yield remarks about facts that are not faults but may need action by the user."""
    mode = stat.S_IMODE(database.stat().st_mode)
    if mode & OTHERS:
        yield (
            f"{database}: other users of this machine can read it (mode {mode:03o}), with all logs; "
            f"`chmod 600 {shlex.quote(str(database))}` prevents that"
        )


def _remarks_on_matches(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield remarks about matches that were loaded several times, and about names with several spellings."""
    ((matches, names),) = connection.execute(COPIES).fetchall()
    if matches:
        more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
        loaded = f"{counted(matches, 'match', 'es')}, also loaded as {', '.join(names[:MOST_NAMED])}{more}"
        yield f"{loaded}; figures count each once"
    yield from map(one_player, different_spellings(connection))


def _older_copies(store: AppStore, database: Path) -> Iterator[str]:
    """Yield remarks about copies that may still hold forgotten data."""
    at = last_forgetting(store)
    copies = written_before(store, database, at) if at else []
    for copy in copies[:MOST_FOUND]:
        yield (
            f"{copy}: written before data was last forgotten ({at:%Y-%m-%d %H:%M} UTC), and may still hold it; "
            "write it again, or remove it"
        )
    if len(copies) > MOST_FOUND:
        yield f"and {len(copies) - MOST_FOUND:,} more copies written before data was last forgotten"


def _waiting(database: Path) -> int:
    folder = inbox_folder(database)
    return sum(is_receipt(path.name) for path in folder.iterdir()) if folder.is_dir() else 0


def _runs(connection: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    """Yield the last runs, newest first."""
    connection.execute(RUNS)
    names = [column[0] for column in connection.description or ()]
    for row in connection.fetchall():
        yield {name: _json(value) for name, value in zip(names, row, strict=True)}


def _json(value: Any) -> Any:
    return f"{value.isoformat(timespec='seconds')}Z" if isinstance(value, datetime) else value


def _one(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    ((value,),) = connection.execute(sql).fetchall()
    return int(value)


def _at(what: str, done: int, total: int) -> dict[str, Any]:
    return {"what": what, "done": done, "total": total}
