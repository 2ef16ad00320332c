"""Allowed claims of findings: numbers with intervals, and no difference that the intervals leave open."""

from math import inf
from typing import Any

import polars as pl
import pytest

from dashboards.catalog.figures import shortened
from dashboards.charts.chart import Matrix
from dashboards.charts.theme import LIGHT
from dashboards.charts.to_plotly import plotly_figure
from dashboards.games.caravan.map import CARAVAN_LAYERS, CARAVAN_PLACES
from dashboards.games.shared.places import Selection, map_finding
from dashboards.queries.filters import Filter
from dashboards.stats.claims import too_few_for_any
from dashboards.stats.strength_words import (
    head_to_head_finding,
    paired_finding,
    placement_finding,
    ratings_finding,
    seat_called,
    seat_finding,
    win_finding,
)
from dashboards.stats.words import bounds, interval, mean, percent, plain, points, signed, whole

SHARE = {"s": 0.441, "s_low": 0.392, "s_high": 0.49}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"44.1%{bounds(SHARE, 's', percent)}", "44.1% (95% CI 39.2–49.0)"),
        (interval(SHARE, "s"), "+44.1 points (95% CI +39.2 to +49.0)"),
        (mean({"m": -0.04, "m_low": -1.25, "m_high": 2}, "m"), "0.0 (95% CI −1.2 to 2.0)"),
        (mean({"m": 3.0, "m_low": -inf, "m_high": inf}, "m"), "3.0 (too few seeds for an interval)"),
        (mean({"m": -12.4, "m_low": -20, "m_high": 5}, "m", 0, sign=True), "−12 (95% CI −20 to +5)"),
        (points(-0.0004), "0.0 points"),
        (signed(-0.04), "0.0"),
        (plain(-0.26), "−0.3"),
        (whole(1, "match", "matches"), "1 match"),
        (whole(1200, "match", "matches"), "1,200 matches"),
    ],
)
def test_numbers_in_words(text: str, expected: str) -> None:
    assert text == expected


ARRIVALS = (CARAVAN_LAYERS["arrivals"], CARAVAN_PLACES["arrivals"])


def of_two(first: tuple[float, float, float], second: tuple[float, float, float]) -> pl.DataFrame:
    return pl.DataFrame([("a", *first), ("b", *second)], schema=["player", "s", "s_low", "s_high"], orient="row")


def rated(*rows: tuple[str, float, float, float]) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=["player", "rating", "rating_low", "rating_high"], orient="row")
    return frame.with_columns(groups=60)


def test_the_highest_and_lowest_rated_must_differ_from_all_others() -> None:
    a, b, c = ("a", 90.0, 10.0, 170.0), ("b", 80.0, 0.0, 160.0), ("c", -170.0, -200.0, -140.0)
    assert ratings_finding(rated(a, b, c)) == (
        "Highest rating by places taken: a, +90 Elo (95% CI +10 to +170); difference from b (+80) not significant."
        " Rated lowest by places taken: c, −170 Elo (95% CI −200 to −140)."
    )
    assert ratings_finding(rated(a, c)) == "Rated highest by places taken: a, +90 Elo (95% CI +10 to +170)."


def test_a_single_player_is_rated_among_players_not_shown_or_not_at_all() -> None:
    assert ratings_finding(rated(("a", 90.0, 10.0, 170.0))) == (
        "a is rated +90 Elo (95% CI +10 to +170) by places taken; 0 is the mean of all who played."
    )
    alone = rated(("a", 0.0, 0.0, 0.0)).with_columns(rating_low=pl.lit(None, pl.Float64), rating_high=None)
    assert ratings_finding(alone) == "a cannot be rated yet: that takes another player, or more seeds."


def test_the_player_most_often_last_must_differ_from_all_others() -> None:
    placed = pl.DataFrame(
        [("a", 2, 1, 90, 0.6, 0.4, 0.8), ("a", 2, 2, 90, 0.4, 0.2, 0.6), ("b", 2, 1, 90, 0.4, 0.2, 0.6),
         ("b", 2, 2, 90, 0.6, 0.4, 0.8)],
        schema=["player", "players", "place", "played", "place_share", "place_share_low", "place_share_high"],
        orient="row",
    ).with_columns(groups=30)  # fmt: skip
    assert placement_finding(placed) == (
        "At tables of 2, b comes last in 60.0% of 90 matches (95% CI 40.0–80.0); difference from a (40.0%) not"
        " significant."
    )
    apart = placed.with_columns(place_share_low=pl.col("place_share") - 0.01, place_share_high=pl.col("place_share"))
    assert placement_finding(apart).startswith("At tables of 2, b comes last most often: in 60.0%")
    assert placement_finding(placed.filter(player="a")).startswith("At tables of 2, a comes last in 40.0%")


