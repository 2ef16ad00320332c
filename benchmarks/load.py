"""Events loaded per second by `himalaya ingest`, relative to DuckDB loading the same lines.

Every variant is a separate process, timed from start to end, that writes a database file. They alternate, and the
median of the ratios is reported.

DuckDB's variants are one statement each and check nothing: `typed` has a typed column for every field of `data` and
`action`; `json` keeps these two as JSON text, as most people would.

Ours: `default` checks every line, verifies every match, keeps every log with its digest, and fills every table that
pages read. `unverified` leaves verification for later. `raw` also leaves out the marts. Two more variants are
unverified: one file per match, which DuckDB reads by a pattern; and a simple loader that reads each line with pydantic,
the reference reader, into one table with the line as JSON.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import polars as pl

from himalaya_core.games import GAMES
from himalaya_core.log.codec import decode_line
from measure import CACHE, median, report, seconds
from played import count_lines, multiplied_logs, packed_logs, plain_logs, single_logs

AIMS = {
    "default": ">= 0.4",
    "unverified": ">= 0.9",
    "raw": ">= 1.2",
    "raw_json": ">= 0.35",
    "zstd": ">= 0.9",
    "files": ">= 2",
    "pydantic": ">= 2",
}
BATCH = 10_000
PYDANTIC_FILES = 8
ENVELOPE = "match: 'VARCHAR', seq: 'INTEGER', ply: 'INTEGER', round: 'INTEGER', type: 'VARCHAR', seat: 'INTEGER'"
AS_JSON = f"{ENVELOPE}, data: 'JSON', action: 'JSON'"
BARE = """
import sys, duckdb
_, columns, pattern, database = sys.argv
with duckdb.connect(database) as connection:
    connection.execute(f"CREATE TABLE events AS SELECT * FROM read_ndjson('{pattern}', columns={{{columns}}})")
"""
RAW = """
import builtins, sys
from himalaya_core.cli.main import run_and_exit

known = builtins.__import__

def without_marts(name, *rest):
    found = known(name, *rest)
    if name == "ingest.cli.loading":  # which the command imports late, with all that loads
        sys.modules["ingest.load.load"].fill_tables = lambda *_: None
    return found

builtins.__import__ = without_marts
run_and_exit()
"""
OURS = [str(Path(sys.executable).with_name("himalaya"))]
LATER = ["--judge", "later"]


def typed_columns(pattern: str) -> str:
    """Return DuckDB's detected type of every column, including those inside `data` and `action`."""
    with duckdb.connect() as connection:
        found = connection.execute(
            f"DESCRIBE SELECT * FROM read_ndjson('{pattern}', map_inference_threshold=-1, field_appearance_threshold=0)"
        ).fetchall()
    return ", ".join(f"{name}: '{kind.replace(chr(39), chr(39) * 2)}'" for name, kind, *_ in found)


def bare(columns: str, folder: Path) -> list[str]:
    """Return the command that loads the lines into one table without checks."""
    return [sys.executable, "-c", BARE, columns, f"{folder}/*.jsonl"]


def loaded(folder: Path, database: Path, game: str) -> None:
    """Load files with pydantic only, on one core, in batches of a size that suits DuckDB."""
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

        for file in some_of(folder):
            for line in file.read_bytes().splitlines(keepends=True):
                entry = decode_line(line, GAMES[game])
                rows.append((entry.match, entry.seq, entry.ply, entry.round, entry.type, entry.seat, line.decode()))
                if len(rows) == BATCH:
                    insert()
        if rows:
            insert()


def some_of(folder: Path) -> list[Path]:
    """Return a subset of the files, for the slowest loader."""
    return sorted(folder.iterdir())[:PYDANTIC_FILES]


def main() -> None:
    """Alternate all ways to load the logs, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000, help="some 500 events each")
    parser.add_argument("--times", type=int, default=1, help="each match of caravan so many times over")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--game", choices=sorted(GAMES), default="caravan")
    given = parser.parse_args()
    packed, plain, single = (of(given.matches, given.game) for of in (packed_logs, plain_logs, single_logs))
    if given.times > 1:
        plain = multiplied_logs(given.matches, given.times)
    typed = typed_columns(f"{plain}/*.jsonl")
    ways = {
        "typed": bare(typed, plain),
        "json": bare(AS_JSON, plain),
        "default": [*OURS, "ingest", str(plain), "--db"],
        "unverified": [*OURS, "ingest", str(plain), *LATER, "--db"],
        "raw": [sys.executable, "-c", RAW, "ingest", str(plain), *LATER, "--db"],
    }
    if given.times == 1:
        ways |= {
            "zstd": [*OURS, "ingest", str(packed), *LATER, "--db"],
            "typed_files": bare(typed, single),
            "files": [*OURS, "ingest", str(single), *LATER, "--db"],
            "pydantic": [sys.executable, __file__, "--loader", given.game, str(plain)],
        }
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(given.runs):
        for name, command in ways.items():
            with tempfile.TemporaryDirectory(dir=CACHE) as made:
                whole = [*command, f"{made}/made.duckdb"]
                took[name].append(seconds(lambda: subprocess.run(whole, check=True, capture_output=True)))  # noqa: B023
    share = sum(file.stat().st_size for file in some_of(plain)) / sum(file.stat().st_size for file in plain.iterdir())
    if "pydantic" in took:
        took["pydantic"] = [time / share for time in took["pydantic"]]
    pairs = dict.fromkeys(("default", "unverified", "raw"), "typed")
    pairs |= {"zstd": "unverified", "files": "typed_files"}
    ratios = {
        name: [theirs / our for our, theirs in zip(took[name], took[beside], strict=True)]
        for name, beside in pairs.items()
        if name in took
    }
    if "pydantic" in took:
        ratios["pydantic"] = [theirs / our for our, theirs in zip(took["unverified"], took["pydantic"], strict=True)]
    ratios["raw_json"] = [theirs / our for our, theirs in zip(took["raw"], took["json"], strict=True)]
    events = count_lines(plain)
    report(
        "load",
        aims={name: aim for name, aim in AIMS.items() if name in ratios},
        ratio={name: median(each) for name, each in ratios.items()},
        ratios={name: [round(one, 2) for one in each] for name, each in ratios.items()},
        events=events,
        events_per_s={name: round(events / median(each, 6)) for name, each in took.items()},
        seconds={name: median(each) for name, each in took.items()},
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--loader"]:
        loaded(Path(sys.argv[3]), Path(sys.argv[4]), sys.argv[2])
    else:
        main()
