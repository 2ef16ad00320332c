"""Golden tables: every row that SQL derives from some matches of each game, written by `python -m tests.golden.tables`.

Review the diff of these files like a diff of the SQL. The files identify matches by name, and cohorts by their first
seat.
"""

import csv
import io
import os
import tempfile
from pathlib import Path
from typing import Any

import duckdb

from himalaya_core.games import GAMES
from ingest.pipeline import ingest
from ingest.tables.definitions import SqlTable, sql_tables
from tests.ingest.helping import FIVE, ROPE, SIX, VARIANTS, climbers_log, log, summit_log, write
from tests.once import FOLDER

TABLES = Path(__file__).with_name("tables")
NAMES = {"match_id": "match", "cohort": "cohort"}
LEFT_OUT = {"file"}
"""Columns that depend on where the logs are stored."""


def logs() -> dict[str, dict[str, tuple[bytes, ...]]]:
    """Return the logs of matches by game and name: every number of players, clear and close wins, rare events."""
    return {
        "caravan": {
            "c.stupas-decide": log("c.stupas-decide", ("pilgrim", "envoy", "trader", "greedy"), "league/8"),
            "c.recount-decides": log("c.recount-decides", ("envoy", "trader", "balanced", "pilgrim"), "league/15"),
            "c.three": log("c.three", ("random",) * 3, "golden-3"),
            "c.four-advanced": log("c.four-advanced", ("random",) * 4, "v.4.1", VARIANTS),
            "c.five-tokens": log("c.five-tokens", FIVE, "five/40", ("tokens",)),
            "c.six-advanced": log("c.six-advanced", SIX, "v.6", VARIANTS),
        },
        "summit": {
            "s.two": summit_log("s.two", ("random",) * 2, "golden-27"),
            "s.two-players": summit_log("s.two-players", ("racer", "porter"), "golden-26"),
            "s.left-behind": summit_log("s.left-behind", ("porter", "racer", "greedy"), "luck-29"),
            "s.four": summit_log("s.four", ROPE, "golden-26"),
            "s.five": summit_log("s.five", ("random",) * 5, "golden-27"),
            "s.four-random": summit_log("s.four-random", ("random",) * 4, "golden-27"),
        },
        "climbers": {
            "k.two": climbers_log("k.two", ("random",) * 2, "luck-1"),
            "k.two-greedy": climbers_log("k.two-greedy", ("greedy", "greedy"), "luck-3"),
            "k.three": climbers_log("k.three", ("greedy", "greedy", "random"), "luck-10"),
            "k.four": climbers_log("k.four", ("random",) * 4, "luck-12"),
            "k.five": climbers_log("k.five", ("random",) * 5, "luck-8"),
            "k.five-greedy": climbers_log("k.five-greedy", ("greedy",) * 5, "luck-11"),
            "k.five-blocked": climbers_log("k.five-blocked", ("random",) * 5, "luck-3"),
        },
    }


def tables(game: str) -> list[SqlTable]:
    """Return the dimension and fact tables of a game; `himalaya check` compares the sums with these tables."""
    kept = ("dim_", f"fct_{game}_")
    return [table for table in sql_tables() if (table.fill or table.is_view) and table.name.startswith(kept)]


def rows(database: Path, game: str) -> dict[str, str]:
    """Return the rows of each derived table as CSV, in the order of its grain."""
    with duckdb.connect(str(database), read_only=True) as connection:
        names: dict[str, dict[int, str]] = {
            "match_id": dict(connection.execute("SELECT match_id, match FROM raw_matches").fetchall()),
            "cohort": dict(
                connection.execute(
                    "SELECT cohort, arg_min(match || ':' || seat, (match, seat)) FROM dim_seats JOIN raw_matches"
                    " USING (match_id) WHERE cohort IS NOT NULL GROUP BY cohort"
                ).fetchall()
            ),
        }
        return {table.name: _csv(connection, table, names) for table in tables(game)}


def _csv(connection: duckdb.DuckDBPyConnection, table: SqlTable, names: dict[str, dict[int, str]]) -> str:
    found = connection.execute(f"FROM {table.name}")
    columns = [name for name, *_ in found.description or ()]
    kept = [number for number, name in enumerate(columns) if name not in LEFT_OUT]
    by = [names.get(columns[number]) for number in kept]
    grain = [kept.index(columns.index(name)) for name in table.grain]
    written: list[list[str]] = [
        [_text(row[number], name) for number, name in zip(kept, by, strict=True)] for row in found.fetchall()
    ]
    written.sort(key=lambda row: [_order(row[number]) for number in grain])
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(NAMES.get(columns[number], columns[number]) for number in kept)
    writer.writerows(written)
    return file.getvalue()


def _text(value: Any, names: dict[int, str] | None) -> str:
    """Return a value as text: NULL as empty, ids as names, and floats with nine digits."""
    if value is None:
        return ""
    return names[value] if names else f"{value:.9g}" if isinstance(value, float) else str(value)


def _order(text: str) -> tuple[bool, int, str]:
    return (not text.isdigit(), int(text) if text.isdigit() else 0, text)


def load(game: str, folder: Path) -> Path:
    """Load the matches of a game into a new warehouse."""
    database = folder / f"{game}.duckdb"
    ingest([write(folder / f"{game}.jsonl", *logs()[game].values())], database, processes=0)
    return database


def main() -> None:
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            os.environ.setdefault(FOLDER, folder)
            found = rows(load(game, Path(folder)), game)
        (TABLES / game).mkdir(parents=True, exist_ok=True)
        for table, text in found.items():
            (TABLES / game / f"{table}.csv").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
