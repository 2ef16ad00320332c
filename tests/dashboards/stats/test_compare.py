"""Sides beside each other: which is better is told by what they have in common, counted by hand."""

from math import inf, sqrt

import numpy as np
import polars as pl
import pytest
from scipy.special import stdtrit

from dashboards.stats.compare import by_sides, compared, short_versions, verdict
from dashboards.stats.paired import paired
from dashboards.stats.win_share import win_share
from tests.dashboards.stats.tournaments import TINY, results, simulated


def row(frame: pl.DataFrame, player: str, other: str) -> dict[str, object]:
    return frame.filter((pl.col("player") == player) & (pl.col("other") == other)).row(0, named=True)


def test_with_the_same_luck_sides_are_paired() -> None:
    found = row(compared(TINY, "player"), "a", "c")
    alone = row(paired(TINY), "a", "c")
    assert found["ground"] == "luck"
    assert found["side_difference"] == pytest.approx(alone["paired_difference"])
    assert found["side_difference_low"] == pytest.approx(alone["paired_difference_low"])
    assert found["narrowing"] == alone["narrowing"]


def test_at_the_same_tables_the_better_share_tells() -> None:
    found = compared(results(*((None, {"a": 1 + n // 3, "b": 2 - n // 3}) for n in range(4))), "player")
    only = row(found, "a", "b")
    assert only["ground"] == "table"
    assert only["side_difference"] == pytest.approx(2 * 0.75 - 1)


def test_matches_with_nothing_in_common_are_compared_by_their_means() -> None:
    of_a = [(None, {"a": place, "x": 3 - place}) for place in (1, 1, 2) * 3]
    of_b = [(None, {"b": place, "y": 3 - place}) for place in (2, 1) * 3]
    played = results(*of_a, *of_b)
    found = row(compared(by_sides(played, "player", ["a", "b"]), "player"), "a", "b")
    # a came first in 6 of 9, b in 3 of 6; each match is a seed: e = (x − mean) / n
    squares = (6 * (1 / 3) ** 2 + 3 * (2 / 3) ** 2) / 9**2 + 6 * 0.5**2 / 6**2
    reach = stdtrit(14, 0.975) * sqrt(15 / 14 * squares)
    assert (found["ground"], found["groups"]) == ("matches", 15)
    assert found["side_difference"] == pytest.approx(2 / 3 - 1 / 2)
    assert found["side_difference_high"] == pytest.approx(2 / 3 - 1 / 2 + reach)


def test_two_matches_a_side_tell_nothing_apart() -> None:
    won = [(None, {"a": 1, "x": 2})] * 2
    lost = [(None, {"b": 2, "y": 1})] * 2
    found = compared(by_sides(results(*won, *lost), "player", ["a", "b"]), "player")
    only = row(found, "a", "b")
    assert (only["side_difference"], only["side_difference_p"]) == (1, 1 / 8)
    assert (only["side_difference_low"], only["side_difference_high"]) == (-inf, inf)
    said = verdict(found)
    assert said[0] == "No significant difference between any two sides (Holm over 1 comparison, 5%)."
    assert "too few seeds, so no interval; 4 seeds" in said[1]


def test_of_tournaments_a_player_is_compared_with_itself() -> None:
    second = TINY.with_columns(pl.lit("u").alias("tournament"), (pl.col("match") + "u").alias("match"))
    both = by_sides(pl.concat([TINY, second]), "tournament", ["t", "u"])
    found = compared(both, "tournament")
    assert sorted(zip(found["player"], found["other"], strict=True)) == [(f"{p} · t", f"{p} · u") for p in "abc"]
    assert found["side_difference"].to_list() == [0, 0, 0]
    assert win_share(both).filter(pl.col("player") == "a · u")["played"].to_list() == [4]


def test_only_the_sides_are_kept_but_places_are_those_of_all() -> None:
    two = by_sides(TINY, "player", ["a", "b"])
    assert win_share(two)["player"].to_list() == ["a", "b"]
    assert (
        win_share(two)["win_share"].to_list() == win_share(TINY).filter(pl.col("player") != "c")["win_share"].to_list()
    )


def test_the_verdict_names_who_is_better_and_says_what_it_rests_on() -> None:
    clear = simulated(np.random.default_rng(1), {"strong": 3.0, "weak": 0.0, "poor": 0.0}, 60)
    said = verdict(compared(clear, "player"))
    assert said[0] == (
        "strong is better than poor and weak; no significant difference in 1 pair (Holm over 3 comparisons, 5%)."
    )
    assert "At the same tables" in said[1]
    assert "95% interval" in said[1]


def test_equal_players_are_told_apart_no_more_often_than_the_level() -> None:
    random = np.random.default_rng(2)
    wrong = sum(
        "better" in verdict(compared(simulated(random, dict.fromkeys("abc", 0.0), 40), "player"))[0] for _ in range(80)
    )
    assert wrong <= 9  # 5% of 80 are 4; more than 9 has a chance below 1%


def test_versions_are_called_by_what_tells_them_apart() -> None:
    names = ["trader 1:a=1:b=2", "trader 1:a=1:b=3", "greedy 1:a=9"]
    assert list(short_versions(names).values()) == ["trader 1 b=2", "trader 1 b=3", "greedy 1"]
    named = ["team:a 1:x=1", "team:b 1:x=1", "team:b 1:x=2"]
    assert list(short_versions(named).values()) == ["team:a 1", "team:b 1 x=1", "team:b 1 x=2"]
