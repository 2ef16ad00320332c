"""Events loaded per second, beside DuckDB's bare typed CREATE TABLE AS SELECT over the same lines.

The bare statement checks nothing, quarantines nothing, names nothing. Ours checks every line, keeps every log with its
digest and ends with every table that pages read, its matches waiting to be judged; `raw` is the same without those
marts, `judged` the same with every match decided anew by the rules, beside `all`. Two more beside it: one file
for each match, which the bare statement reads through its own pattern; and a plain loader in one process that reads
line by line with pydantic, the reader of record, into one table with the line as JSON. All write a database file; they
take turns, and the median of the ratios counts.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import polars as pl

from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.log.codec import decode_line
from ingest.pipeline import ingest
from measure import CACHE, median, report, seconds
from played import count_lines, packed_logs, plain_logs, single_logs

AIMS = {
    "raw": ">= 0.7 (0.9)",
    "all": ">= 0.5",
    "judged": ">= 0.45",
    "zstd": ">= 0.9",
    "files": ">= 1.2",
    "pydantic": ">= 2",
}
BATCH = 10_000
PYDANTIC_FILES = 8


def typed_columns(pattern: str) -> str:
    """Return the type of every column, those inside `data` and `action` too, as DuckDB finds them in the lines."""
    with duckdb.connect() as connection:
        found = connection.execute(
            f"DESCRIBE SELECT * FROM read_ndjson('{pattern}', map_inference_threshold=-1, field_appearance_threshold=0)"
        ).fetchall()
    return ", ".join(f"{name}: '{kind.replace(chr(39), chr(39) * 2)}'" for name, kind, *_ in found)


def bare(database: Path, pattern: str, columns: str) -> None:
    """Load the lines as they are, into one typed table."""
    with duckdb.connect(database) as connection:
        connection.execute(f"CREATE TABLE events AS SELECT * FROM read_ndjson('{pattern}', columns={{{columns}}})")


def raw(folder: Path, database: Path) -> None:
    """Ingest without the marts: logs, digests, records and typed events."""
    with patch("ingest.load.load.fill_tables", lambda *_: None):
        ingest([folder], database, judge="later")


def line_by_line(files: list[Path], database: Path, game: Game[Any, Any, Any]) -> None:
    """Load with pydantic alone, on one core, in batches that suit DuckDB."""
    rows: list[tuple[object, ...]] = []
    with duckdb.connect(database, config={"threads": 1}) as connection:
        connection.execute(
            "CREATE TABLE events (match VARCHAR, seq INT, ply INT, round INT, type VARCHAR, seat INT, line JSON)"
        )

        def insert() -> None:
            frame = pl.DataFrame(rows, schema=["match", "seq", "ply", "round", "type", "seat", "line"], orient="row")
            connection.register("frame", frame)
            connection.execute("INSERT INTO events FROM frame")
            rows.clear()

        for file in files:
            for line in file.read_bytes().splitlines(keepends=True):
                entry = decode_line(line, game)
                rows.append((entry.match, entry.seq, entry.ply, entry.round, entry.type, entry.seat, line.decode()))
                if len(rows) == BATCH:
                    insert()
        if rows:
            insert()


def main() -> None:
    """Load the logs every way, pass after pass, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000, help="some 500 events each")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--game", choices=sorted(GAMES), default="caravan")
    given = parser.parse_args()
    packed, plain, single = (of(given.matches, given.game) for of in (packed_logs, plain_logs, single_logs))
    events, columns = count_lines(plain), typed_columns(f"{plain}/*.jsonl")
    some = sorted(plain.iterdir())[:PYDANTIC_FILES]
    share = sum(file.stat().st_size for file in some) / sum(file.stat().st_size for file in plain.iterdir())
    ways: dict[str, Callable[[Path], None]] = {
        "bare": lambda database: bare(database, f"{plain}/*.jsonl", columns),
        "raw": lambda database: raw(plain, database),
        "all": lambda database: ingest([plain], database, judge="later") and None,
        "judged": lambda database: ingest([plain], database) and None,
        "zstd": lambda database: ingest([packed], database, judge="later") and None,
        "bare_files": lambda database: bare(database, f"{single}/*.jsonl", columns),
        "files": lambda database: ingest([single], database, judge="later") and None,
        "pydantic": lambda database: line_by_line(some, database, GAMES[given.game]),
    }
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(given.runs):
        for name, load in ways.items():
            with tempfile.TemporaryDirectory(dir=CACHE) as made:
                took[name].append(seconds(lambda: load(Path(made) / "made.duckdb")))  # noqa: B023

    def ratio(ours: str, beside: str) -> list[float]:
        return [theirs / our for our, theirs in zip(took[ours], took[beside], strict=True)]

    took["pydantic"] = [time / share for time in took["pydantic"]]
    beside = {"raw": "bare", "all": "bare", "judged": "all", "zstd": "all", "files": "bare_files"}
    ratios = {name: ratio(name, other) for name, other in beside.items()} | {"pydantic": ratio("all", "pydantic")}
    report(
        "load",
        aims=AIMS,
        ratio={name: median(each) for name, each in ratios.items()},
        ratios={name: [round(one, 2) for one in each] for name, each in ratios.items()},
        events=events,
        events_per_s={name: round(events / median(each, 6)) for name, each in took.items()},
    )


if __name__ == "__main__":
    main()
