"""Intervals that say 95 % hold the truth in 95 of 100 tournaments; a few here, thousands in `make soak`."""

from importlib import import_module
from math import sqrt

import pytest

from dashboards.stats.ratings import BUNDLES
from tests.dashboards.stats.coverage import KINDS, coverage, difference_coverage, rating_coverage

FEW, MANY = 40, 2_000
RATED_BELOW = 0.01
"""By how much the percentile bootstrap may fall short: 60 seeds are few for it, and 200 samples for its tails."""


def too_low(kind: str, tournaments: int) -> dict[str, float]:
    """Return which intervals hold the truth less often than three and a half standard errors of a share allow."""
    error = 3.5 * sqrt(0.95 * 0.05 / tournaments)
    return {
        value: share
        for value, share in coverage(kind, tournaments).items()
        if share < 0.95 - error - (RATED_BELOW if value == "rating" else 0)
    }


def test_intervals_hold_the_truth() -> None:
    """Where most can be wrong; each kind by itself in `make soak`."""
    assert too_low("four matches a seed, shared places", FEW) == {}


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_the_truth_over_thousands(kind: str) -> None:
    assert too_low(kind, MANY) == {}


def enough(tournaments: int) -> float:
    return 0.95 - 3.5 * sqrt(0.95 * 0.05 / tournaments) - RATED_BELOW


def test_bundles_of_lucks_hold_the_truth_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("dashboards.stats.ratings"), "BUNDLES", 50)
    assert rating_coverage(FEW, 170) >= enough(FEW)


@pytest.mark.soak
def test_a_thousand_bundles_hold_the_truth_over_hundreds() -> None:
    assert rating_coverage(500, 3 * BUNDLES) >= enough(500)


def test_differences_of_two_selections_hold_the_truth() -> None:
    assert difference_coverage(FEW) >= enough(FEW)


@pytest.mark.soak
def test_differences_of_two_selections_hold_the_truth_over_thousands() -> None:
    assert difference_coverage(MANY) >= enough(MANY)
