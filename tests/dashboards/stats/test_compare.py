"""Comparing sides: their common matches decide which is better; expected values are counted by hand."""

import re
from math import inf, sqrt

import numpy as np
import polars as pl
import pytest
from scipy.special import stdtrit

from dashboards.stats.compare import by_sides, compared, short_versions, verdict
from dashboards.stats.differences import paired
from dashboards.stats.head_to_head import opponent_interaction
from dashboards.stats.results import lineups_of
from dashboards.stats.standing import win_share
from tests.dashboards.stats.tournaments import TINY, results, simulated


def row(frame: pl.DataFrame, player: str, other: str) -> dict[str, object]:
    return frame.filter((pl.col("player") == player) & (pl.col("other") == other)).row(0, named=True)


def test_sides_are_compared_over_their_common_seeds() -> None:
    found = row(compared(TINY, "player"), "a", "c")
    assert (found["ground"], found["groups"]) == ("luck", 2)
    assert found["side_difference"] == pytest.approx((2.5 - 1) / 4)
    assert found["ahead_difference"] == pytest.approx((1 + 0.75 + 1 + 0.5 - 0 - 0 - 0.25 - 1) / 4)
    assert found["narrowing"] == row(paired(TINY), "a", "c")["narrowing"]


def test_seeds_met_by_only_one_side_do_not_count() -> None:
    both = [(f"l{n}", {"a": 1 + n % 2, "b": 2 - n % 2, "x": 3}) for n in range(6)]
    alone = [(f"k{n}", {"a": 1, "x": 2, "y": 3}) for n in range(9)]
    found = row(compared(results(*both, *both, *alone), "player"), "a", "b")
    assert (found["side_difference"], found["groups"]) == (0, 6)


