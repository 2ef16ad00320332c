"""Fitting models to matches with known win probabilities, and the checks that reject a bad model."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from himalaya_core.winprob.fit import TrainingError, fit, folds, predicted, table_of, temperature_of
from himalaya_core.winprob.train import ScoredNow, faults, quality, trained, write_model
from tests.core.winprob.synthetic import GAME, SEATS, WEIGHTS, made

TRAINING, HELD = made(1_200, "league", 1), made(2_400, "cup", 2)


@pytest.mark.slow("fits 6,000 matches")
def test_a_fit_recovers_the_first_and_last_weights() -> None:
    first, last = fit(table_of(GAME, made(6_000, "long", 3, positions=1)))
    found = np.stack([first, last], axis=1)
    assert np.abs(found - np.array(WEIGHTS)).max() < 0.25


@pytest.mark.parametrize("times", [0.5, 1.0, 10.0])
def test_a_temperature_corrects_overconfident_weights(times: float) -> None:
    first, last = (times * np.array(column) for column in zip(*WEIGHTS, strict=True))
    assert temperature_of([(table_of(GAME, HELD), first, last)]) == pytest.approx(times, rel=0.2)


def test_every_match_is_held_out_once_with_all_matches_of_its_seed() -> None:
    played = [replace(match, header=replace(match.header, luck=f"seed {at // 3}")) for at, match in enumerate(TRAINING)]
    seen = list[str]()
    for others, quarter in folds(played):
        assert len(others) + len(quarter) == len(played)
        assert not {match.seed for match in others} & {match.seed for match in quarter}
        assert len(quarter) == pytest.approx(len(played) / 4, abs=3)
        seen += [match.name for match in quarter]
    assert sorted(seen) == sorted(match.name for match in played)


@pytest.mark.slow("trains two models")
def test_training_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.json", "other.json"):
        write_model(trained(GAME, [*TRAINING, *HELD], "cup"), tmp_path / name)
    one, other = (tmp_path / name for name in ("one.json", "other.json"))
    assert one.read_bytes() == other.read_bytes()
    document = json.loads(one.read_bytes())
    assert document["trained_on"]["matches"] == len(TRAINING)
    assert document["checked_on"]["tournament"] == "cup"
    assert document["checked_on"]["matches"] == len(HELD)
    assert len(document["reliability"]) == 10
    assert document["checked"]["players"] == {str(SEATS): len(HELD)}


@pytest.mark.slow("fits models")
def test_the_check_passes_good_models_and_rejects_bad_ones() -> None:
    table, scored_now = table_of(GAME, HELD), ScoredNow(TRAINING).of(HELD)
    first, last = (np.array(column) for column in zip(*WEIGHTS, strict=True))

    def found(times: float) -> list[str]:
        return faults(quality(table, predicted(table, times * first, times * last), scored_now))

    assert found(1.0) == []
    assert [fault.split()[0] for fault in found(10.0)] == ["calibration", "log-loss"]
    assert [fault.split()[0] for fault in found(0.0)] == ["log-loss"]


def test_figures_match_their_definitions() -> None:
    held = [replace(match, won=(1.0, 0.0, 0.0, 0.0)) for match in HELD[:50]]
    table, constant = table_of(GAME, held), np.full(50 * 4 * SEATS, 0.25)
    found = quality(table, constant, np.tile([0.4, 0.2, 0.2, 0.2], 200))
    assert found.log_loss == found.log_loss_constant == pytest.approx(np.log(4))
    assert found.brier == found.brier_constant == pytest.approx(0.1875)
    assert found.gain == pytest.approx(np.log(0.25) - np.log(0.4))
    assert found.calibration_error == pytest.approx(0.0, abs=0.05)


def test_the_scored_now_baseline_counts_ranks_by_round() -> None:
    chances = ScoredNow(TRAINING).of(HELD).reshape(-1, SEATS)
    assert np.allclose(chances.sum(axis=1), 1)
    leads = chances.max(axis=1)
    rounds = np.array([place.round for match in HELD for place in match.positions])
    assert leads[rounds >= 8].mean() > leads[rounds <= 1].mean() + 0.1


def test_held_out_matches_must_not_be_in_training() -> None:
    leaked = replace(HELD[0], header=replace(HELD[0].header, tournament="league"), name="copy")
    with pytest.raises(TrainingError, match="is in cup, which is held out, and in the training"):
        trained(GAME, [*TRAINING, *HELD, leaked], "cup")


def test_too_few_matches_are_refused() -> None:
    with pytest.raises(TrainingError, match="at least 10 finished matches for held out, found 3"):
        trained(GAME, [*TRAINING, *HELD[:3]], "cup")
