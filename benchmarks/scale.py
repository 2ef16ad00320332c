"""Scaling: throughput and memory for twenty times the data, and the time to fetch one match out of 200,000.

The logs are multiplied: each match occurs under many names, with new digests. `himalaya ingest` runs as a command, and
the memory of all its processes is added up twenty times a second; shared pages count for each process. For the fetch
test, the logs of the small warehouse are copied repeatedly into another one, each time under new names in random order.
Randomly chosen matches are fetched once each, with the query that the replay uses.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dashboards.queries.logs import match_lines
from dashboards.queries.reader import Reader
from ingest.opening import open_warehouse
from ingest.warehouse import Warehouse
from measure import CACHE, median, percentile, report, seconds
from played import count_lines, multiplied_logs, plain_logs

HIMALAYA = Path(sys.executable).with_name("himalaya")
PAGE = 4096
FETCHES = 500


def ingested(folder: Path, database: Path) -> tuple[float, int]:
    """Ingest a folder with the command; return its duration in seconds and its processes' peak memory in bytes."""
    start, most = time.perf_counter(), 0
    command = [HIMALAYA, "ingest", folder, "--db", database]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        while run.poll() is None:
            most = max(most, sum(map(resident, family(run.pid))))
            time.sleep(0.05)
    assert run.returncode == 0, f"ended with {run.returncode}"
    return time.perf_counter() - start, most


def family(process: int) -> list[int]:
    """Return a process and its descendants."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return [process]
    return [process, *(each for child in children.split() for each in family(int(child)))]


def resident(process: int) -> int:
    """Return the resident memory of a process in bytes."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
    except OSError:
        return 0


def many_matches(few: Path, many: Path, matches: int) -> list[str]:
    """Fill a warehouse with a number of renamed copies of another warehouse's logs; return the names."""
    with open_warehouse(many) as warehouse, warehouse.writing() as connection:
        connection.execute(f"ATTACH '{few}' AS few (READ_ONLY)")
        ((there,),) = connection.execute("SELECT count(*) FROM few.raw_matches").fetchall()
        for turn in range(-(-matches // there)):
            connection.execute(
                "INSERT INTO raw_matches FROM few.raw_matches "
                "SELECT * REPLACE ($first + match_id AS match_id, md5(match || $turn) AS match) "
                "ORDER BY match_id LIMIT $most",
                {"first": turn * there, "turn": turn, "most": matches - turn * there},
            )
        connection.execute("DETACH few")
        return [name for (name,) in connection.execute("SELECT match FROM raw_matches").fetchall()]


def main() -> None:
    """Load the logs once, then multiplied, and then fetch single matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200, help="some 500 events each; 2000 for the figures")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--stored", type=int, default=20_000, help="matches to fetch one from; 200000 for the figures")
    given = parser.parse_args()
    once, many = plain_logs(given.matches), multiplied_logs(given.matches, given.times)
    events = count_lines(once)
    rates: dict[str, list[float]] = {"once": [], "many": []}
    memory = {"once": 0, "many": 0}
    with tempfile.TemporaryDirectory(dir=CACHE) as made:
        for _ in range(given.runs):
            for name, folder, factor in (("once", once, 1), ("many", many, given.times)):
                database = Path(made) / f"{name}.duckdb"
                database.unlink(missing_ok=True)
                took, most = ingested(folder, database)
                rates[name].append(factor * events / took)
                memory[name] = max(memory[name], most)
        large = Path(made) / "large.duckdb"
        names = many_matches(Path(made) / "once.duckdb", large, given.stored)
        random.Random(1).shuffle(names)
        with Warehouse(large) as warehouse:
            reader = Reader(warehouse)
            fetches = [1000 * seconds(lambda: match_lines(reader, name)) for name in names[:FETCHES]]  # noqa: B023
    report(
        "scale",
        aims={"ratio": ">= 0.8", "memory_gb": "< 1.5", "fetch_p95_ms": "< 10"},
        ratio=median([many / once for once, many in zip(rates["once"], rates["many"], strict=True)]),
        memory_gb={name: round(most / 1e9, 2) for name, most in memory.items()},
        events={"once": events, "many": events * given.times},
        events_per_s={name: round(median(each, 0)) for name, each in rates.items()},
        matches=len(names),
        fetch_ms={"first": round(fetches[0], 1), **{f"p{of}": round(percentile(fetches, of), 1) for of in (50, 95)}},
    )


if __name__ == "__main__":
    main()
