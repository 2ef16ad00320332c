"""Cost of a warehouse by number of matches: disk, memory, time and rows, extrapolated to ten million matches.

The logs of one tournament are multiplied: each match occurs under other names and seeds. `himalaya ingest` loads and
verifies them into warehouses of growing size. For each size the benchmark reports the cost of loading, the rows of each
table, a backup, and the most expensive page requests. The page requests run first and repeated, each in its own process
(`pages.py`).

Larger sizes are extrapolated by a least-squares line through the measured sizes: disk, rows, seconds of loading and of
pages. This assumes that further matches have the same four players in the same number of cohorts, and that the disk is
as fast. It also assumes that page requests read in proportion to the data. Memory is not extrapolated: a load holds one
batch, and DuckDB uses what it is allowed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import linear_regression

import duckdb
from pages import ASKED
from scale import HIMALAYA, ingested

from measure import CACHE, report, seconds
from played import count_lines, multiplied_logs, packed_logs, plain_logs

DRAWN_TO = (1_000_000, 10_000_000)
PAGES = Path(__file__).with_name("pages.py")
LIKE_MATCHES = 0.02
"""Relative tolerance: a table within it has one row per match, and its rows are extrapolated."""


def measured(logs: Path, database: Path) -> dict[str, float]:
    """Load logs into a new warehouse and return its costs: bytes, seconds, and milliseconds of page requests."""
    took, memory = ingested(logs, database)
    found = {"load_s": took, "load_memory_gb": memory / 1e9, "database_mb": database.stat().st_size / 1e6}
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        copy = Path(folder) / "backup.duckdb"
        found["backup_s"] = seconds(
            lambda: subprocess.run([HIMALAYA, "backup", copy, "--db", database], check=True, capture_output=True)
        )
        found["backup_mb"] = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) / 1e6
    for name in ASKED:
        alone = [sys.executable, PAGES, "--db", database, "--one", name]
        took_ms = json.loads(subprocess.run(alone, check=True, capture_output=True, text=True).stdout)
        found |= {f"{name}, {which} (ms)": took_ms[which] for which in ("first", "again")}
    return found


def rows_of(database: Path) -> dict[str, int]:
    """Return the number of rows of each non-empty table."""
    with duckdb.connect(database, read_only=True) as connection:
        tables = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        counts = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in tables}
    return {name: count for name, count in sorted(counts.items()) if count}


def drawn(matches: Sequence[int], values: Sequence[float], at: int) -> float:
    """Extrapolate values to a number of matches by a least-squares line."""
    line = linear_regression(matches, values)
    return line.intercept + line.slope * at


def rows_at(matches: Sequence[int], rows: Sequence[dict[str, int]], at: int) -> dict[str, int]:
    """Extrapolate the rows of tables that grow with the matches; other tables keep their last number."""
    growth = matches[-1] / matches[0]
    found = {}
    for name, last in rows[-1].items():
        first = rows[0].get(name, 0)
        grows = first and abs(last / first / growth - 1) < LIKE_MATCHES
        found[name] = round(last * at / matches[-1]) if grows else last
    return found


def main() -> None:
    """Load warehouses of growing size and extrapolate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200, help="played; 2000 for the figures")
    parser.add_argument("--times", type=int, nargs="+", default=[1, 3, 10], help="2 7 20 for the figures")
    given = parser.parse_args()
    plain, packed = plain_logs(given.matches), packed_logs(given.matches)
    events = count_lines(plain) / given.matches
    matches = [given.matches * times for times in given.times]
    found: list[dict[str, float]] = []
    rows: list[dict[str, int]] = []
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        for times in given.times:
            database = Path(folder) / f"{times}.duckdb"
            found.append(measured(multiplied_logs(given.matches, times), database))
            rows.append(rows_of(database))
            database.unlink()
            print(json.dumps({"matches": given.matches * times} | found[-1]), file=sys.stderr, flush=True)
    packed_bytes = sum(file.stat().st_size for file in packed.glob("*.zst"))
    names = [name for name in found[0] if name != "load_memory_gb"]
    report(
        "sizes",
        events_per_match=round(events, 1),
        log_mb_per_1000_matches={
            "plain": round(sum(file.stat().st_size for file in plain.iterdir()) / 1e3 / given.matches, 2),
            "packed": round(packed_bytes / 1e3 / given.matches, 3),
        },
        measured=[
            {"matches": count} | {name: round(value, 2) for name, value in each.items()}
            for count, each in zip(matches, found, strict=True)
        ],
        drawn_on={
            at: {name: round(drawn(matches, [each[name] for each in found], at), 1) for name in names}
            for at in DRAWN_TO
        },
        rows={"measured": rows[-1], **{at: rows_at(matches, rows, at) for at in DRAWN_TO}},
    )


if __name__ == "__main__":
    main()
