"""Meaning of each part of a filter for seats, cohorts and matches."""

from collections.abc import Iterator

import pytest

from dashboards.queries.filters import NO_TOURNAMENT, Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import finished_count, seat_results
from dashboards.queries.where import cohorts_where, listed_where, seats_where
from tests.dashboards.games.caravan.tiny import tiny_warehouse

EVERY = {(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)}
CASES = [
    (Filter(), EVERY),
    (Filter(game="caravan"), EVERY),
    (Filter(game="summit"), set()),
    (Filter(tournaments=("t", "u")), EVERY),
    (Filter(tournaments=(NO_TOURNAMENT,)), set()),
    (Filter(options=("tokens=true",)), {(3, 0), (3, 1), (3, 2)}),
    (Filter(options=("tokens=false",)), EVERY - {(3, 0), (3, 1), (3, 2)}),
    (Filter(options=("players=3", "tokens=true")), {(3, 0), (3, 1), (3, 2)}),
    (Filter(options=("players=3", "tokens=false")), set()),
    *((Filter(options=(option,)), set()) for option in ('x"].y=1', "$..*=1", "\\=1", "*=1", "tokens*=false")),
    (Filter(sizes=(2,)), EVERY - {(3, 0), (3, 1), (3, 2)}),
    (Filter(players=("b", "nobody")), {(1, 1), (2, 0), (3, 2)}),
    (Filter(versions=("a 1",)), {(1, 0), (2, 1), (3, 0), (3, 1)}),
    (Filter(versions=("a 2",)), set()),
    (Filter(seats=(1, 2)), {(1, 1), (2, 1), (3, 1), (3, 2)}),
    (Filter(results=("won",)), {(1, 0), (2, 0), (2, 1), (3, 1)}),
    (Filter(results=("lost",)), {(1, 1), (3, 0), (3, 2)}),
    (Filter(results=("religious",)), {(1, 1)}),
    (Filter(results=("outlasted", "religious")), {(1, 1), (3, 0)}),
    (Filter(results=("won", "political")), {(1, 0), (2, 0), (2, 1), (3, 1), (3, 2)}),
    (Filter(results=("') or true --",)), set()),
    (Filter(board="b"), EVERY),
    (Filter(board="other"), set()),
    (Filter(players=("a",), seats=(0,), results=("lost",)), {(3, 0)}),
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with tiny_warehouse(tmp_path_factory.mktemp("tiny") / "tiny.duckdb") as warehouse:
        yield Reader(warehouse)


@pytest.mark.parametrize(("where", "expected"), CASES, ids=lambda case: repr(case) if isinstance(case, Filter) else "")
def test_a_filter_leaves_these_seats(tiny: Reader, where: Filter, expected: set[tuple[int, int]]) -> None:
    condition, values = seats_where(where)
    seats = tiny.rows(
        f"select m.match_id, s.seat from dim_seats s join dim_matches m using (match_id) where {condition}", values
    )
    assert set(seats) == expected
    condition, values = cohorts_where(where)
    cohorts = tiny.rows(
        f"""select s.match_id, s.seat from dim_seats s join dim_cohorts c using (cohort) where {condition}""", values
    )
    assert set(cohorts) == expected
    condition, values = listed_where(where)
    listed = {match for (match,) in tiny.rows(f"select m.match_id from dim_matches m where {condition}", values)}
    assert listed == {match for match, _ in expected}
    assert finished_count(tiny, where) == len(listed)


def test_the_most_played_game_is_the_default(tiny: Reader) -> None:
    kept = seat_results(tiny, Filter(players=("a",)))
    assert kept.filter("kept").select("match", "seat").rows() == [(1, 0), (2, 1), (3, 0), (3, 1)]
    assert kept.height == len(EVERY)  # places refer to all seats of a match, not only the selected ones
