"""Response time of the most expensive page requests: first run, and with a warm cache, relative to a plain query.

Each request has its own process. Like a server, this process has opened the database and imported modules, but has
cached nothing yet. Then the request is repeated with a warm cache. The first run also includes disk access, unless the
file was read recently. The plain query is that of `figures.py`; the same process runs it first. Processor time
(`_spent`) is more reliable than wall-clock time on a busy machine.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from figures import BARE, database_of

from dashboards.app import create_app
from dashboards.server import import_ahead
from dashboards.ui.figure_card import show
from ingest.warehouse import Warehouse
from measure import median, report, seconds

ASKED = {
    "standing": "?tournament={tournament}",
    "winners against losers": "?show=winners",
    "versions apart": "?by=version",
}


def asking(name: str, search: str) -> Callable[[], object]:
    """Return a function that answers a request; it imports pages only after the app is created, as they need one."""
    if name == "standing":
        return lambda: import_module("dashboards.pages.tournament").show_standing(search)
    kind, figure = ("map", "map") if name == "winners against losers" else ("compare", "apart")

    def shown() -> None:
        answer = show({"kind": kind, "figure": figure, "search": search, "scheme": "light"})
        assert "failed" not in answer, answer["failed"]

    return shown


def measured(database: Path, name: str) -> dict[str, float]:
    """Return the milliseconds of a request: first, repeated, and each as processor time (`_spent`)."""
    with Warehouse(database, read_only=True) as warehouse:
        app = create_app(warehouse)
        import_ahead()
        with warehouse.reading() as cursor:
            cursor.execute(BARE).fetchall()
            took = {"bare": seconds(lambda: cursor.execute(BARE).fetchall())}
            most = "select any_value(tournament) from dim_matches group by tournament order by count(*) desc limit 1"
            ((tournament,),) = cursor.execute(most).fetchall()
        ask = asking(name, ASKED[name].format(tournament=tournament))
        with app.server.test_request_context("/"):
            for which in ("first", "again"):
                start = time.process_time()
                took[which] = seconds(ask)
                took[f"{which}_spent"] = time.process_time() - start
    return {key: round(1000 * value, 1) for key, value in took.items()}


def main() -> None:
    """Run each request a few times, alternately."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=500, help="played; 2000 for the figures")
    parser.add_argument("--times", type=int, default=20, help="and multiplied by; 50 for the figures")
    parser.add_argument("--db", type=Path, help="a warehouse that is there already")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--one", choices=ASKED, help="ask one in this process, and print what it took")
    given = parser.parse_args()
    database = given.db or database_of(given.matches, given.times)
    if given.one:
        print(json.dumps(measured(database, given.one)))
        return
    found: dict[str, list[dict[str, float]]] = {name: [] for name in ASKED}
    for _ in range(given.runs):
        for name, runs in found.items():
            alone = [sys.executable, __file__, "--db", database, "--one", name]
            runs.append(json.loads(subprocess.run(alone, check=True, capture_output=True, text=True).stdout))
    each = {name: {key: median([run[key] for run in runs], 0) for key in runs[0]} for name, runs in found.items()}
    report(
        "pages",
        aims={"first_ms": "< 1000"},
        ratio={name: round(took["first"] / took["bare"], 1) for name, took in each.items()},
        slowest_first_ms=max(took["first"] for took in each.values()),
        ms=each,
    )


if __name__ == "__main__":
    main()
