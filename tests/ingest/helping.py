"""Logs for the tests of ingest, and a look into the warehouse they came to."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import zstandard

from himalaya_core.arena.record import Pairing, play
from himalaya_core.boards import shipped_board
from himalaya_core.games import GAMES

FOUR = ("trader", "pilgrim", "greedy", "random")
THREE = ("envoy", "trader", "random")


FIVE = (*FOUR, "envoy")
SIX = (*FIVE, "balanced")
VARIANTS = ("tokens", "full_inventory", "village_cards")
ROPE = ("porter", "racer", "greedy", "random")
"""Players of summit."""
PARTY = ("greedy", "random", "random")
"""Players of climbers, of the quick ones."""


@cache
def log(
    match: str = "m.1", players: tuple[str, ...] = FOUR, luck: str = "", options: tuple[str, ...] = ()
) -> tuple[bytes, ...]:
    """Return the lines of a match played to its end, with some options switched on."""
    pairing = Pairing(match, players, luck or match)
    _, lines = play(GAMES["caravan"], shipped_board("caravan"), dict.fromkeys(options, True), pairing)
    return tuple(lines.splitlines(keepends=True))


@cache
def summit_log(match: str = "s.1", players: tuple[str, ...] = ROPE, luck: str = "") -> tuple[bytes, ...]:
    """Return the lines of a match of summit played to its end."""
    _, lines = play(GAMES["summit"], shipped_board("summit"), {}, Pairing(match, players, luck or match))
    return tuple(lines.splitlines(keepends=True))


@cache
def climbers_log(match: str = "k.1", players: tuple[str, ...] = PARTY, luck: str = "") -> tuple[bytes, ...]:
    """Return the lines of a match of climbers played to its end."""
    _, lines = play(GAMES["climbers"], shipped_board("climbers"), {}, Pairing(match, players, luck or match))
    return tuple(lines.splitlines(keepends=True))


def write(path: Path, *logs: Sequence[bytes]) -> Path:
    path.write_bytes(b"".join(line for lines in logs for line in lines))
    return path


def rows(database: Path, sql: str) -> list[Any]:
    """Return the rows of a query; those of one column as values."""
    with duckdb.connect(str(database), read_only=True) as connection:
        found = connection.execute(sql).fetchall()
    return [row[0] for row in found] if found and len(found[0]) == 1 else found


RUNS = ["run", "ingested_in", "resolved_in", "forgotten_in", "started_at"]


def contents(database: Path, *but: str, by_match: bool = False) -> dict[str, list[Any]]:
    """Return all rows of all tables but some, sorted; the columns that say in which run something happened left out.

    Cohorts are named by what they are, not by their numbers, and `by_match` names matches by their names.
    """
    columns = (
        "SELECT table_name, list('\"' || column_name || '\"' ORDER BY column_index) FROM duckdb_columns() "
        "SEMI JOIN duckdb_tables() USING (table_name) WHERE NOT list_contains($runs, column_name) GROUP BY 1 ORDER BY 1"
    )
    with duckdb.connect(str(database), read_only=True) as connection:
        found: dict[str, list[Any]] = dict(connection.execute(columns, {"runs": RUNS}).fetchall())
        named = {'"cohort"': "(SELECT kind FROM kinds WHERE kinds.cohort = {}.cohort)"}
        if by_match:
            named['"match_id"'] = "(SELECT match FROM raw_matches AS named WHERE named.match_id = {}.match_id)"
        if "dim_cohorts" in found:
            found["dim_cohorts"].remove('"cohort"')
            kind = f"({', '.join(found['dim_cohorts'])})::VARCHAR"
            connection.execute(f"CREATE TEMP TABLE kinds AS SELECT cohort, {kind} AS kind FROM dim_cohorts")
        for table, what in found.items():
            select = ", ".join(named[each].format(table) if each in named else each for each in what)
            found[table] = sorted(connection.execute(f"SELECT {select} FROM {table}").fetchall(), key=repr)
        return {table: rows for table, rows in found.items() if table not in but}


def quarantined_texts(database: Path, where: str = "") -> list[bytes]:
    """Return the texts in quarantine."""
    sql = f"SELECT text FROM quarantine {where} ORDER BY quarantine_id"
    return [zstandard.decompress(text) for text in rows(database, sql)]
