"""Win probabilities: at every decision, independent of secrets, and absent where no model applies."""

import json
import random
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from himalaya_core.caravan.pieces import Act
from himalaya_core.caravan.state import evolve
from himalaya_core.engine import settle, step
from himalaya_core.game import CHANCE, Game
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.summit import state as summit_state
from himalaya_core.summit.scoring import standing
from himalaya_core.winprob.fit import predicted, sampled, table_of
from himalaya_core.winprob.key_moments import course, decisions
from himalaya_core.winprob.model import (
    LEAST_CHECKED,
    Model,
    ModelError,
    chances,
    fixed_shares,
    load_model,
    not_valued,
    shipped,
)
from himalaya_core.winprob.train import LEAST_GAIN
from tests.core.winprob.documents import document_of, model_of
from tests.core.winprob.replays import sample

ROOT = Path(__file__).parents[3]
GOLDEN = ("caravan-3", "caravan-4-advanced", "caravan-6", "summit-2", "summit-5", "climbers-2", "climbers-5")
CARAVAN = GAMES["caravan"]


def golden(name: str) -> Replay:
    return Replay.read(BytesIO((ROOT / "tests" / "golden" / f"{name}.jsonl").read_bytes()))


@pytest.mark.parametrize("name", GOLDEN)
def test_chances_sum_to_one_and_end_at_the_outcome(name: str) -> None:
    replay = golden(name)
    valued = course(model_of(replay.game), replay)
    assert [each.ply for each in valued] == list(range(replay.entries[-1].ply + 1))
    assert max(abs(sum(each.chances) - 1) for each in valued) < 1e-12
    assert replay.ended is not None
    winners = replay.ended.ranking[0]
    opened = [each for each in valued if each.chances != valued[-1].chances]
    assert valued[: len(opened)] == opened, "a fixed result stays fixed"
    assert all(0 < chance < 1 for each in opened for chance in each.chances)
    assert valued[-1].seq == len(replay.entries) - 1
    assert valued[-1].chances == tuple((seat in winners) / len(winners) for seat in range(len(replay.header.seats)))


@pytest.mark.parametrize("name", GOLDEN)
def test_the_shipped_model_covers_the_game_and_predicts_better_than_the_score(name: str) -> None:
    replay = golden(name)
    model = shipped(replay.game)
    assert model is not None
    assert not_valued(model, replay.header) is None
    assert model.document["quality"]["gain_from"] > 0.9 * LEAST_GAIN
    assert len(course(model, replay)) == replay.entries[-1].ply + 1


