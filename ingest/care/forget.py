"""Forgets matches: deletes their logs and every row about them, and keeps only tombstones (`ingest.load.tombstones`).

The warehouse is written again without them, and the new file replaces the one in use in one step. So whenever this is
killed, a match is there completely or not at all, and no free block of the file holds anything of it.
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

from himalaya_core.files import LOG_SUFFIXES
from himalaya_core.names import did_you_mean
from ingest.care.backup import beside, take_place
from ingest.care.rewrite import Change, one_at_a_time, told, write_again
from ingest.errors import ReadError, WarehouseError
from ingest.load.tombstones import first_line_of, tombstoned
from ingest.packed import unpack
from ingest.read.discover import discover
from ingest.read.lines import pieces
from ingest.read.source import Parts
from ingest.tables.definitions import sql_tables, stored_event_tables
from ingest.validate.pool import ValidationPool
from ingest.warehouse import Report, Warehouse

__all__ = ["allow_again", "forget", "forget_again"]

MOST_NAMED: Final = 20
NAMES: Final = re.compile(rb'"match"\s*:\s*"([^"\\]{1,64})"')
COPIES: Final = (".before-restore*", ".schema-*", ".upgrading*", ".inbox/*")
"""What may lie beside a database and hold what was in it."""
MATCHES: Final = """
SELECT match_id, match, events, file FROM raw_matches
LEFT JOIN (SELECT match_id, tournament FROM dim_matches) AS about USING (match_id)
WHERE list_contains($names, match) OR list_contains($tournaments, about.tournament) ORDER BY match_id
"""
KEPT: Final = "SELECT match, bytes_sha256, lines FROM raw_matches WHERE match_id BETWEEN $first AND $last"
LOGS: Final = """
SELECT bytes_sha256, lines FROM raw_matches
WHERE match_id BETWEEN $first AND $last AND list_contains($ids, match_id)
"""
SLICE: Final = 100
"""Texts that are searched at once."""
HANDED_IN: Final = """
SELECT draft, change->>'$.handed_in.match' FROM draft_changes WHERE (change->'handed_in') IS NOT NULL
"""
QUARANTINED: Final = """
SELECT quarantine_id, match, sha256, size, file, text FROM quarantine
WHERE quarantine_id > $after ORDER BY quarantine_id LIMIT $most
"""


@dataclass(frozen=True, slots=True)
class _QuarantinedText:
    """A text in quarantine, the matches it names, and those that its first line names."""

    number: int
    sha256: str
    file: str
    names: set[str]
    first_names: set[str]
    first_line_sha256: str


@dataclass(slots=True)
class _Found:
    """Everything about the matches to forget; rows of quarantine and receipts by their keys."""

    names: set[str]
    matches: list[int] = field(default_factory=list)
    quarantined: list[int] = field(default_factory=list)
    receipts: list[str] = field(default_factory=list)
    live: list[str] = field(default_factory=list)
    bookmarks: int = 0
    branches: int = 0
    drafts: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    digests: dict[str, str | None] = field(default_factory=dict)
    """Those of texts, and of their first lines."""
    seen: set[str] = field(default_factory=set)
    events: int = 0

    def take(self, text_row: _QuarantinedText) -> bool:
        """Add a text of quarantine if it is of one of the matches; return whether it is."""
        if not (names := text_row.names & self.names):
            return False
        self.quarantined.append(text_row.number)
        self.digests[text_row.sha256] = text_row.first_line_sha256 if text_row.first_names & self.names else None
        self.files.add(text_row.file)
        self.seen |= names
        return True


def forget(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Forget matches: the operation `forget`. Arguments: names of `matches`, of `tournaments`, `dry_run` to only count.

    Returns the counts `matches`, `events`, `quarantine`, `receipts`, `bookmarks`, `branches`, `drafts` (recordings that
    were handed in as one of the matches), and the lists `names`, `live` (matches that are still being written) and
    `elsewhere` (files that may hold them too). `WarehouseError` for a name that nothing has.
    """
    names, tournaments = arguments.get("matches", []), arguments.get("tournaments", [])
    if arguments.get("dry_run"):
        with told(warehouse.database, warehouse.database), warehouse.reading() as connection:
            return _told_of(_find(connection, names, tournaments, report), warehouse.database)
    with one_at_a_time, warehouse.sole_writer():
        with told(warehouse.database, warehouse.database), warehouse.reading() as connection:
            found = _find(connection, names, tournaments, report)
            change = _without(connection, found)
        _rewrite(warehouse, change, report)
        return _told_of(found, warehouse.database)


