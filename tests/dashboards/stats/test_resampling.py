"""Tests that resample signs and seats: results counted by hand, and robust to rounding."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from dashboards.stats.differences import paired
from dashboards.stats.intervals import mean_test, shares, sums
from dashboards.stats.resampling import bundled, flip_tests, seat_tests
from dashboards.stats.standing import seat_effect
from tests.dashboards.stats.tournaments import results, simulated, summed

SIMULATED = pytest.mark.soak("simulates more tournaments")
ROUNDED = 0.1 + 0.2 - 0.3
"""Zero except for rounding."""


def column(*values: float) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    return np.array(values, float)[:, None]


def test_all_sign_changes_are_counted_for_few_seeds() -> None:
    moved = [0.5, 0.25, 0.25, -0.1, 0.4]
    changed = [abs(sum(s * m for s, m in zip(signs, moved, strict=True))) for signs in product((1, -1), repeat=5)]
    expected = sum(each >= sum(moved) - 1e-9 for each in changed) / 32
    assert flip_tests(column(*moved)).tolist() == [expected]


@pytest.mark.parametrize("seeds", [12, 13, 60, 99, 100, 5_000])
def test_p_is_close_to_that_of_t_for_any_number_of_seeds(seeds: int) -> None:
    moved = np.random.default_rng(seeds).normal(0.1, 1, (seeds, 20))
    _, expected = ttest_1samp(moved, 0)
    assert flip_tests(moved) == pytest.approx(expected, abs=0.03)


def test_extreme_p_is_that_of_t_and_never_below_the_limit_for_the_seeds() -> None:
    moved = np.random.default_rng(3).normal(1, 1, (60, 1))
    _, expected = ttest_1samp(moved, 0)
    assert flip_tests(moved) == pytest.approx(expected)
    assert flip_tests(column(*[1.0] * 5, *[0.0] * 400)).tolist() == [2.0**-4]
    assert flip_tests(column(*[1.0] * 30)).tolist() == [2.0**-29]


def test_thousands_of_seeds_are_tested_in_bundles() -> None:
    moved = np.random.default_rng(5).normal(0.02, 1, (10_500, 3))
    assert bundled(moved).shape == (1_000, 3)
    assert bundled(moved).sum(axis=0) == pytest.approx(moved.sum(axis=0))
    assert (bundled(moved[:900]) == moved[:900]).all()
    _, expected = ttest_1samp(moved, 0)
    assert flip_tests(bundled(moved)) == pytest.approx(expected, abs=0.05)


def test_forty_players_are_distinguished_as_fast_as_four() -> None:
    """Their 780 pairs are tested with t; p is not below the minimum for this number of seeds."""
    random = np.random.default_rng(6)
    found = flip_tests(random.normal(0.5, 1, (30, 780)))
    assert found.shape == (780,)
    assert found.min() >= 2.0**-29


def test_rounding_is_no_difference() -> None:
    assert flip_tests(column(*[ROUNDED] * 12)).tolist() == [1]
    assert mean_test(12, 12 * ROUNDED, 12, 0.0) == (0, 0, 0, 1)
    assert mean_test(12, 12 * ROUNDED, 12, 1e-33)[-1] == 1
    assert flip_tests(column(*[0.25, -0.25] * 6, *[ROUNDED] * 8)).tolist() == [1]


def test_nothing_is_tested_without_seeds_or_without_tests() -> None:
    assert flip_tests(np.zeros((0, 2))).tolist() == [1, 1]
    assert flip_tests(np.zeros((5, 0))).tolist() == []
    assert [part.tolist() for part in seat_tests(np.zeros((0, 3)))] == [[1] * 3] * 2


def test_seats_are_renamed_in_every_order() -> None:
    beyond = np.array([[0.5, -0.25, -0.25], [0.75, -0.5, -0.25], [0.4, -0.4, 0.0]])
    orders = [list(permutations(row)) for row in beyond]
    totals = [np.abs(np.sum(rows, axis=0)) for rows in product(*orders)]
    found = np.abs(beyond.sum(axis=0))
    alone, together = seat_tests(beyond)
    assert together == pytest.approx([np.mean([t.max() >= f - 1e-9 for t in totals]) for f in found], abs=0.03)
    assert alone == pytest.approx([np.mean([(t >= f - 1e-9).mean() for t in totals]) for f in found], abs=0.03)


def test_equal_players_in_equal_seats_are_equal_however_strong_a_seed_s_effect() -> None:
    """Four equal players on twelve seeds, each of which always lets the same seat win: no player is better."""
    names = "abcd"
    rotated = [
        (f"l{seed:02}", {names[(turn + seat) % 4]: 1 + (seat - seed) % 4 for seat in range(4)})
        for seed in range(12)
        for turn in range(4)
    ]
    frame = paired(results(*rotated))
    assert frame["paired_difference"].to_list() == [0] * 12
    assert frame["paired_difference_holm"].to_list() == [1] * 12
    assert (frame["paired_difference_high"] > 0.05).all(), "twelve seeds alike do not prove that all are"
    assert seat_effect(results(*rotated))["seat_effect_holm"].to_list() == [1] * 4


def test_a_seat_that_never_wins_has_an_interval_that_ends_above_its_share() -> None:
    first = [
        (f"l{seed}", {"abc"[(turn + seat) % 3]: 1 + seat for seat in range(3)})
        for seed in range(8)
        for turn in range(3)
    ]
    last = seat_effect(results(*first)).row(2, named=True)
    assert last["seat_share"] == 0
    assert last["seat_effect"] == pytest.approx(-1 / 3)
    assert last["seat_effect_low"] == pytest.approx(-1 / 3)
    assert last["seat_effect_high"] > -1 / 3 + 0.05


def test_no_success_gives_a_lower_interval_than_three() -> None:
    """With 480 matches on 30 seeds, the interval of no wins is below that of three, and above that of 480 trials."""
    rows = summed({"none": 0, "three": 3, "many": 120}, trials=480, seeds=30)
    bounds = dict(shares(sums(rows, ["key"], "x"), ["key"], "share", "n").select("key", "share_high").rows())
    assert 3 / 480 < bounds["none"] < bounds["three"] < bounds["many"]
    assert bounds["none"] > 1 - 0.05 ** (1 / 480)


@pytest.mark.parametrize(
    ("players", "seeds", "luck", "tournaments", "most"),
    [
        (4, 10, 3.0, 10, 3),  # 5 % of 10 is 0.5; more than 3 has a chance of 0.1 %
        # 5 % of 60 is 3; more than 8 has a chance of 0.5 %
        pytest.param(3, 10, 0.0, 60, 8, marks=SIMULATED),
        pytest.param(4, 10, 3.0, 60, 8, marks=SIMULATED),
        pytest.param(6, 6, 3.0, 60, 8, marks=SIMULATED),
    ],
)
def test_seats_without_an_effect_are_found_no_more_often_than_the_level(
    players: int, seeds: int, luck: float, tournaments: int, most: int
) -> None:
    random, names = np.random.default_rng(players), dict.fromkeys("abcdef"[:players], 0.0)
    wrong = 0
    for _ in range(tournaments):
        played = simulated(random, names, seeds, per_luck=players, luck=luck, rotated=True)
        wrong += (seat_effect(played)["seat_effect_holm"] <= 0.05).any()
    assert wrong <= most