def winners(holm: float | None) -> pl.DataFrame:
    frame = of_two((0.5, 0.4, 0.6), (0.3, 0.2, 0.41)).with_columns(
        played=100, groups=50, expected_share=0.25, shared_seeds=50
    )
    frame = frame.rename({"s": "win_share", "s_low": "win_share_low", "s_high": "win_share_high"})
    return frame.with_columns(pl.Series("win_share_holm", [None, holm], pl.Float64))


def test_the_top_winner_must_win_more_than_each_other_player() -> None:
    assert win_finding(winners(0.05)) == (
        "a wins most often: 50.0% of 100 matches (95% CI 40.0–60.0), significantly more than any other shown (next: b,"
        " 30.0%)."
    )
    assert win_finding(winners(0.051)) == (
        "a wins most often: 50.0% of 100 matches (95% CI 40.0–60.0); lead over b (30.0%) not significant."
    )
    third = winners(0.04).tail(1).with_columns(player=pl.lit("c"))
    both = win_finding(pl.concat([winners(0.051), third]))
    assert both.endswith("(95% CI 40.0–60.0), significantly more than c; lead over b (30.0%) not significant.")


@pytest.mark.parametrize(
    ("shared", "end"),
    [
        (0, "; lead over b (30.0%, on different seeds) not significant."),
        (1, "; lead not significant. Too few shared seeds (1) to judge b."),
        (5, "; lead not significant. Too few shared seeds (5) to judge b."),
        (6, "; lead over b (30.0%) not significant."),
    ],
)
def test_a_player_with_too_few_shared_seeds_is_not_called_level(shared: int, end: str) -> None:
    """Six seeds that all agree give p = 1/32; corrected by 1.25, the share of wins has 0.039. Five seeds give 0.078."""
    assert win_finding(winners(0.051).with_columns(shared_seeds=shared)).endswith(f"(95% CI 40.0–60.0){end}")


def test_a_player_whose_share_is_within_the_interval_of_the_first_is_level() -> None:
    share = pl.when(pl.col("player") == "b").then(0.41).otherwise("win_share")
    near = winners(0.2).with_columns(win_share=share)
    assert win_finding(near).endswith("(95% CI 40.0–60.0); lead not significant; level with b (41.0%).")


def test_players_that_cannot_be_judged_are_named_with_their_shared_seeds() -> None:
    first, second = winners(0.051).head(1), winners(0.051).tail(1)
    others = [second.with_columns(player=pl.lit(name), shared_seeds=seeds) for name, seeds in (("b", 4), ("c", 5))]
    assert win_finding(pl.concat([first, *others])).endswith(" Too few shared seeds to judge b (4) and c (5).")


def test_a_single_player_gets_a_sentence_about_its_wins_only() -> None:
    assert win_finding(winners(None).tail(1)) == "b wins 30.0% of 100 matches (95% CI 20.0–41.0)."


@pytest.mark.parametrize(
    ("seeds", "end"),
    [(10, "too few seeds (10) to compare it with b (+80)."), (11, "difference from b (+80) not significant.")],
)
def test_too_few_seeds_for_a_lead_are_not_called_insignificant(seeds: int, end: str) -> None:
    """Ratings may use 0.00125 of the error rate; for two players p is at least 1/512 with ten seeds."""
    close = rated(("a", 90.0, 10.0, 170.0), ("b", 80.0, 0.0, 160.0)).with_columns(groups=seeds)
    assert ratings_finding(close).endswith(end)


@pytest.mark.parametrize(
    ("seeds", "said"),
    [
        (5, "5 seeds are too few for any difference between players to be significant; at least 9 are needed."),
        (1, "1 seed is too few for any difference between players to be significant; at least 9 are needed."),
        (9, ""),
    ],
)
def test_too_few_seeds_for_any_difference_are_reported(seeds: int, said: str) -> None:
    """Four players have six pairs, so each needs p < 0.04 / 6; 2^−7 is too large, 2^−8 is small enough."""
    pairs = [(a, b, seeds) for a in "abcd" for b in "abcd" if a != b]
    frame = pl.DataFrame(pairs, schema=["player", "other", "groups"], orient="row")
    assert too_few_for_any(frame) == too_few_for_any(frame.filter(pl.col("player") < pl.col("other"))) == said
    assert not too_few_for_any(frame.clear())


