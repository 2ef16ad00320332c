"""Forgetting matches: every row about them goes, with their originals; of their bytes only digests are kept.

The warehouse is written again without them and takes the place of the one in use in one step. So killed at any time
all of a match is there or nothing, and what is forgotten is in no free block of the file.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, Final

import duckdb
import polars as pl
import zstandard

from himalaya_core.files import LOG_SUFFIXES
from ingest.copies import beside, take_place
from ingest.discover import discover
from ingest.read import pieces
from ingest.rewrite import Change, one_at_a_time, told, write_again
from ingest.source import Parts, ReadError
from ingest.tables import event_tables, sql_tables
from ingest.warehouse import Report, Warehouse, WarehouseError
from ingest.workers import Gatekeepers

__all__ = ["allow_again", "forget"]

MOST_NAMED: Final = 20
NAMES: Final = re.compile(rb'"match"\s*:\s*"([^"\\]{1,64})"')
COPIES: Final = (".before-restore*", ".schema-*", ".upgrading*", ".inbox/*")
"""What may lie beside a database and hold what was in it."""
MATCHES: Final = """
SELECT match_id, match, bytes_sha256, events, file FROM raw_matches
LEFT JOIN (SELECT match_id, tournament FROM dim_matches) AS about USING (match_id)
WHERE list_contains($names, match) OR list_contains($tournaments, about.tournament) ORDER BY match_id
"""
ASIDES: Final = """
SELECT quarantine_id, match, sha256, size, file, text FROM quarantine
WHERE quarantine_id > $after ORDER BY quarantine_id LIMIT 100
"""
_decompress = zstandard.ZstdDecompressor().decompress


@dataclass(slots=True)
class _Found:
    """All that is known of the matches to forget; asides and receipts by their keys."""

    names: set[str]
    matches: list[int] = field(default_factory=list)
    asides: list[int] = field(default_factory=list)
    receipts: list[str] = field(default_factory=list)
    live: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    digests: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    events: int = 0


def forget(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Forget matches: the operation `forget`. Arguments: names of `matches`, of `tournaments`, `dry_run` to only count.

    Returns the counts `matches`, `events`, `quarantine`, `receipts`, and the lists `names`, `live` (matches that are
    still being written) and `elsewhere` (files that may hold them too). `WarehouseError` for a name that nothing has.
    """
    names, tournaments = arguments.get("matches", []), arguments.get("tournaments", [])
    if arguments.get("dry_run"):
        with told(warehouse.database, warehouse.database), warehouse.reading() as connection:
            return _told_of(_find(connection, names, tournaments, report), warehouse.database)
    with one_at_a_time, warehouse.sole_writer():
        with told(warehouse.database, warehouse.database), warehouse.reading() as connection:
            found = _find(connection, names, tournaments, report)
            change = _without(connection, found)
        new = beside(warehouse.database)
        write_again(warehouse, new, report, change)
        take_place(warehouse, new)
        return _told_of(found, warehouse.database)


def _told_of(found: _Found, database: Path) -> dict[str, Any]:
    database = database.resolve()
    return {
        "matches": len(found.matches),
        "events": found.events,
        "quarantine": len(found.asides),
        "receipts": len(found.receipts),
        "names": sorted(found.seen)[:MOST_NAMED],
        "live": found.live,
        "elsewhere": sorted(str(path) for kind in COPIES for path in database.parent.glob(database.name + kind)),
    }


# --- What there is of them


def _find(
    connection: duckdb.DuckDBPyConnection, names: Sequence[str], tournaments: Sequence[str], report: Report
) -> _Found:
    found = _Found(names=set(names))
    known: set[str] = set()
    wanted = {"names": names, "tournaments": tournaments}
    for match_id, match, digest, events, file in connection.execute(MATCHES, wanted).fetchall():
        found.matches.append(match_id)
        found.names.add(match)
        found.seen.add(match)
        found.digests.add(digest)
        found.files.add(file)
        found.events += events
    if tournaments:
        sql = "SELECT DISTINCT tournament FROM dim_matches WHERE list_contains($tournaments, tournament)"
        known.update(name for (name,) in connection.execute(sql, {"tournaments": tournaments}).fetchall())
    known |= _find_asides(connection, found, tournaments, report)
    _find_marks(connection, found)
    for kind, missing in (("match", set(names) - found.seen), ("tournament", set(tournaments) - known)):
        if missing:
            raise WarehouseError(f"{min(missing)}: no {kind} of this name is here; nothing was forgotten")
    return found


def _find_asides(
    connection: duckdb.DuckDBPyConnection, found: _Found, tournaments: Sequence[str], report: Report
) -> set[str]:
    """Find what was put aside of matches, also where only its text says so; return the tournaments found in texts."""
    headers = {name: _header_of(name) for name in tournaments}
    known: set[str] = set()
    rest: list[tuple[int, str, str, set[str]]] = []

    def add(number: int, digest: str, file: str, names: set[str]) -> None:
        found.asides.append(number)
        found.digests.add(digest)
        found.files.add(file)
        found.seen |= names & found.names

    ((total,),) = connection.execute("SELECT count(*) FROM quarantine").fetchall()
    done = after = 0
    while texts := connection.execute(ASIDES, {"after": after}).fetchall():
        for number, match, digest, size, file, packed in texts:
            text = _decompress(packed, max_output_size=size)
            named = {name.decode(errors="replace") for name in NAMES.findall(text)} | ({match} if match else set())
            inside = {name for name, header in headers.items() if header.search(text)}
            if inside:
                found.names |= named
                known |= inside
            if named & found.names:
                add(number, digest, file, named)
            elif named:
                rest.append((number, digest, file, named))
            after = number
        done += len(texts)
        report({"what": "searching", "done": done, "total": total})
    for number, digest, file, named in rest:
        if named & found.names:  # a text further behind said whose they are
            add(number, digest, file, named)
    return known


