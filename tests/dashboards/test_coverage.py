"""Intervals that say 95 % hold the truth in 95 of 100 tournaments; a few here, thousands in `make soak`."""

from math import sqrt

import pytest

from tests.dashboards.coverage import KINDS, coverage

FEW, MANY = 40, 2_000
RATED_BELOW = 0.01
"""By how much the percentile bootstrap may fall short: 60 lucks are few for it, and 200 samples for its tails."""


def too_low(kind: str, tournaments: int) -> dict[str, float]:
    """Return which intervals hold the truth less often than three and a half standard errors of a share allow."""
    error = 3.5 * sqrt(0.95 * 0.05 / tournaments)
    return {
        value: share
        for value, share in coverage(kind, tournaments).items()
        if share < 0.95 - error - (RATED_BELOW if value == "rating" else 0)
    }


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_the_truth(kind: str) -> None:
    assert too_low(kind, FEW) == {}


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_the_truth_over_thousands(kind: str) -> None:
    assert too_low(kind, MANY) == {}