def test_pairs_without_a_significant_difference_are_not_reported_as_different() -> None:
    pair = {"player": "a", "other": "b", "pairs": 40, "groups": 10, "better_share": 0.6, "better_share_low": 0.5,
            "better_share_high": 0.7, "better_share_p": 0.03, "better_share_holm": 0.06}  # fmt: skip
    frame = pl.DataFrame([pair])
    assert head_to_head_finding(frame) == (
        "Head to head, no two players differ significantly in finishing ahead. Closest to significance: a finishes"
        " ahead of b in 60.0% of 40 meetings (95% CI 50.0–70.0)."
    )
    certain = head_to_head_finding(frame.with_columns(better_share_holm=1.0))
    assert certain == "Head to head, no two players differ significantly in finishing ahead.", "nothing is close"
    surely = head_to_head_finding(frame.with_columns(better_share_holm=0.04))
    assert surely.startswith("Head to head, 1 of 1 pair of players differs significantly in finishing ahead.")


def test_a_pair_is_described_from_the_side_of_the_better_player() -> None:
    pair = {"player": "a", "other": "b", "pairs": 40, "groups": 10, "better_share": 0.2, "better_share_low": 0.1,
            "better_share_high": 0.35, "better_share_p": 0.01, "better_share_holm": 0.02}  # fmt: skip
    assert head_to_head_finding(pl.DataFrame([pair])).endswith(
        "b finishes ahead of a in 80.0% of 40 meetings (95% CI 65.0–90.0)."
    )
    pair = {"player": "a", "other": "b", "paired_difference": -0.2, "paired_difference_low": -0.3,
            "paired_difference_high": -0.1, "paired_difference_p": 0.01, "paired_difference_holm": 0.02,
            "narrowing": None}  # fmt: skip
    assert paired_finding(pl.DataFrame([pair])) == (
        "On the same seeds, b wins more of its matches than a: +20.0 points (95% CI +10.0 to +30.0)."
    )


def test_the_largest_significant_effect_is_reported() -> None:
    seats = pl.DataFrame(
        {
            "players": [4] * 3,
            "seat": [0, 1, 2],
            "seat_effect": [0.4, -0.1, 0.05],
            "seat_effect_low": [-inf, -0.15, 0.01],
            "seat_effect_high": [inf, -0.05, 0.09],
            "seat_effect_p": [1.0, 0.001, 0.02],
            "seat_effect_holm": [1.0, 0.003, 0.04],
        }
    )
    assert seat_finding(seats) == (
        "2 of 3 seats have a significant effect. The strongest: seat 2 of 4, −10.0 points (95% CI −15.0 to −5.0)"
        " compared with what its players usually win."
    )
    open_ones = seat_finding(seats.with_columns(seat_effect_holm=pl.lit(0.5)))
    assert open_ones.startswith("Too few seeds to judge the seats. Closest to significance: seat 2 of 4")
    known = seats[1:].with_columns(seat_effect_holm=pl.lit(1.0))
    assert seat_finding(known) == "No seat has a significant effect: effects of up to 15.0 points remain possible."
    wide = known.with_columns(seat_effect_low=pl.lit(-0.4), seat_effect_high=pl.lit(0.5))
    assert seat_finding(wide) == "Too few seeds to judge the seats: effects of up to 50.0 points remain possible."


def test_a_position_in_turn_order_is_named_by_its_ordinal() -> None:
    effects = {"seat_effect": [0.1, -0.1], "seat_effect_low": [0.05, -0.15], "seat_effect_high": [0.15, -0.05]}
    starts = {"players": [2, 2], "turn_order": [1, 2], **effects, "seat_effect_p": [0.1] * 2}
    turns = pl.DataFrame({**starts, "seat_effect_holm": [0.01, 0.01]})
    assert seat_finding(turns) == (
        "2 of 2 positions in turn order have a significant effect. The strongest: starter of 2, +10.0 points (95% CI"
        " +5.0 to +15.0) compared with what its players usually win."
    )
    none = seat_finding(turns.with_columns(seat_effect_holm=pl.lit(1.0)))
    assert none == "No position in turn order has a significant effect: effects of up to 15.0 points remain possible."
    assert [seat_called({"players": 8, "turn_order": turn}) for turn in (2, 7)] == ["second of 8", "7th of 8"]


