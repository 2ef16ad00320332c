"""The statistics library and its intervals."""

import doctest
import subprocess
import sys
from math import inf

import polars as pl
import pytest

from dashboards import stats
from dashboards.stats.intervals import ANY, DIFFERENCE, clopper_pearson, mean_intervals
from tests.dashboards.stats.tournaments import STRENGTH, TINY


def test_the_example_of_the_library_runs() -> None:
    assert doctest.testmod(stats).failed == 0


def test_the_library_needs_no_warehouse_and_no_pages() -> None:
    code = "import sys, dashboards.stats; print(*{'duckdb', 'dash', 'plotly', 'scipy', 'ingest'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


@pytest.mark.parametrize("name", STRENGTH)
def test_strength_needs_only_the_places_in_a_frame(name: str) -> None:
    frame = TINY.select("match", "seat", "player", "place")
    alone = TINY.with_columns(pl.lit(None, pl.String).alias("luck"))
    assert STRENGTH[name](frame).equals(STRENGTH[name](alone))


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.3085), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1.0), (81, 263, 0.2527, 0.3676), (0, 0, 0, 1)],
)
def test_clopper_pearson_interval(successes: int, trials: int, low: float, high: float) -> None:
    """Same result as `scipy.stats.binomtest`, which requires whole numbers of trials."""
    assert clopper_pearson(successes, trials) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


@pytest.mark.parametrize(
    ("values", "within", "low", "high", "p"),
    [
        ([3.0] * 4, (0, inf), -inf, inf, 1 / 8),  # four seeds that agree prove nothing
        ([0.0] * 4, (0, inf), -inf, inf, 1),
        ([3.0] * 7, (0, inf), 3, 3, 1 / 64),  # 21 counted in all, without variation
        ([3.0] * 6, ANY, 3, 3, 1 / 32),
        ([0.0] * 6, (0, inf), 0, (1 + 2.570582 / 1.959964) * 1.959964**2 / 12, 1),  # as for a Poisson count of zero
        ([0.0, 1.0], DIFFERENCE, -1, 1, 1),
        ([0.0, 1.0], ANY, 0.5 - 12.7062 / 2, 0.5 + 12.7062 / 2, 1),
    ],
)
def test_the_interval_of_a_mean_agrees_with_its_test_and_ends_where_the_score_does(
    values: list[float], within: tuple[float, float], low: float, high: float, p: float
) -> None:
    rows = pl.DataFrame({"key": ["k"] * len(values), "group": range(len(values)), "x": values})
    found = mean_intervals(rows, ["key"], "x", "score", within).row(0, named=True)
    assert [found["score_low"], found["score_high"]] == pytest.approx([low, high])
    assert found["score_p"] == (p if values[0] == values[-1] else pytest.approx(0.5, abs=0.01))
