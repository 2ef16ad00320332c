"""Response time of a match's win probabilities: stored in a warehouse of a few thousand matches, or computed.

Each match is requested once over HTTP in the serving process, so nothing is cached. Requests for stored and for
computed win probabilities alternate. The warehouse is reviewed first; this is not timed. Processor time (`spent_ms`) is
more reliable than wall-clock time on a busy machine.
"""

import argparse
import random
import time
from pathlib import Path

from figures import database_of
from starlette.testclient import TestClient

from dashboards.replay import reviews
from dashboards.server import import_ahead
from dashboards.web.application import create_web
from dashboards.web.routing import Services
from ingest.inbox.receive import Intake
from ingest.operations import run_operation
from ingest.warehouse import Warehouse
from measure import median, percentile, report, seconds

NAMES = "select match from dim_matches join dim_reviews using (match_id) where not_valued is null order by match_id"


def asked(client: TestClient, match: str) -> tuple[float, float]:
    """Request a match's win probabilities; return wall-clock and processor time in milliseconds."""
    start = time.process_time()
    took = seconds(lambda: client.get(f"/api/replay/{match}/chances"))
    return 1000 * took, 1000 * (time.process_time() - start)


def main() -> None:
    """Request the win probabilities of randomly drawn matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=500, help="played; 2000 for the figures")
    parser.add_argument("--times", type=int, default=20, help="and multiplied by; 50 for the figures")
    parser.add_argument("--db", type=Path, help="a warehouse that is there already")
    parser.add_argument("--asked", type=int, default=100, help="matches to request, of each kind")
    given = parser.parse_args()
    database = given.db or database_of(given.matches, given.times)
    run_operation(database, "review", {"jobs": 2})
    kept = reviews.values_of
    took: dict[str, list[tuple[float, float]]] = {"kept": [], "counted": []}
    with Warehouse(database, read_only=True) as warehouse, warehouse.reading() as cursor:
        names = [name for (name,) in cursor.execute(NAMES).fetchall()]
        client = TestClient(create_web(Services.of(warehouse, Intake(warehouse))))
        import_ahead()
        asked(client, names[0])
        for place, match in enumerate(random.Random(1).sample(names, 2 * given.asked)):
            kind = ("kept", "counted")[place % 2]
            reviews.values_of = kept if kind == "kept" else lambda *_: None
            took[kind].append(asked(client, match))
    clock = {kind: [each for each, _ in times] for kind, times in took.items()}
    report(
        "chances",
        aims={"kept_p95_ms": "< 100"},
        ratio=round(median(clock["counted"]) / median(clock["kept"]), 1),
        kept_ms=median(clock["kept"], 1),
        kept_p95_ms=round(percentile(clock["kept"], 95), 1),
        counted_ms=median(clock["counted"], 1),
        spent_ms={kind: median([spent for _, spent in times], 1) for kind, times in took.items()},
        matches=len(names),
    )


if __name__ == "__main__":
    main()