def test_at_the_same_tables_their_matches_are_seeds() -> None:
    found = compared(results(*((None, {"a": 1 + n // 3, "b": 2 - n // 3}) for n in range(4))), "player")
    only = row(found, "a", "b")
    assert (only["ground"], only["groups"]) == ("table", 4)
    assert only["side_difference"] == pytest.approx(3 / 4 - 1 / 4)
    assert only["side_difference_p"] == 10 / 16  # ten of sixteen sign patterns are at least as extreme


def test_matches_on_separate_seeds_are_compared_by_their_means() -> None:
    of_a = [(None, {"a": place, "x": 3 - place}) for place in (1, 1, 2) * 3]
    of_b = [(None, {"b": place, "x": 3 - place}) for place in (2, 1) * 3]
    played = results(*of_a, *of_b)
    found = row(compared(by_sides(played, "player", ["a", "b"]), "player"), "a", "b")
    # a came first in 6 of 9, b in 3 of 6; each match has its own seed, so the two vary independently (Welch)
    of_a, of_b = (2 / 3 * 1 / 3) / 8, (1 / 2 * 1 / 2) / 5
    freedom = (of_a + of_b) ** 2 / (of_a**2 / 8 + of_b**2 / 5)
    reach = stdtrit(freedom, 0.975) * sqrt(of_a + of_b)
    assert (found["ground"], found["groups"]) == ("matches", 15)
    assert found["side_difference"] == pytest.approx(2 / 3 - 1 / 2)
    assert found["side_difference_high"] == pytest.approx(2 / 3 - 1 / 2 + reach)


def test_two_matches_a_side_show_no_difference() -> None:
    won = [(None, {"a": 1, "x": 2})] * 2
    lost = [(None, {"b": 2, "x": 1})] * 2
    found = compared(by_sides(results(*won, *lost), "player", ["a", "b"]), "player")
    only = row(found, "a", "b")
    assert only["side_difference"] == 1
    assert only["side_difference_p"] == pytest.approx(1 / 3, abs=0.02)  # two of six ways to assign four matches
    assert (only["side_difference_low"], only["side_difference_high"]) == (-inf, inf)
    said = verdict(found)
    assert said[0] == "Too few seeds to judge the two sides."
    assert "too few seeds for an interval; 4 seeds" in said[1]
    assert said[2] == "With 4 seeds, no difference could be significant: at least 6 are needed."


def test_an_interval_without_zero_that_is_not_significant_says_why() -> None:
    """With six seeds p is at least 1/32; with twelve seeds, ten of them won by a, it is 2 · (1 + 12 + 66) / 4096."""
    places = {"a": 1, "b": 2, "c": 3}
    said = verdict(compared(results(*((f"l{n}", places) for n in range(6))), "player"))
    assert said[0].startswith("Too few seeds to judge any two sides")
    assert said[2] == (
        "The interval excludes zero, but it is for this pair alone: with 6 seeds p cannot be below 0.031, and 3 pairs"
        " need 0.017."
    )
    assert "6 seeds" in said[-1]
    won = [places if n < 10 else {"b": 1, "a": 2, "c": 3} for n in range(12)]
    three = compared(results(*((f"l{n}", each) for n, each in enumerate(won))), "player").filter(other="b")
    assert three["side_difference_p"].to_list() == [pytest.approx(158 / 4096)]
    told = verdict(three.with_columns(side_difference_holm=3 * pl.col("side_difference_p")))[2]
    assert told.endswith("it is for this pair alone: after correction for 1 pair, p is 0.116.")


def test_a_player_is_compared_with_itself_across_tournaments() -> None:
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


def test_the_verdict_names_the_better_side_and_its_evidence() -> None:
    clear = simulated(np.random.default_rng(1), {"strong": 3.0, "weak": 0.0, "poor": 0.0}, 60)
    said = verdict(compared(clear, "player"))
    assert said[0] == (
        "strong wins more than poor and weak; no significant difference in 1 pair (corrected for 3 pairs)."
    )
    assert said[1].startswith("At the same tables, strong won ")
    assert said[1].count("95% CI") == 1
    assert re.fullmatch(
        r"60 seeds can detect a difference of \d+ points in wins with 80% power, after correction\.", said[-1]
    )


def test_players_that_win_more_than_the_same_others_are_named_together() -> None:
    clear = simulated(np.random.default_rng(1), {"a": 3.0, "b": 3.0, "c": 0.0, "d": 0.0}, 60)
    assert verdict(compared(clear, "player"))[0] == (
        "a and b win more than c and d; no significant difference in 2 pairs (corrected for 6 pairs)."
    )
    won = [(None, {"a": 1 + (n > 20), "x": 2 - (n > 20)}) for n in range(24)]
    lost = [(None, {"b": 2, "x": 1})] * 24
    apart = compared(by_sides(results(*won, *lost), "player", ["a", "b"]), "player")
    assert verdict(apart)[0] == "a won more of its matches than b."


def test_wins_decide_and_another_yardstick_that_disagrees_is_named() -> None:
    """`first` wins half of its matches and is last in the others; `second` never wins and is always second."""
    turns = [{"first": 1, "second": 2, "x": 3, "y": 4}, {"first": 4, "second": 2, "x": 1, "y": 3}]
    played = results(*((None, turns[n % 2]) for n in range(90)))
    only = compared(by_sides(played, "player", ["first", "second"]), "player")
    assert verdict(only)[0].startswith("first wins more than second")
    assert verdict(only)[2] == (
        "second finishes ahead of a larger share of its opponents than first does (+16.7 points, 95% CI +6.1 to"
        " +27.2), though first wins more: the two measures disagree."
    )
    open_one = only.with_columns(side_difference_holm=pl.lit(0.2))
    assert verdict(open_one)[3].endswith("); the difference in wins is not significant.")
    assert not any("measures" in said for said in verdict(only.with_columns(ahead_difference_holm=pl.lit(0.2))))


def test_a_verdict_over_tables_of_several_sizes_says_so() -> None:
    frame = compared(simulated(np.random.default_rng(1), {"a": 0.0, "b": 0.0}, 20), "player")
    said = "This averages over tables of 2 and 4 players, counting every match of a player equally"
    assert f"{said}." in verdict(frame, sizes=[2, 4])
    apart = frame.with_columns(ground=pl.lit("matches"))
    assert f"{said}, and not all sides sat at each size equally often." in verdict(apart, sizes=[2, 4])
    assert not any("averages" in each for each in verdict(frame, sizes=[4]))


def of_line_ups(random: np.random.Generator, gains: dict[str, float], seeds: int) -> pl.DataFrame:
    """Return matches of a and b with each of some others on every seed; a's strength depends on the opponents."""
    parts = []
    for other, gain in gains.items():
        part = simulated(random, {"a": gain, "b": 0.0, other: 0.0}, seeds)
        parts.append(part.with_columns(pl.concat_str("match", pl.lit(other)).alias("match")))
    return pl.concat(parts)


def test_a_difference_that_depends_on_opponents_is_shown_by_line_up() -> None:
    lineups = lineups_of(of_line_ups(np.random.default_rng(5), {"c": 1.5, "d": -1.5}, 100))
    found = opponent_interaction(lineups, [("a", "b")])
    assert found["line_up"].to_list() == ["c", "d"]
    assert (found["interaction_holm"] <= 0.05).all()
    said = verdict(compared(lineups, "player"), found)
    assert "for 1 pair it depends on the opponents" in said[0]
    assert said[1].startswith("How much more a wins than b depends on the opponents, over 2 sets of them: ")
    assert re.search(r": \+\d+\.\d points with c; −\d+\.\d points with d\.$", said[1])


def test_line_ups_that_change_nothing_are_found_to_no_more_often_than_the_level() -> None:
    random, wrong = np.random.default_rng(6), 0
    for _ in range(40):
        lineups = lineups_of(of_line_ups(random, {"c": 0.5, "d": 0.5}, 30))
        wrong += (opponent_interaction(lineups, [("a", "b")])["interaction_holm"] <= 0.05).any()
    assert wrong <= 2  # the significance level is half a percent


def test_one_line_up_or_few_seeds_are_no_matter_of_line_ups() -> None:
    assert opponent_interaction(lineups_of(TINY.filter(pl.col("match") < "m00002")), [("a", "b")]).is_empty()
    few = of_line_ups(np.random.default_rng(5), {"c": 1.5, "d": -1.5}, 5)
    assert opponent_interaction(lineups_of(few), [("a", "b")]).is_empty()


@pytest.mark.slow("simulates tournaments")
@pytest.mark.parametrize(
    ("tournaments", "most"),
    [
        (10, 3),  # 5 % of 10 is 0.5; more than 3 has a chance of 0.1 %
        # 5 % of 80 is 4; more than 9 has a chance below 1 %
        pytest.param(80, 9, marks=pytest.mark.soak("simulates more tournaments")),
    ],
)
def test_equal_players_are_distinguished_no_more_often_than_the_level(tournaments: int, most: int) -> None:
    random, equal = np.random.default_rng(2), dict.fromkeys("abc", 0.0)
    played = (simulated(random, equal, 40) for _ in range(tournaments))
    assert sum("wins more" in verdict(compared(each, "player"))[0] for each in played) <= most


def test_versions_are_labelled_by_their_differences() -> None:
    names = ["trader 1:a=1:b=2", "trader 1:a=1:b=3", "greedy 1:a=9"]
    assert list(short_versions(names).values()) == ["trader 1 b=2", "trader 1 b=3", "greedy 1"]
    named = ["team:a 1:x=1", "team:b 1:x=1", "team:b 1:x=2"]
    assert list(short_versions(named).values()) == ["team:a 1", "team:b 1 x=1", "team:b 1 x=2"]


def test_only_tables_with_the_same_opponents_distinguish_two_players() -> None:
    """On the same seeds `a` beats the weak and `b` loses to the strong; the one match they share is too little."""
    of_a = [(f"l{seed}", {"a": 1, "weak": 2}) for seed in range(9)]
    of_b = [(f"l{seed}", {"strong": 1, "b": 2}) for seed in range(9)]
    assert compared(by_sides(results(*of_a, *of_b), "player", ["a", "b"]), "player").is_empty()
    assert paired(results(*of_a, *of_b)).filter(player="a", other="b").is_empty()
    joined = compared(by_sides(results(*of_a, *of_b, ("l0", {"a": 1, "b": 2})), "player", ["a", "b"]), "player")
    assert joined["groups"].to_list() == [1]
    assert joined["side_difference_p"].to_list() == [1]
