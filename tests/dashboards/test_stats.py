"""Intervals, and the sentences under the figures."""

import polars as pl
import pytest

from dashboards.filters import OutcomeFilter, TrafficFilter
from dashboards.queries import Queries
from dashboards.stats.intervals import wilson
from dashboards.stats.outcomes import FINDINGS, TABLES, wins
from dashboards.stats.traffic import finding, traffic


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662), (0, 0, 0, 1)],
)
def test_wilson_interval(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_wins_are_shares_with_what_equal_seats_would_win(asked: Queries) -> None:
    frame = wins(asked, OutcomeFilter(tournaments=("four",)))
    assert frame["expected"].to_list() == [0.25] * 4
    assert frame.filter(~pl.col("share").is_between("low", "high")).is_empty()


def test_traffic_has_every_village_and_road_of_the_board(asked: Queries) -> None:
    found = traffic(asked, TrafficFilter(players=("random",), first=1, last=1))
    assert found is not None
    assert (found.villages.height, found.roads.height) == (20, 27)
    assert found.villages["arrivals"].min() == 0
    assert found.villages["share"].sum() == pytest.approx(1)


def test_traffic_counts_one_board_and_says_how_many_matches_it_leaves(asked: Queries) -> None:
    found = traffic(asked, TrafficFilter())
    assert found is not None
    assert (found.board.id, found.matches_in_all - found.matches) == ("tilsit-reconstructed", 1)


def test_traffic_on_a_board_that_its_log_carries(asked: Queries) -> None:
    found = traffic(asked, TrafficFilter(tournaments=("(none)",)))
    assert found is not None
    assert (found.board.id, found.matches) == ("other-map", 1)


def test_traffic_on_the_board_that_is_asked_for(asked: Queries) -> None:
    found = traffic(asked, TrafficFilter(board="other-map"))
    assert found is not None
    assert (found.board.id, found.matches, found.matches_in_all) == ("other-map", 1, 12)
    assert traffic(asked, TrafficFilter(board="nowhere")) is None


def test_traffic_without_matches(asked: Queries) -> None:
    assert traffic(asked, TrafficFilter(tournaments=("nothing",))) is None


def test_the_finding_of_the_traffic_has_its_numbers(asked: Queries) -> None:
    found = traffic(asked, TrafficFilter())
    assert found is not None
    most = found.villages.sort("arrivals", "village", descending=[True, False]).row(0, named=True)
    start = f"Village {most['village']} was visited most: {most['arrivals']:,} of {found.villages['arrivals'].sum():,}"
    assert finding(found).startswith(start)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("size", [3, 4])
def test_each_figure_has_a_finding(asked: Queries, name: str, size: int) -> None:
    text = FINDINGS[name](TABLES[name](asked, OutcomeFilter(sizes=(size,))))
    assert text.endswith(".")
    assert "None" not in text
