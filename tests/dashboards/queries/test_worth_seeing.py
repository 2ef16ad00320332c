"""Close matches among the notable ones, and their order in the list of matches."""

import pytest

from dashboards.games.analytics import terms_of
from dashboards.queries.addresses import Sort
from dashboards.queries.matches import MatchFilter, matches_page
from dashboards.queries.notable import closest_matches
from dashboards.queries.reader import Reader


def test_the_list_sorts_by_how_close_matches_were(reader: Reader) -> None:
    frame, total = matches_page(reader, MatchFilter(statuses=("finished",)), Sort("margin"), 0, 100)
    usual = {"yak": 12, "yaks": 12, "religious influence": 2, "political influence": 2}
    close = [row["gap"] / usual[row["gap_unit"]] for row in frame.to_dicts() if row["gap"] is not None]
    assert close == sorted(close)
    assert frame["gap"].null_count() == total - len(close)
    assert frame["gap"].tail(total - len(close)).null_count() == total - len(close)
    backwards, _ = matches_page(reader, MatchFilter(statuses=("finished",)), Sort("margin", descending=True), 0, 1)
    assert backwards["gap"][0] == frame["gap"][len(close) - 1]


def test_the_list_sorts_by_the_lowest_chance_of_winners(reader: Reader) -> None:
    frame, total = matches_page(reader, MatchFilter(), Sort("lowest"), 0, 100)
    valued = (
        "select match, lowest, lowest_ply from dim_reviews join dim_matches using (match_id) where lowest is not null"
    )
    expected = sorted(reader.rows(valued, {}), key=lambda row: (row[1], row[0]))
    assert len(expected) == 8
    assert frame.select("match", "lowest", "lowest_ply").rows()[: len(expected)] == expected
    assert frame["lowest"].null_count() == total - len(expected) > 0
    backwards, _ = matches_page(reader, MatchFilter(), Sort("lowest", descending=True), 0, 1)
    assert backwards["match"][0] == expected[-1][0]


def test_the_closest_of_each_game_come_first(of_both: Reader) -> None:
    frame = closest_matches(of_both, 4)
    assert sorted(frame["game"][:2]) == sorted(frame["game"][2:]) == ["caravan", "summit"]
    least = of_both.rows("select game, min(closeness), min(gap) from dim_matches group by all order by all", {})
    assert [(game, gap) for game, _, gap in least if game == "summit"] == [
        (row["game"], row["gap"]) for row in frame[:2].to_dicts() if row["game"] == "summit"
    ]


@pytest.mark.parametrize(
    ("game", "nearest", "gap", "unit", "says"),
    [
        ("caravan", "stayed", 1, "political influence", "bea escaped elimination by 1 in political influence"),
        ("caravan", "ahead", 0, "yaks", "bea was tied on yaks and won on the tie-break"),
        ("summit", "ahead", 2, "fields", "bea won by 2 fields"),
        ("climbers", "earlier", 0, "levels", "bea won a tie for height by getting there first"),
        ("toy", "anything", 3, "stones", "bea won by 3 stones"),
    ],
)
def test_how_close_a_match_was_in_words(game: str, nearest: str, gap: int, unit: str, says: str) -> None:
    assert terms_of(game).how_close(nearest, gap, unit, "bea") == says