def forget_again(warehouse: Warehouse, report: Report) -> dict[str, int] | None:
    """Forget what the tombstones in a warehouse stand for: it is a copy, older than they are.

    Returns the rows that are left, by table; `None` if there was nothing to forget, and nothing was done.
    """
    with warehouse.sole_writer():
        with told(warehouse.database, warehouse.database), warehouse.reading() as connection:
            names, nameless = _marked(connection, report)
            if not names and not nameless:
                return None
            found = _find(connection, sorted(names), (), report)
            found.quarantined += sorted(nameless - set(found.quarantined))
            change = _without(connection, found)
        return _rewrite(warehouse, change, report)


def _rewrite(warehouse: Warehouse, change: Change, report: Report) -> dict[str, int]:
    new = beside(warehouse.database)
    rows = write_again(warehouse, new, report, change)
    take_place(warehouse, new)
    return rows


def _told_of(found: _Found, database: Path) -> dict[str, Any]:
    database = database.resolve()
    return {
        "matches": len(found.matches),
        "events": found.events,
        "quarantine": len(found.quarantined),
        "receipts": len(found.receipts),
        "bookmarks": found.bookmarks,
        "branches": found.branches,
        "drafts": len(found.drafts),
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
    for match_id, match, events, file in connection.execute(MATCHES, wanted).fetchall():
        found.matches.append(match_id)
        found.names.add(match)
        found.seen.add(match)
        found.files.add(file)
        found.events += events
    if tournaments:
        sql = "SELECT DISTINCT tournament FROM dim_matches WHERE list_contains($tournaments, tournament)"
        known.update(name for (name,) in connection.execute(sql, {"tournaments": tournaments}).fetchall())
    known |= _find_quarantined(connection, found, tournaments, report)
    _find_marks(connection, found)
    for kind, missing in (("match", set(names) - found.seen), ("tournament", set(tournaments) - known)):
        if missing:
            near = did_you_mean(min(missing), _tournaments(connection)) if kind == "tournament" else ""
            raise WarehouseError(f"{min(missing)}: no {kind} of this name is here; nothing was forgotten{near}")
    return found


def _tournaments(connection: duckdb.DuckDBPyConnection) -> list[str]:
    sql = "SELECT DISTINCT tournament FROM dim_matches WHERE tournament IS NOT NULL ORDER BY 1"
    return [name for (name,) in connection.execute(sql).fetchall()]


def _find_quarantined(
    connection: duckdb.DuckDBPyConnection, found: _Found, tournaments: Sequence[str], report: Report
) -> set[str]:
    """Find texts of the matches in quarantine, by name and by content; return the tournaments found in texts."""
    headers = {name: _header_of(name) for name in tournaments}
    known: set[str] = set()
    rest: list[_QuarantinedText] = []
    ((total,),) = connection.execute("SELECT count(*) FROM quarantine").fetchall()
    done = after = 0
    while texts := connection.execute(QUARANTINED, {"after": after, "most": SLICE}).fetchall():
        for number, match, digest, size, file, packed in texts:
            text = unpack(packed, max_output_size=size)
            named = _named(text) | ({match} if match else set())
            inside = {name for name, header in headers.items() if header.search(text)}
            if inside:
                found.names |= named
                known |= inside
            text_row = _QuarantinedText(
                number, digest, file, named, _named(text.partition(b"\n")[0]), first_line_of(text)
            )
            if not found.take(text_row):
                rest.append(text_row)
            after = number
        done += len(texts)
        report({"what": "searching", "done": done, "total": total})
    for text_row in rest:
        found.take(text_row)  # a later text may have said to which match it belongs
    return known


def _named(text: bytes) -> set[str]:
    return {name.decode(errors="replace") for name in NAMES.findall(text)}


def _header_of(tournament: str) -> re.Pattern[bytes]:
    """Return what a first line says of its tournament, in plain letters or in escapes."""
    written = {json.dumps(tournament).encode(), json.dumps(tournament, ensure_ascii=False).encode()}
    return re.compile(rb'"tournament"\s*:\s*(?:' + b"|".join(map(re.escape, sorted(written))) + rb")")


def _find_marks(connection: duckdb.DuckDBPyConnection, found: _Found) -> None:
    """Find receipts that name the matches, their bookmarks, branches and drafts, and which are still being written."""
    for receipt, result in connection.execute("SELECT receipt, CAST(result AS VARCHAR) FROM receipts").fetchall():
        if found.names & _named(result.encode()):
            found.receipts.append(receipt)
    live = connection.execute("SELECT live FROM watched_files WHERE live IS NOT NULL").fetchall()
    found.live = sorted(name for (name,) in live if name in found.names)
    found.seen.update(found.live)
    for table in ("bookmarks", "branches"):
        for name, marks in connection.execute(f"SELECT match, count(*) FROM {table} GROUP BY match").fetchall():
            if name in found.names:
                setattr(found, table, getattr(found, table) + marks)
                found.seen.add(name)
    for draft, name in connection.execute(HANDED_IN).fetchall():
        if name in found.names:
            found.drafts.add(draft)
            found.seen.add(name)


def _marked(connection: duckdb.DuckDBPyConnection, report: Report) -> tuple[set[str], set[int]]:
    """Return the matches that tombstones stand for, and the numbers of texts in quarantine that name no match."""
    names, nameless = set[str](), set[int]()
    ((marks,),) = connection.execute("SELECT count(*) FROM forgotten_matches").fetchall()
    ((last,),) = connection.execute("SELECT coalesce(max(match_id), 0) FROM raw_matches").fetchall()
    for first in range(1, last + 1, SLICE) if marks else ():
        report({"what": "searching", "done": first - 1, "total": last})
        rows = connection.execute(KEPT, {"first": first, "last": first + SLICE - 1}).fetchall()
        out = tombstoned(connection, ((digest, unpack(lines)) for _, digest, lines in rows))
        names.update(match for match, digest, _ in rows if digest in out)
    after = 0
    while marks and (rows := connection.execute(QUARANTINED, {"after": after, "most": SLICE}).fetchall()):
        texts = ((digest, unpack(text, max_output_size=size)) for _, _, digest, size, _, text in rows)
        out = tombstoned(connection, texts)
        names.update(match for _, match, digest, *_ in rows if match and digest in out)
        nameless.update(number for number, match, digest, *_ in rows if not match and digest in out)
        after = rows[-1][0]
    return names, nameless


# --- A warehouse without them


def _without(connection: duckdb.DuckDBPyConnection, found: _Found) -> Change:
    """Return the contents of the tables without them; files that held one of the matches count as never read."""
    ((run,),) = connection.execute("SELECT coalesce(max(run), 0) FROM ingest_runs").fetchall()
    files = connection.execute("SELECT file FROM ingested_files UNION SELECT file FROM watched_files").fetchall()
    forgotten_files = [file for (file,) in files if file in found.files or _stem(file) in found.names]
    logs = dict(_first_lines(connection, found.matches))
    frames = {
        "gone_matches": _frame("match_id", found.matches, pl.Int32),
        "batch": _frame("match_id", found.matches, pl.Int32),
        "gone_quarantine": _frame("quarantine_id", found.quarantined, pl.Int32),
        "gone_receipts": _frame("receipt", found.receipts, pl.String),
        "gone_files": _frame("file", forgotten_files, pl.String),
        "gone_live": _frame("live", found.live, pl.String),
        "gone_drafts": _frame("id", sorted(found.drafts), pl.String),
        "gone_names": _frame("match", sorted(found.names), pl.String),
        "gone_digests": pl.DataFrame(
            [(digest, first_line, run) for digest, first_line in sorted((found.digests | logs).items())],
            schema={"bytes_sha256": pl.String, "first_line_sha256": pl.String, "forgotten_in": pl.Int32},
            orient="row",
        ),
    }
    relations = {table: f"FROM {table} ANTI JOIN gone_matches USING (match_id)" for table in _about_matches(connection)}
    relations |= {table.name: table.sums.without for table in sql_tables() if table.sums}
    relations |= {
        "dim_cohorts": "FROM dim_cohorts SEMI JOIN (FROM dim_seats ANTI JOIN gone_matches USING (match_id)) "
        "USING (cohort)",
        "quarantine": "FROM quarantine ANTI JOIN gone_quarantine USING (quarantine_id)",
        "receipts": "FROM receipts ANTI JOIN gone_receipts USING (receipt)",
        "bookmarks": "FROM bookmarks ANTI JOIN gone_names USING (match)",
        "branches": "FROM branches ANTI JOIN gone_names USING (match)",
        "drafts": "FROM drafts ANTI JOIN gone_drafts USING (id)",
        "draft_changes": "FROM draft_changes ANTI JOIN gone_drafts ON draft = id",
        "ingested_files": "FROM ingested_files ANTI JOIN gone_files USING (file)",
        "watched_files": "FROM watched_files ANTI JOIN gone_files USING (file) ANTI JOIN gone_live USING (live)",
        "forgotten_matches": "FROM forgotten_matches UNION ALL (FROM gone_digests ANTI JOIN forgotten_matches "
        "USING (bytes_sha256))",
    }
    return Change(relations, frames)


def _first_lines(connection: duckdb.DuckDBPyConnection, match_ids: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield of the logs of matches the digest, and that of the first line."""
    for start in range(0, len(match_ids), SLICE):
        ids = match_ids[start : start + SLICE]
        for digest, lines in connection.execute(LOGS, {"first": ids[0], "last": ids[-1], "ids": ids}).fetchall():
            yield digest, first_line_of(unpack(lines))


def _about_matches(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield from stored_event_tables(connection)
    for made in sql_tables():
        if made.is_about_matches:
            yield made.name


def _frame(name: str, values: Sequence[Any], kind: Any) -> pl.DataFrame:
    return pl.DataFrame({name: values}, schema={name: kind})


def _stem(file: str) -> str:
    """Return the name of a log file without what says how it is written: often the name of its match."""
    name = PurePath(file).name
    return next((name.removesuffix(suffix) for suffix in LOG_SUFFIXES if name.endswith(suffix)), name)


# --- And back again


def allow_again(warehouse: Warehouse, arguments: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Remove the tombstones of logs, so that they can be loaded again: the operation `allow_again`.

    Arguments: `paths` of the logs, or of the beginnings of them. Returns the number of `matches`. The files count as
    never read.
    """
    found = discover(tuple(map(Path, arguments["paths"])))
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
    """Turn errors of a log that cannot be read into a `WarehouseError`."""
    try:
        yield
    except (OSError, ReadError) as error:
        raise WarehouseError(f"{error}; nothing was changed") from None


def _texts(pool: ValidationPool, path: Path) -> Iterator[bytes]:
    for _, checked in pool.check(pieces(path)):
        yield from (unpack(match.lines) for match in checked.matches)
        yield from (each.text for each in checked.rejections)