@pytest.mark.slow("every model")
@pytest.mark.parametrize("name", GOLDEN)
def test_the_checked_chances_are_the_reported_ones(name: str) -> None:
    path, replay = ROOT / "tests" / "golden" / f"{name}.jsonl", golden(name)
    model, (match,) = model_of(replay.game), sampled(replay.game, [path])
    assert match is not None
    assert len(match.positions) <= 32
    found = predicted(table_of(replay.game, [match]), np.array(model.first), np.array(model.last))
    given = [each.chances for each in course(model, replay)]
    seats = len(match.won)
    first, middle = found[:seats], found[len(match.positions) // 2 * seats :][:seats]  # the result of the last is known
    assert np.allclose(first, given[0], atol=1e-12)
    assert any(np.allclose(middle, chances, atol=1e-12) for chances in given)


@pytest.mark.parametrize("name", GOLDEN)
def test_features_are_named_and_progress_rises_from_0_to_1(name: str) -> None:
    replay = golden(name)
    features = replay.game.features
    assert features is not None
    assert all(text.endswith(".") for text in features.names.values())
    rows = [features.rows(state) for state in replay.states]
    assert {len(row) for by_seat in rows for row in by_seat} == {len(features.names)}
    progress = [features.progress(state) for state in replay.states]
    assert 0 <= progress[0] < 0.1
    assert 0.3 < max(progress) <= 1


@pytest.mark.parametrize("name", ["caravan-3", "caravan-4-advanced", "caravan-6", "sample-climbers-three"])
def test_a_result_is_fixed_when_no_decision_and_no_draw_can_change_it(name: str) -> None:
    replay = sample(name) if name.startswith("sample") else golden(name)
    game, shares = replay.game, course(model_of(replay.game), replay)[-1].chances
    fixed = [at for at in decisions(replay) if fixed_shares(game, replay.states[at]) is not None]
    assert game.outcome(replay.states[fixed[0]]) is None
    for at in fixed[:3]:
        assert {outcome_by_random(game, replay.states[at], f"{name}-{number}") for number in range(12)} == {shares}


def outcome_by_random(game: Game[Any, Any, Any], state: Any, luck: str) -> tuple[float, ...]:
    """Play on at random, and return the shares of the win."""
    draws = random.Random(luck)
    while (outcome := game.outcome(state)) is None:
        actors = game.actors(state)
        if not actors:
            state = settle(game, state)[-1][1]
            continue
        actor = draws.choice(actors)
        drawn = actor == CHANCE
        action = game.sample_chance(state, Seed(luck)) if drawn else draws.choice(game.legal_actions(state, actor))
        state = step(game, state, action)[-1][1]
    return outcome.shares


def test_the_result_is_fixed_in_caravan_after_the_last_trade_though_a_refill_is_rolled() -> None:
    replay = golden("caravan-4")
    last = max(entry.seq for entry in replay.entries if entry.action is not None and entry.seat is not None)
    rolled = [state for state in replay.states[last:] if CARAVAN.actors(state) == (CHANCE,)]
    assert rolled
    assert {fixed_shares(CARAVAN, state) for state in rolled} == {course(model_of(CARAVAN), replay)[-1].chances}
    earlier = [state for state in replay.states if CARAVAN.actors(state) == (CHANCE,) and state.round < 12]
    assert {fixed_shares(CARAVAN, state) for state in earlier} == {None}


def test_the_result_is_fixed_in_summit_when_only_bad_weather_is_left_in_the_deck() -> None:
    game, states = GAMES["summit"], golden("summit-2").states
    throwing = [state for state in states if game.actors(state) == (CHANCE,) and state.draws and max(state.climbers)]
    last = summit_state.evolve(throwing[0], cycle=2, deck=())
    assert fixed_shares(game, throwing[0]) is None
    assert fixed_shares(game, last) == standing(last).shares


def test_a_game_that_names_no_closing_phase_has_fixed_results_too() -> None:
    game, replay = GAMES["climbers"], sample("sample-climbers-three")
    assert game.features is not None
    plain = replace(game, features=replace(game.features, is_closing=None))
    fixed = [state for state in replay.states if game.outcome(state) is None and fixed_shares(game, state)]
    assert fixed
    assert all(fixed_shares(plain, state) == fixed_shares(game, state) for state in fixed)


def test_hidden_plans_do_not_change_chances() -> None:
    model, seen = model_of(CARAVAN), 0
    for state in golden("caravan-4-advanced").states:
        if state.step == 0 and any(state.plans):
            others = tuple(plan and (Act.REST,) * 6 for plan in state.plans)
            expected = chances(model, state)
            assert chances(model, evolve(state, plans=others)) == expected
            assert chances(model, evolve(state, plans=(None,) * len(state.plans))) == expected
            assert all(chances(model, CARAVAN.view(state, seat)) == expected for seat in state.seats)
            seen += 1
    assert seen > 10


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"rules_version": "0"}, "rules version 0 was not checked, only 1"),
        ({"options": {"players": 4, "tokens": True}}, "option tokens on was not checked"),
        ({"options": {"players": 4, "first": 2}}, "option first on was not checked"),
        ({"options": {"players": 4, "fewer_rewards": True}}, "option fewer_rewards on was not checked"),
        ({"options": {"players": 4, "weather": 1}}, "option weather on was not checked"),
        ({"seats": 3}, "3 players were not checked"),
        ({"board": "f" * 64}, "the board tilsit-reconstructed (ffffffffffff…) was not checked"),
        ({"game": "climbers"}, "the model is of caravan, the match of climbers"),
    ],
)
def test_a_match_outside_the_checked_kinds_is_not_valued(changes: dict[str, Any], reason: str | None) -> None:
    document = document_of(CARAVAN)
    document["checked"]["players"]["3"] = LEAST_CHECKED - 1
    document["checked"]["options"]["tokens"] = {"off": 50}
    del document["checked"]["options"]["fewer_rewards"]
    del document["checked"]["options"]["first"]["on"]
    header = golden("caravan-4").header
    header = replace(header, options={"players": 4})
    if "seats" in changes:
        changes = {"seats": header.seats[: changes["seats"]]}
    if "board" in changes:
        changes = {"board": replace(header.board, sha256=changes["board"])}
    assert not_valued(Model.of(document, CARAVAN), replace(header, **changes)) == reason


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", 2, "model.format: expected 1, found 2"),
        ("game", "summit", "model.game: expected caravan, found summit"),
        ("temperature", 0, "model.temperature: expected more than 0, found 0"),
        ("temperature", "1", "model.temperature: expected a number, found '1'"),
        ("features", {"religious": [1, 2]}, "model.features: expected those of this version"),
        ("checked", {}, "model.checked: 'boards' is missing"),
        ("reliability", None, "model.reliability: expected a list, found null"),
    ],
)
def test_a_file_that_is_not_a_model_is_refused(key: str, value: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps({**document_of(CARAVAN), key: value}))
    with pytest.raises(ModelError) as refused:
        load_model(path, CARAVAN)
    assert str(refused.value).startswith(f"{path}: {message}")


def test_a_weight_that_is_not_a_number_is_named() -> None:
    document = document_of(CARAVAN)
    document["features"]["tea"] = [1, None]
    with pytest.raises(ModelError, match=r"model\.features\.tea: expected two numbers, found \[1, null\]"):
        Model.of(document, CARAVAN)