def _header_of(tournament: str) -> re.Pattern[bytes]:
    """Return what a first line says of its tournament, in plain letters or in escapes."""
    written = {json.dumps(tournament).encode(), json.dumps(tournament, ensure_ascii=False).encode()}
    return re.compile(rb'"tournament"\s*:\s*(?:' + b"|".join(map(re.escape, sorted(written))) + rb")")


def _find_marks(connection: duckdb.DuckDBPyConnection, found: _Found) -> None:
    """Find receipts that name the matches, and those that are still being written."""
    for receipt, result in connection.execute("SELECT receipt, CAST(result AS VARCHAR) FROM receipts").fetchall():
        if found.names & {name.decode(errors="replace") for name in NAMES.findall(result.encode())}:
            found.receipts.append(receipt)
    live = connection.execute("SELECT live FROM watched_files WHERE live IS NOT NULL").fetchall()
    found.live = sorted(name for (name,) in live if name in found.names)
    found.seen.update(found.live)


# --- A warehouse without them


def _without(connection: duckdb.DuckDBPyConnection, found: _Found) -> Change:
    """Return what takes the place of the tables; a file that held a match is read again when it comes again."""
    ((run,),) = connection.execute("SELECT coalesce(max(run), 0) FROM ingest_runs").fetchall()
    files = connection.execute("SELECT file FROM ingested_files UNION SELECT file FROM watched_files").fetchall()
    forgotten_files = [file for (file,) in files if file in found.files or _stem(file) in found.names]
    frames = {
        "gone_matches": _frame("match_id", found.matches, pl.Int32),
        "gone_asides": _frame("quarantine_id", found.asides, pl.Int32),
        "gone_receipts": _frame("receipt", found.receipts, pl.String),
        "gone_files": _frame("file", forgotten_files, pl.String),
        "gone_live": _frame("live", found.live, pl.String),
        "gone_digests": _frame("bytes_sha256", sorted(found.digests), pl.String).with_columns(
            forgotten_in=pl.lit(run, pl.Int32)
        ),
    }
    relations = {table: f"FROM {table} ANTI JOIN gone_matches USING (match_id)" for table in _about_matches()}
    relations |= {
        "quarantine": "FROM quarantine ANTI JOIN gone_asides USING (quarantine_id)",
        "receipts": "FROM receipts ANTI JOIN gone_receipts USING (receipt)",
        "ingested_files": "FROM ingested_files ANTI JOIN gone_files USING (file)",
        "watched_files": "FROM watched_files ANTI JOIN gone_files USING (file) ANTI JOIN gone_live USING (live)",
        "forgotten_matches": "FROM forgotten_matches UNION ALL (FROM gone_digests ANTI JOIN forgotten_matches "
        "USING (bytes_sha256))",
    }
    return Change(relations, frames)


def _about_matches() -> Iterator[str]:
    for table in event_tables():
        yield table.name
    for made in sql_tables():
        if "match_id" in made.grain and not made.is_view:
            yield made.name


def _frame(name: str, values: Sequence[Any], kind: Any) -> pl.DataFrame:
    return pl.DataFrame({name: values}, schema={name: kind})


def _stem(file: str) -> str:
    """Return the name of a log file without what says how it is written: often the name of its match."""
    name = PurePath(file).name
    return next((name.removesuffix(suffix) for suffix in LOG_SUFFIXES if name.endswith(suffix)), name)


# --- And back again


def allow_again(warehouse: Warehouse, arguments: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Let logs come in again that were forgotten: the operation `allow_again`. Arguments: `paths` of them.

    Returns how many `matches` may. Their files count as never read.
    """
    found = discover(tuple(map(Path, arguments["paths"])))
    digests, files, parts = set[str](), list[str](), Parts(warehouse.database)
    with Gatekeepers(0) as gate, _readable():
        for done, path in enumerate(found.logs):
            report({"what": "reading", "done": done, "total": len(found.logs)})
            parts.refuse(path)
            digests.update(_digests(gate, path))
            with path.open("rb") as file:
                files.append(hashlib.file_digest(file, "sha256").hexdigest())
    with warehouse.writing() as connection:
        connection.begin()
        allowed = connection.execute(
            "DELETE FROM forgotten_matches WHERE list_contains($digests, bytes_sha256) RETURNING 1",
            {"digests": sorted(digests)},
        ).fetchall()
        connection.execute("DELETE FROM ingested_files WHERE list_contains($files, sha256)", {"files": files})
        connection.commit()
    return {"matches": len(allowed)}


@contextmanager
def _readable() -> Iterator[None]:
    """Turn errors of a log that cannot be read into a `WarehouseError`."""
    try:
        yield
    except (OSError, ReadError) as error:
        raise WarehouseError(f"{error}; nothing was changed") from None


def _digests(gate: Gatekeepers, path: Path) -> Iterator[str]:
    for _, checked in gate.check(pieces(path)):
        yield from (match.bytes_sha256 for match in checked.matches)
        yield from (hashlib.sha256(aside.text).hexdigest() for aside in checked.asides)
