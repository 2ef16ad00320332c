"""Logs for the tests of ingest, and functions to read the resulting warehouse."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import zstandard

from himalaya_core.boards import shipped_board
from himalaya_core.games import GAMES
from himalaya_core.tournament.plan import Pairing, play
from ingest.app_store import AppStore, store_file
from ingest.read.split import Named, SmallFiles
from tests.once import once_written

FOUR = ("trader", "pilgrim", "greedy", "random")
THREE = ("envoy", "trader", "random")


FIVE = (*FOUR, "envoy")
SIX = (*FIVE, "balanced")
VARIANTS = ("tokens", "full_inventory", "village_cards")
ROPE = ("porter", "racer", "greedy", "random")
"""Players of summit."""
PARTY = ("greedy", "random", "random")
"""Players of climbers, all of them fast."""
LINES = 60
"""Number of lines of a match that has just begun."""


@cache
def log(
    match: str = "m.1", players: tuple[str, ...] = FOUR, luck: str = "", options: tuple[str, ...] = ()
) -> tuple[bytes, ...]:
    """Play a match to its end with some options, and return its log lines."""
    return _played("caravan", Pairing(match, players, luck or match), options)


def live(match: str = "m.1", players: tuple[str, ...] = FOUR, luck: str = "") -> tuple[bytes, ...]:
    """Return the first lines of an unfinished match; loading them takes half as long as a whole match."""
    return log(match, players, luck)[:LINES]


def begun(match: str = "m.1", players: tuple[str, ...] = PARTY, luck: str = "") -> tuple[bytes, ...]:
    """Return the first lines of an unfinished match of climbers, which is the fastest to load."""
    lines = climbers_log(match, players, luck)
    assert len(lines) > LINES, "the match is over by then"
    return lines[:LINES]


def short(match: str = "m.1", luck: str = "") -> tuple[bytes, ...]:
    """Return the lines of a short finished match of climbers."""
    return climbers_log(match, PARTY, luck)


@cache
def summit_log(match: str = "s.1", players: tuple[str, ...] = ROPE, luck: str = "") -> tuple[bytes, ...]:
    """Return the lines of a finished match of summit."""
    return _played("summit", Pairing(match, players, luck or match))


@cache
def climbers_log(match: str = "k.1", players: tuple[str, ...] = PARTY, luck: str = "") -> tuple[bytes, ...]:
    """Return the lines of a finished match of climbers."""
    return _played("climbers", Pairing(match, players, luck or match))


def _played(game: str, pairing: Pairing, options: tuple[str, ...] = ()) -> tuple[bytes, ...]:
    def lines() -> bytes:
        return play(GAMES[game], shipped_board(game), dict.fromkeys(options, True), pairing)[1]

    return tuple(once_written(f"{game} {pairing} {options}", lines).splitlines(keepends=True))


def each_alone(files: Iterable[tuple[Named, int]]) -> Iterator[SmallFiles]:
    """Like `grouped`, but puts each small file into a separate group."""
    return (SmallFiles((named,), size) for named, size in files)


def write(path: Path, *logs: Sequence[bytes]) -> Path:
    path.write_bytes(b"".join(line for lines in logs for line in lines))
    return path


@cache
def _looking() -> duckdb.DuckDBPyConnection:
    """Return a shared connection for reading warehouses: DuckDB takes 20 ms to start, but 3 ms to attach a file."""
    return duckdb.connect(config={"threads": 1})


@contextmanager
def looked_into(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a warehouse for reading; it must not be open elsewhere in this process."""
    with _looking().cursor() as connection:
        name = f"looked_into_{next(_numbers)}"
        connection.execute("ATTACH '{}' AS {} (TYPE duckdb, READ_ONLY)".format(str(database).replace("'", "''"), name))
        try:
            connection.execute(f"USE {name}")
            yield connection
        finally:
            connection.execute(f"USE memory; DETACH {name}")


_numbers = count()


def rows(database: Path, sql: str) -> list[Any]:
    """Return the rows of a query; for a single column, its values."""
    with looked_into(database) as connection:
        found = connection.execute(sql).fetchall()
    return [row[0] for row in found] if found and len(found[0]) == 1 else found


def noted(database: Path, sql: str) -> list[Any]:
    """Query the app store of a warehouse or backup; return the rows, or for a single column its values."""
    packed = rows(database, "SELECT contents FROM app_store")
    store = AppStore(contents=packed[0]) if packed and packed[0] else AppStore(store_file(database))
    with closing(store), store.reading() as connection:
        found = connection.execute(sql).fetchall()
    return [row[0] for row in found] if found and len(found[0]) == 1 else found


NOTES = ("bookmarks", "branches", "draft_changes", "drafts", "studies", "tokens")
RUNS = ["run", "ingested_in", "resolved_in", "forgotten_in", "started_at"]


def contents(database: Path, *but: str, by_match: bool = False) -> dict[str, list[Any]]:
    """Return all rows of all tables except some, sorted and without columns about the run that loaded them.

    The tables of the app store are included, except the audit log. Cohorts are identified by their properties instead
    of ids, and with `by_match` matches by their names.
    """
    but = (*but, "app_store")
    columns = (
        "SELECT table_name, list('\"' || column_name || '\"' ORDER BY column_index) FROM duckdb_columns() "
        "SEMI JOIN duckdb_tables() USING (database_name, table_name) "
        "WHERE database_name = current_database() AND NOT list_contains($runs, column_name) GROUP BY 1 ORDER BY 1"
    )
    sizes = "SELECT table_name, estimated_size FROM duckdb_tables() WHERE database_name = current_database()"
    with looked_into(database) as connection:
        found: dict[str, list[Any]] = dict(connection.execute(columns, {"runs": RUNS}).fetchall())
        size = dict(connection.execute(sizes).fetchall())  # an upper bound; running a query takes longer
        named: dict[str, dict[int, str]] = {}
        if by_match:
            named['"match_id"'] = dict(connection.execute("SELECT match_id, match FROM raw_matches").fetchall())
        if "dim_cohorts" in found:
            found["dim_cohorts"].remove('"cohort"')
            kind = f"({', '.join(found['dim_cohorts'])})::VARCHAR"
            named['"cohort"'] = dict(connection.execute(f"SELECT cohort, {kind} FROM dim_cohorts").fetchall())
        for table, what in found.items():
            if table not in but:
                sql = f"SELECT {', '.join(what)} FROM {table}"
                there = connection.execute(sql).fetchall() if size[table] else []
                found[table] = sorted(_with_names(there, what, named), key=repr)
    is_packed = "app_store" in found and rows(database, "FROM app_store WHERE contents IS NOT NULL")
    has_store = is_packed or ("app_store" in found and store_file(database).exists())
    notes = {table: sorted(noted(database, f"SELECT * FROM {table}"), key=repr) if has_store else [] for table in NOTES}
    return {table: there for table, there in (found | notes).items() if table not in but}


def _with_names(rows: list[Any], columns: list[str], named: dict[str, dict[int, str]]) -> list[Any]:
    """Return rows with ids replaced by names."""
    if not named.keys() & columns:
        return rows
    names = [named.get(column) for column in columns]
    return [tuple(value if by is None else by.get(value) for value, by in zip(row, names, strict=True)) for row in rows]


def quarantined_texts(database: Path, where: str = "") -> list[bytes]:
    """Return the quarantined texts."""
    sql = f"SELECT text FROM quarantine {where} ORDER BY quarantine_id"
    return [zstandard.decompress(text) for text in rows(database, sql)]
