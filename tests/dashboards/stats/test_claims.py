"""Allowed claims: a lead is claimed only if the leading row differs from every other row."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import t as student

from dashboards.stats.claims import lead, lead_sentence
from dashboards.stats.intervals import mean_intervals


def frame(groups: int | None = 30, **bounds: tuple[float, float, float]) -> pl.DataFrame:
    """Return rows with keys a, b, … and a metric `x` with its bounds."""
    rows = [(key, groups, *values) for key, values in bounds.items()]
    return pl.DataFrame(rows, schema=["player", "groups", "x", "x_low", "x_high"], orient="row")


def clause(rows: pl.DataFrame, *, least: bool = False) -> str:
    return lead_sentence(rows, "x", "player", "{} earns most: {} yaks", "{} earns {} yaks", least=least)


def test_a_player_that_differs_from_all_others_leads() -> None:
    apart = frame(a=(9, 8.5, 9.5), b=(5, 4.5, 5.5), c=(1, 0.5, 1.5))
    assert clause(apart) == "a earns most: 9.0 yaks (95% CI 8.5–9.5)."
    assert clause(apart, least=True) == "c earns most: 1.0 yaks (95% CI 0.5–1.5)."
    assert clause(apart.reverse()) == clause(apart)


def test_a_player_that_does_not_differ_from_one_other_has_no_superlative() -> None:
    wide = frame(a=(9, 8.5, 9.5), b=(5, 4.5, 5.5), c=(4, -9, 17))
    assert clause(wide) == "a earns 9.0 yaks (95% CI 8.5–9.5; lead not significant)."
    assert clause(wide, least=True) == "c earns 4.0 yaks (95% CI −9.0 to 17.0; lowest, not significant)."
    near = frame(a=(9, 8.5, 9.5), b=(8.1, 8, 8.2))
    assert lead(near, "x").rival is not None, "intervals that do not overlap are not yet apart at this level"
    assert lead(near, "x", level=0.05).stands


def test_a_single_row_is_no_superlative() -> None:
    assert clause(frame(a=(9, 8.5, 9.5))) == "a earns 9.0 yaks (95% CI 8.5–9.5)."
    without = pl.DataFrame({"player": ["b"], "groups": [30]}).with_columns(pl.lit(None, pl.Float64).alias("x"))
    assert clause(pl.concat([frame(a=(9, 8.5, 9.5)), without], how="diagonal_relaxed")).startswith("a earns 9.0 yaks")


@pytest.mark.parametrize(
    "rows",
    [
        frame(groups=1, a=(9, 8.9, 9.1), b=(1, 0.9, 1.1)),
        frame(groups=5, a=(9, 9, 9), b=(1, 1, 1)),  # five seeds that agree prove nothing
        frame(a=(9, float("-inf"), float("inf")), b=(1, 0.9, 1.1)),
        frame(a=(9, 9, 9), b=(9, 9, 9)),
        frame(a=(9, 8.9, 9.1), b=(1, 0.9, 1.1)).with_columns(pl.lit(None, pl.Float64).alias("x_low")),
    ],
)
def test_too_few_groups_or_missing_bounds_show_no_lead(rows: pl.DataFrame) -> None:
    assert not lead(rows, "x").stands


def test_two_rows_are_as_far_apart_as_the_sum_of_their_errors_allows() -> None:
    """Bounds of t intervals of 30 seeds, 1 and 2 wide to each side: p is that of t = difference / (3 / t₀.₉₇₅)."""
    rows = frame(a=(10, 9, 11), b=(0, -2, 2))
    p = float(2 * student.sf(10 / 3 * student.ppf(0.975, 29), 29))
    assert lead(rows, "x", level=p * 1.001).stands
    assert not lead(rows, "x", level=p * 0.999).stands


@pytest.mark.slow("simulates tournaments")
@pytest.mark.parametrize("correlation", [-1.0, 0.0, 0.9])
def test_equal_rows_lead_no_more_often_than_the_level_whatever_their_correlation(correlation: float) -> None:
    random = np.random.default_rng(4)
    wrong = 0
    for _ in range(300):
        one, other = random.normal(size=(2, 40))
        two = correlation * one + np.sqrt(1 - correlation**2) * other
        rows = pl.DataFrame({"key": ["a"] * 40 + ["b"] * 40, "group": [*range(40)] * 2, "x": [*one, *two]})
        wrong += lead(mean_intervals(rows, ["key"], "x", "x", (-np.inf, np.inf)), "x", level=0.05).stands
    assert wrong <= 26  # 5 % of 300 is 15; more than 26 has a chance of 0.5 %
