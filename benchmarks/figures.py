"""Time to compute each figure of the catalog, for all matches and under a filter, relative to a plain query.

The plain query makes one pass over the seats: the share of matches won by each player, without seeds and intervals. It
runs before each figure, so that both run under the same conditions. Processor time is also reported (`processor_ms`,
including the plain query), as it is more reliable than wall-clock time on a busy machine. As on a page, data shared by
several figures is read only once, in the first run. The logs are multiplied: each match occurs under many names and
seeds. A database given by `--db` is opened read-only.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs

from dashboards.catalog.figures import all_figures, figures_under
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import finished_count
from ingest.warehouse import Warehouse
from measure import CACHE, median, percentile, report, seconds
from played import multiplied_logs

HIMALAYA = Path(sys.executable).with_name("himalaya")
BARE = """select s.player, avg(s.won::int) from dim_seats s join dim_matches m using (match_id)
    where m.status = 'finished' group by 1 order by 2 desc"""
FILTERS = {"all": "", "filtered": "player=trader&player=greedy&result=won&from=3&to=9"}


def database_of(matches: int, times: int) -> Path:
    """Return a warehouse of multiplied logs; it is created only once."""
    path = CACHE / f"figures-{matches}-times-{times}.duckdb"
    if not path.exists():
        made = path.with_suffix(".unfinished")
        made.unlink(missing_ok=True)
        subprocess.run([HIMALAYA, "ingest", multiplied_logs(matches, times), "--db", made], check=True)
        made.rename(path)
    return path


def main() -> None:
    """Compute every figure several times and report the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=500, help="played; 2000 for the figures")
    parser.add_argument("--times", type=int, default=20, help="and multiplied by; 50 for the figures")
    parser.add_argument("--db", type=Path, help="a warehouse that is there already")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="", help="names of figures, with commas between")
    given = parser.parse_args()
    with Warehouse(given.db or database_of(given.matches, given.times), read_only=True) as warehouse:
        reader = Reader(warehouse)
        names = given.only.split(",") if given.only else list(figures_under(reader, Filter()))

        def bare() -> None:
            with warehouse.reading() as cursor:
                cursor.execute(BARE).fetchall()

        bare()
        all_figures()["win-share"].frame(reader, Filter())  # triggers imports on first use
        bares: list[float] = []
        took: dict[str, dict[str, float]] = {}
        spent: list[float] = []
        for kind, address in FILTERS.items():
            where = Filter.read(parse_qs(address))
            took[kind] = {}
            for name in names:
                table = all_figures()[name]
                times = []
                start = time.process_time()
                for _ in range(given.runs):
                    bares.append(1000 * seconds(bare))
                    times.append(1000 * seconds(lambda: table.finding(table.frame(reader, where))))  # noqa: B023
                took[kind][name] = median(times, 0)
                spent.append(1000 * (time.process_time() - start) / given.runs)
        baseline = median(bares, 1)
        every = [each for times in took.values() for each in times.values()]
        report(
            "figures",
            aims={"each_ms": "< 1000", "typical_ms": "< 300"},
            ratio={name: round(each / baseline, 1) for name, each in took["all"].items()},
            slowest_ms=max(every),
            typical_ms=percentile(every, 50),
            bare_ms=baseline,
            processor_ms={"slowest": round(max(spent)), "typical": round(percentile(spent, 50))},
            matches=finished_count(reader, Filter()),
            figures_ms=took,
        )


if __name__ == "__main__":
    main()
