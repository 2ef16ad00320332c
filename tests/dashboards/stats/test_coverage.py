"""95 % intervals hold the truth in 94 to 97 of 100 tournaments; few are tested here, a thousand in `make soak`."""

import logging
from importlib import import_module
from math import sqrt
from typing import Final

import numpy as np
import polars as pl
import pytest

from tests.dashboards.stats.coverage import COUNTS, KINDS, SEEDS, Kind, counted, coverage, difference_coverage

LOG: Final = logging.getLogger(__name__)
FEW, MANY = 30, 1_000
SIMULATED = pytest.mark.soak("simulates more tournaments")
LEAST, MOST = 0.94, 0.97
"""Range of coverage: the minimum always applies, the maximum only with enough seeds and counts."""


@pytest.fixture(autouse=True)
def no_resampling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the tests that resample signs and seats thousands of times; intervals do not use them."""
    monkeypatch.setattr("dashboards.stats.resampling.MANY", 0)
    monkeypatch.setattr("dashboards.stats.resampling.MANY_FLIPPED", 0)
    monkeypatch.setattr("dashboards.stats.standing.MANY", 0)


def missed(kind: Kind, tournaments: int, seeds: int, errors: float, *values: str) -> list[str]:
    """Return the intervals whose coverage is too low or too high by more than some standard errors."""
    found = []
    for (value,), held in (
        coverage(kind, tournaments, seeds, values).sort("value").group_by("value", maintain_order=True)
    ):
        assert len(held) == tournaments, "each has been counted"
        middle, width = held.select(pl.col("held").mean(), pl.col("held").std().alias("width")).row(0)
        error = max(width, sqrt(LEAST * (1 - LEAST)) / 3) / sqrt(tournaments)  # all intervals may hold it
        enough = held["enough"].mean() if seeds >= SEEDS else None
        told = f"{seeds} seeds, {value}: {100 * middle:.1f} % ± {100 * error:.1f}"
        told += "" if enough is None else f", with {COUNTS} counts {100 * float(enough):.1f} %"  # type: ignore[arg-type]
        LOG.info(told)
        if middle < LEAST - errors * error or float(enough or 0) > MOST + errors * error:  # type: ignore[arg-type]
            found.append(told)
    return found


@pytest.mark.parametrize(
    ("seeds", "tournaments"), [(6, 6), *(pytest.param(seeds, FEW, marks=SIMULATED) for seeds in (6, SEEDS))]
)
def test_intervals_contain_the_true_value(seeds: int, tournaments: int) -> None:
    """Tests the kinds that are most likely to fail; `make soak` tests each kind separately."""
    assert missed(Kind(3, 3, luck=1.0, step=1.0, many=4_000, sets=1), tournaments, seeds, 3.5) == []


@pytest.mark.soak("simulates thousands of tournaments")
@pytest.mark.parametrize("seeds", [6, 12, SEEDS, 100])
@pytest.mark.parametrize("kind", KINDS)
def test_intervals_contain_the_true_value_over_a_thousand(kind: str, seeds: int) -> None:
    LOG.info("%s", kind)
    assert missed(KINDS[kind], MANY, seeds, 2) == []


@pytest.mark.parametrize("seeds", [6, *(pytest.param(seeds, marks=SIMULATED) for seeds in (12, SEEDS, 100))])
def test_intervals_of_counts_contain_the_true_value(seeds: int) -> None:
    """Ten kinds, so the tolerance is three standard errors; each has a thousand tournaments, which are fast."""
    error = 3 * sqrt(LEAST * (1 - LEAST) / MANY)
    for kind, held, counts in counted(np.random.default_rng(seeds), MANY, seeds):
        LOG.info("%d seeds, %s: %.3f", seeds, kind, held)
        assert held >= LEAST - error, kind
        assert held <= MOST + error or seeds < SEEDS or counts < COUNTS, kind


@SIMULATED
def test_bundled_seeds_give_the_same_coverage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("dashboards.stats.ratings"), "BUNDLES", 50)
    assert missed(Kind(3, 2, luck=0.7, many=4_000, sets=1), FEW, 170, 3.5, "rating") == []


def test_intervals_of_differences_contain_the_true_value() -> None:
    assert difference_coverage(FEW) >= LEAST - 3.5 * sqrt(LEAST * (1 - LEAST) / FEW)


@pytest.mark.soak("simulates thousands of tournaments")
def test_intervals_of_differences_contain_the_true_value_over_a_thousand() -> None:
    assert LEAST <= difference_coverage(MANY) <= MOST
