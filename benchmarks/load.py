"""Events loaded per second, beside DuckDB's bare typed CREATE TABLE AS SELECT over the same lines.

The bare statement checks nothing, puts nothing aside, names nothing; ours ends with every table the pages read.
Both write a database file. The runs alternate; the median of their ratios counts.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

import duckdb

from himalaya_core.arena.tournament import Plan, run_tournament
from himalaya_core.files import read_lines
from ingest.pipeline import ingest
from measure import CACHE, median, report, seconds

PLAYERS = ("trader", "pilgrim", "greedy", "random")


def played_logs(matches: int) -> tuple[Path, Path, int]:
    """Return the folders of the packed and the plain logs, and the number of lines; played once, then kept."""
    packed = CACHE / f"logs-{matches}"
    plain = CACHE / f"logs-{matches}-plain"
    run_tournament(Plan(name="bench", game="caravan", players=PLAYERS, matches=matches), packed, jobs=2)
    if not plain.exists():
        unfinished = plain.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        for log in packed.glob("*.jsonl.zst"):
            (unfinished / log.stem).write_bytes(b"".join(read_lines(log)))
        unfinished.rename(plain)
    return packed, plain, sum(1 for log in plain.iterdir() for _ in read_lines(log))


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


def ratios(folder: Path, pattern: str, runs: int) -> tuple[list[float], list[float]]:
    """Return how long ours and the bare statement took, run by run."""
    columns = typed_columns(f"{folder}/{pattern}")
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory(dir=CACHE) as made:
            theirs.append(seconds(lambda: bare(Path(made) / "bare.duckdb", f"{folder}/{pattern}", columns)))
            ours.append(seconds(lambda: ingest([folder], Path(made) / "ours.duckdb")))
    return ours, theirs


def main() -> None:
    """Load plain and packed logs both ways, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000, help="some 500 events each")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    packed, plain, events = played_logs(given.matches)
    figures: dict[str, object] = {}
    for suffix, folder, pattern in (("", plain, "*.jsonl"), ("_zst", packed, "*.jsonl.zst")):
        ours, theirs = ratios(folder, pattern, given.runs)
        each = [bare_time / our_time for our_time, bare_time in zip(ours, theirs, strict=True)]
        figures |= {
            f"ratio{suffix}": median(each),
            f"ratios{suffix}": [round(ratio, 2) for ratio in each],
            f"events_per_s{suffix}": round(events / median(ours, 6)),
            f"bare_events_per_s{suffix}": round(events / median(theirs, 6)),
        }
    report("load", aim=">= 0.5", events=events, **figures)


if __name__ == "__main__":
    main()
