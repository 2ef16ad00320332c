"""Fifty readers and one ingest in one process: nobody fails, and nobody ever sees a part of a match or of a batch."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from dashboards.filters import MatchFilter, OutcomeFilter, Sort, TrafficFilter
from dashboards.queries import Queries
from ingest import load, read
from ingest.pipeline import Request, take_in
from ingest.warehouse import Warehouse, open_warehouse
from tests.ingest.helping import log, write

READERS: Final = 50
MATCHES: Final = 24
THINKING: Final = 2
"""Seconds between two questions of a reader, as long as the ingest goes on."""
TORN: Final = """
SELECT (SELECT count(*) FROM dim_matches), (SELECT count(*) FROM raw_matches),
    (SELECT coalesce(sum(events), 0) FROM dim_matches), (SELECT count(*) FROM events),
    (SELECT coalesce(sum(matches), 0) FROM ingest_runs)
"""


def matches_page(queries: Queries) -> int:
    frame, total = queries.matches_page(MatchFilter(), Sort("margin", descending=True), 0, 100)
    assert len(frame) == total
    return total


def village_traffic(queries: Queries) -> int:
    boards = queries.boards(TrafficFilter())
    if boards.is_empty():
        return 0
    assert queries.village_traffic(TrafficFilter(), boards["board_sha256"][0])["arrivals"].sum() > 0
    return int(boards["matches"].sum())


def endings(queries: Queries) -> int:
    return round(queries.endings(OutcomeFilter())["expected"].sum())


def influence_by_round(queries: Queries) -> int:
    queries.influence_by_round(OutcomeFilter())
    return queries.finished_count(OutcomeFilter())


def match_lines(queries: Queries) -> int:
    total = queries.match_count()
    if total:
        name = queries.matches_page(MatchFilter(), Sort(), total - 1, total)[0]["match"][0]
        assert queries.match_lines(name) == list(log(name))
    return total


ASKED: Final[list[Callable[[Queries], int]]] = [matches_page, village_traffic, endings, influence_by_round, match_lines]


def whole(warehouse: Warehouse) -> int:
    """Return how many matches there are, by every table that says so."""
    with warehouse.reading() as cursor:
        ((matches, kept, events, lines, told),) = cursor.execute(TORN).fetchall()
    assert (matches, matches, events) == (kept, told, lines), "a reader saw a part of a batch"
    return int(matches)


def test_fifty_readers_beside_an_ingest_see_whole_matches_and_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(MATCHES // 2):
        write(tmp_path / f"{number:02}.jsonl", log(f"q.{2 * number:02}"), log(f"q.{2 * number + 1:02}"))
    monkeypatch.setattr(load, "BATCH_EVENTS", 1000)
    monkeypatch.setattr(read, "PIECE_BYTES", 1)
    done = threading.Event()
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, ThreadPoolExecutor(READERS) as pool:
        queries = Queries(warehouse)

        def ask(reader: int) -> list[int]:
            seen: list[int] = []
            while not done.is_set() or not seen or seen[-1] < MATCHES:
                seen += [ASKED[reader % len(ASKED)](queries), whole(warehouse)]
                done.wait(THINKING)
            return seen

        readers = [pool.submit(ask, reader) for reader in range(READERS)]
        try:
            assert take_in(warehouse, Request((tmp_path,), jobs=0), lambda _: None).matches == MATCHES
        finally:
            done.set()
        seen = [reader.result() for reader in readers]
    assert all(each == sorted(each) for each in seen), "what was there is gone"
    assert any(0 < total < MATCHES for each in seen for total in each), "nobody read while it was written"
