"""Audits the raw logs: compares each with the digests and counts recorded when it was loaded."""

import hashlib
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import duckdb
import zstandard

from ingest.packed import unpack
from ingest.warehouse import Report

__all__ = ["StoredLog", "audit_log", "audit_logs"]

SLICE: Final = 500
"""Logs that are in memory together."""
KEPT: Final = """
SELECT match, lines, bytes_sha256, size, events FROM raw_matches WHERE match_id BETWEEN $first AND $last
ORDER BY match_id
"""


@dataclass(frozen=True, slots=True)
class StoredLog:
    """A log as stored in `raw_matches`, compressed, with its digest and counts."""

    match: str
    lines: bytes
    bytes_sha256: str
    size: int
    events: int


def audit_logs(connection: duckdb.DuckDBPyConnection, report: Report) -> Iterator[str | None]:
    """Yield the fault of each log, or `None`; uses all processors, and bounded memory."""
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
    """Return the fault in the bytes, digests or number of lines of a log; `None` if there is none."""
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
    """Return the digest of all other lines from the last line; `None` if it does not end a match."""
    if b"match_ended" not in line:
        return None
    try:
        last = json.loads(line)
        return str(last["data"]["lines_sha256"]) if last["type"] == "match_ended" else None
    except (ValueError, KeyError, TypeError) as error:
        return f"nothing to be read: {error}"