def test_a_paired_difference_that_may_be_zero_is_reported_as_such() -> None:
    pair = {"player": "a", "other": "b", "groups": 9, "paired_difference": 0.1, "paired_difference_low": -0.1,
            "paired_difference_high": 0.3, "paired_difference_p": 0.3, "narrowing": 1.25, "worth": 1.5625,
            "paired_difference_holm": 0.3}  # fmt: skip
    assert paired_finding(pl.DataFrame([pair])) == (
        "On the same seeds, no two players differ significantly in wins. Closest to significance: a over b, +10.0"
        " points (95% CI −10.0 to +30.0)."
    )
    few = {**pair, "groups": 5}
    assert paired_finding(pl.DataFrame([few])) == (
        "Too few shared seeds (5) to judge any two players. Largest difference: a over b, +10.0 points (95% CI −10.0 to"
        " +30.0)."
    )
    other = {**pair, "player": "c", "paired_difference_p": 0.9}
    assert paired_finding(pl.DataFrame([few, other])).endswith("+30.0); too few shared seeds (5) to judge.")
    none = paired_finding(pl.DataFrame([{**pair, "paired_difference_holm": 1.0}]))
    assert none == "On the same seeds, no two players differ significantly in wins."


def test_differences_of_two_selections_by_place_are_corrected_by_holm() -> None:
    rows = [(1, 30.0, 18.0, 12.0, 4.0, 20.0, 0.001, 0.004), (2, 10.0, 20.0, -10.0, -19.0, -1.0, 0.02, 0.06),
            (3, 9.0, 8.0, 1.0, -9.0, 11.0, 0.6, 1.0), (4, 7.0, 7.5, -0.5, -inf, inf, 0.125, 0.25)]  # fmt: skip
    name = "per_seat_difference"
    ends = [f"{name}{end}" for end in ("", "_low", "_high", "_p", "_holm")]
    columns = ["village", "per_seat", "other_per_seat", *ends]
    frame = pl.DataFrame(rows, schema=columns, orient="row").with_columns(groups=9)
    two = [Selection("winners", Filter(), 1), Selection("losers", Filter(), 3)]
    said = map_finding(*ARRIVALS, frame, two)
    assert said == (
        "Arrivals per 100 seats, winners (1 seat) minus losers (3 seats): significant difference in 1 of 4 villages"
        " (Holm, 5%). There are more in village 1, 30.0 against 18.0: +12.0 (95% CI +4.0 to +20.0)."
    )
    none = map_finding(*ARRIVALS, frame.filter(pl.col("village") > 1), two)
    assert none.endswith(": no significant difference in any of 3 villages (Holm, 5%).")
    both = map_finding(*ARRIVALS, frame.with_columns(pl.lit(0.01).alias(f"{name}_holm")), two)
    assert "significant difference in 4 of 4 villages" in both
    assert "There are fewer in village 2, 10.0 against 20.0: −10.0 (95% CI" in both


def test_counts_by_place_are_given_from_lowest_to_highest() -> None:
    frame = pl.DataFrame({"village": [1, 2, 3], "total": [60, 30, 10]})
    one = [Selection("all", Filter(), 4)]
    assert map_finding(*ARRIVALS, frame, one) == (
        "100 arrivals, 25.0 per player and match: from 10 (10.0%) in village 3 to 60 (60.0%) in village 1."
    )
    some = frame.with_columns(pl.Series("total", [60, 40, 0]))
    assert map_finding(*ARRIVALS, some, one) == (
        "100 arrivals, 25.0 per player and match: none in 1 village, up to 60 (60.0%) in village 1."
    )


def test_a_finding_shortens_names_as_everywhere() -> None:
    long = "Anna" + "x" * 196
    frame = pl.DataFrame({"player": [long], "other": ["Ben"]})
    assert shortened(f"{long} beat Ben.", frame) == f"Anna{'x' * 55}… beat Ben."


def test_long_names_leave_room_for_the_cells_of_a_matrix() -> None:
    def width(name: str) -> int:
        chart = Matrix((name,), (name,), (), ((0, "#fff"), (1, "#000")), 0, 1)
        layout: Any = plotly_figure(chart, LIGHT).to_dict()["layout"]
        return int(layout["meta"]["least"])

    assert width("Anna" * 40) >= width("Anna") + 200
