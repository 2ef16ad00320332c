"""Calibration: the same as for models, with seeds as observations; and the coverage of its intervals."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from dashboards.stats.calibration import reliability
from dashboards.stats.words import significant
from himalaya_core.winprob import train

POSITIONS = 12
SEATS = 3


def matches(seeds: int, *, surer: float = 1.0, start: int = 1, of_seed: int = 1) -> pl.DataFrame:
    """Return `unit, match_id, seat, chance, won` of matches; chances are right, or overconfident by a factor."""
    random = np.random.default_rng(start)
    found = []
    for unit in range(seeds):
        truth = random.dirichlet([1.0] * SEATS)
        said = truth**surer / (truth**surer).sum()
        for match in range(of_seed):
            winner = random.choice(SEATS, p=truth)
            for _ in range(POSITIONS):
                found += [
                    (unit, unit * of_seed + match, seat, said[seat], float(seat == winner)) for seat in range(SEATS)
                ]
    return pl.DataFrame(found, schema=["unit", "match_id", "seat", "chance", "won"], orient="row")


def test_bins_and_error_are_those_by_which_models_are_checked() -> None:
    rows = matches(70)
    frame = reliability(rows)
    table: Any = SimpleNamespace(match=rows["unit"].to_numpy(), won=rows["won"].to_numpy())
    chances = rows["chance"].to_numpy()
    expected = train.reliability(table, chances)
    assert frame["positions"].to_list() == [each["seats"] for each in expected]
    assert frame["chance"].to_list() == pytest.approx([each["chance"] for each in expected], abs=0.0001)
    assert frame["won_share"].to_list() == pytest.approx([each["won"] for each in expected], abs=0.0001)
    (error,) = train._calibration_errors(table, chances, np.full((1, 70), 1.0))
    assert frame["calibration_error"].to_list() == pytest.approx([error] * 10)


def test_only_an_overconfident_model_is_flagged() -> None:
    def faults(frame: pl.DataFrame) -> int:
        return sum(significant(row, "calibration_difference") for row in frame.iter_rows(named=True))

    assert sum(faults(reliability(matches(300, start=start))) for start in range(3)) == 0
    assert faults(reliability(matches(300, surer=3.0))) > 0


@pytest.mark.slow("simulates tournaments")
@pytest.mark.parametrize(
    ("surer", "checked", "least"),
    [
        (1.0, 8, 7),
        pytest.param(1.0, 40, 37, marks=pytest.mark.soak("simulates more tournaments")),
        pytest.param(2.0, 40, 37, marks=pytest.mark.soak("simulates more tournaments")),
    ],
)
def test_the_interval_of_the_error_contains_the_true_value(surer: float, checked: int, least: int) -> None:
    """The true error is zero for right chances; otherwise it is computed from very many matches."""
    truth = 0.0 if surer == 1 else reliability(matches(20_000, surer=surer))["calibration_error"][0]
    held = 0
    for start in range(checked):
        row = reliability(matches(80, surer=surer, start=100 + start)).row(0, named=True)
        held += row["calibration_error_low"] <= truth <= row["calibration_error_high"]
    assert held >= least


def test_matches_of_one_seed_are_one_observation() -> None:
    once, often = (reliability(matches(60, of_seed=of_seed)) for of_seed in (1, 5))
    assert (once["groups"] <= 60).all()
    assert (often["groups"] <= 60).all()


def test_almost_no_data_gives_no_bins() -> None:
    few = matches(70).head(9)
    assert reliability(few).is_empty()
    assert reliability(few).schema == reliability(matches(70)).schema
    alone = reliability(matches(1)).row(0, named=True)
    assert (alone["calibration_error_low"], alone["calibration_error_high"]) == (0.0, float("inf"))
