"""Rows that are read and counted agree with a count from the logs."""

from pathlib import Path

import pytest

from dashboards.queries.addresses import Sort
from dashboards.queries.filters import NO_TOURNAMENT, Filter
from dashboards.queries.imports import match_count
from dashboards.queries.logs import match_lines
from dashboards.queries.matches import MATCH_COLUMNS, MatchFilter, matches_page, neighbours
from dashboards.queries.reader import Reader
from dashboards.queries.results import finished_count
from dashboards.queries.traffic import boards_used
from himalaya_core.boards import shipped_board
from himalaya_core.files import read_lines
from himalaya_core.replay import Replay


def test_only_finished_matches_are_counted(reader: Reader, finished: list[Replay]) -> None:
    assert match_count(reader) == len(finished) + 1
    assert finished_count(reader, Filter()) == len(finished)
    used = boards_used(reader, Filter())
    assert used["board_id"].to_list() == [shipped_board("caravan").id, "other-map"]
    assert used["matches"].to_list() == [len(finished) - 1, 1]


def test_a_list_is_sorted_filtered_and_paged(reader: Reader) -> None:
    where = MatchFilter(Filter(tournaments=("four",)), together=("envoy", "trader"))
    whole, total = matches_page(reader, where, Sort("events", descending=True), 0, 100)
    middle, _ = matches_page(reader, where, Sort("events", descending=True), 2, 5)
    for start, stop in ((10**20, 10**20 + 9), (-(10**20), 0)):
        assert matches_page(reader, where, Sort(), start, stop)[0].is_empty()
    assert total == whole.height == 8
    assert whole["events"].to_list() == sorted(whole["events"].to_list(), reverse=True)
    assert middle.equals(whole[2:5])
    names: list[str | None] = [None, *whole["match"], None]
    for row, match in enumerate(whole["match"]):
        beside = neighbours(reader, where, Sort("events", descending=True), match)
        assert beside == (row, 8, names[row], names[row + 2])
    assert neighbours(reader, where, Sort(), "three.000001") == (None, 8, None, None)
    assert neighbours(reader, MatchFilter(find="no such"), Sort(), "three.000001") == (None, 0, None, None)


def test_the_margin_of_a_match_is_that_of_its_game(
    of_summit: Reader, summit_finished: list[Replay], of_climbers: Reader, climbers_finished: list[Replay]
) -> None:
    """The difference between first and second place, in the game's unit: fields or levels."""
    for reader, replays, height in ((of_summit, summit_finished, "climber"), (of_climbers, climbers_finished, "level")):
        frame, _ = matches_page(reader, MatchFilter(statuses=("finished",)), Sort("margin"), 0, 1_000)
        margins = {}
        for each in replays:
            assert each.ended
            *_, second, first = sorted(score[height] for score in each.ended.scores)
            margins[each.entries[0].match] = first - second
        assert dict(frame.select("match", "margin").iter_rows()) == margins
        assert frame["margin"].is_sorted()
        assert frame["margin"].n_unique() > 1


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (MatchFilter(find="OTH"), {"other"}),
        (MatchFilter(statuses=("unfinished",)), {"cut-off"}),
        (MatchFilter(Filter(tournaments=(NO_TOURNAMENT,))), {"other", "cut-off"}),
        (MatchFilter(together=("random", "envoy")), set()),
        (MatchFilter(find="' or true --", together=("x'",)), set()),
    ],
)
def test_a_filter_of_matches(reader: Reader, where: MatchFilter, expected: set[str]) -> None:
    frame, total = matches_page(reader, where, Sort(), 0, 100)
    assert set(frame["match"]) == expected
    assert total == len(expected)


def test_winners_are_the_seats_that_won(reader: Reader) -> None:
    frame, _ = matches_page(reader, MatchFilter(Filter(players=("trader",), results=("won",))), Sort(), 0, 100)
    assert frame.height
    assert all("trader" in winner for winner in frame["winner"])


def test_an_unknown_column_sorts_as_usual(reader: Reader) -> None:
    usual, _ = matches_page(reader, MatchFilter(), Sort(), 0, 100)
    strange, _ = matches_page(reader, MatchFilter(), Sort('match"; drop table dim_matches; --'), 0, 100)
    assert strange.equals(usual)
    assert usual.columns == list(MATCH_COLUMNS)


def test_the_lines_of_a_match_are_those_of_its_file(reader: Reader, logs: Path) -> None:
    assert match_lines(reader, "other") == list(read_lines(logs / "other.jsonl"))
    assert match_lines(reader, "nobody") is None
