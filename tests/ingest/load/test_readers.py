"""Many readers and one ingest in one process: no reader fails, and none sees a part of a match or batch."""

from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import Final

import duckdb
import polars as pl
import pytest

from dashboards.games.caravan.figures.course import INFLUENCE_BY_ROUND
from dashboards.queries.addresses import Sort
from dashboards.queries.filters import Filter
from dashboards.queries.imports import match_count
from dashboards.queries.logs import match_lines
from dashboards.queries.matches import MatchFilter, matches_page
from dashboards.queries.reader import Reader
from dashboards.queries.results import finished_count, seat_results
from dashboards.queries.traffic import boards_used, place_totals
from ingest.load import load
from ingest.opening import open_warehouse
from ingest.pipeline import Request, take_in
from ingest.read import split as read
from ingest.warehouse import Warehouse
from tests.ingest.helping import log, write
from tests.ingest.meeting import Readers

MATCHES: Final = 6
TORN: Final = """
SELECT (SELECT count(*) FROM dim_matches), (SELECT count(*) FROM raw_matches),
    (SELECT coalesce(sum(events), 0) FROM dim_matches), (SELECT count(*) FROM events),
    (SELECT coalesce(sum(matches), 0) FROM ingest_runs)
"""


def whole_list(reader: Reader) -> int:
    frame, total = matches_page(reader, MatchFilter(), Sort("margin", descending=True), 0, 100)
    assert len(frame) == total
    return total


def village_traffic(reader: Reader) -> int:
    boards = boards_used(reader, Filter())
    if boards.is_empty():
        return 0
    found = place_totals(reader, ["arrivals"], "agg_caravan_villages", ["village"], Filter(), boards["board_sha256"][0])
    assert found["arrivals"].sum() > 0
    return int(boards["matches"].sum())


def endings(reader: Reader) -> int:
    return round((1 / seat_results(reader, Filter()).with_columns(n=pl.len().over("match"))["n"]).sum())


def influence_by_round(reader: Reader) -> int:
    INFLUENCE_BY_ROUND.count(reader, Filter())
    return finished_count(reader, Filter())


def last_log(reader: Reader) -> int:
    total = match_count(reader)
    if total:
        name = matches_page(reader, MatchFilter(), Sort(), total - 1, total)[0]["match"][0]
        assert match_lines(reader, name) == list(log(name))
    return total


ASKED: Final[list[Callable[[Reader], int]]] = [whole_list, village_traffic, endings, influence_by_round, last_log]


def whole(warehouse: Warehouse) -> int:
    """Return the number of matches, which must be the same in every table."""
    with warehouse.reading() as cursor:
        ((matches, kept, events, lines, told),) = cursor.execute(TORN).fetchall()
    assert (matches, matches, events) == (kept, told, lines), "a reader saw a part of a batch"
    return int(matches)


@pytest.mark.slow("ten readers")
@pytest.mark.parametrize("number_of_readers", [10, pytest.param(50, marks=pytest.mark.soak("fifty readers"))])
def test_readers_during_an_ingest_see_whole_matches_and_no_error(
    number_of_readers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(MATCHES // 2):
        write(tmp_path / f"{number:02}.jsonl", log(f"q.{2 * number:02}"), log(f"q.{2 * number + 1:02}"))
    monkeypatch.setattr(load, "BATCH_EVENTS", 1000)
    monkeypatch.setattr(read, "CHUNK_BYTES", 1)
    fill, batches = load.fill_tables, count(1)

    def fill_the_second_as_all_look_on(connection: duckdb.DuckDBPyConnection, *_: object) -> None:
        fill(connection)
        if next(batches) == 2:
            readers.wait_for_all()  # the first batch is loaded; half of this batch is written, but not committed

    monkeypatch.setattr(load, "fill_tables", fill_the_second_as_all_look_on)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        reader = Reader(warehouse)

        def ask(number: int) -> tuple[int, int]:
            return ASKED[number % len(ASKED)](reader), whole(warehouse)

        with Readers(number_of_readers, ask) as readers:
            assert take_in(warehouse, Request((tmp_path,), jobs=0), lambda _: None).matches == MATCHES
    for answers in readers.answers():
        seen = list(chain.from_iterable(answers))
        assert seen == sorted(seen), "what was there is gone"
        assert seen[-1] == MATCHES
        assert any(0 < total < MATCHES for total in seen), "not everybody read while it was written"
