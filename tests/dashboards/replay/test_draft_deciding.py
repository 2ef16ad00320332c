"""Programs in recordings decide as if they had played from the start, even after entries were undone."""

from collections.abc import Iterable
from typing import Any

import pytest

from dashboards.replay import draft_deciding
from dashboards.replay.branch_document import write_action
from dashboards.replay.draft_deciding import Deciding, NotDecided, Table
from dashboards.replay.session import Setup, SetupSeat, new_setup, written
from himalaya_core.api import play
from himalaya_core.game import CHANCE
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed

SEED = "deciding"
SUMMIT = Setup("summit", (SetupSeat(program="random"), SetupSeat(program="greedy")), dice="drawn", seed=SEED)

SLOW = Setup("caravan", (SetupSeat(program="rollout:playouts=100000"),) * 3, dice="drawn", seed=SEED)


@pytest.fixture(scope="module")
def replay() -> Replay:
    return play("summit", ["random", "greedy"], seed=SEED).replay


def actions_of(replay: Replay) -> list[dict[str, Any]]:
    return [write_action(replay.game, entry.action) for entry in replay.entries if entry.action is not None]


def decided(table: Table, actions: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    table.follow(actions)
    return table.decision(table.ready(seat), seat)


def choices(replay: Replay, seat: int) -> list[int]:
    """Return the entry numbers after which a seat decided."""
    return [at for at, action in enumerate(actions_of(replay)) if action.get("seat") == seat]


def test_each_decision_is_that_of_the_match(replay: Replay) -> None:
    table, actions = Table(SUMMIT), actions_of(replay)
    for seat in (0, 1):
        for at in choices(replay, seat)[:12]:
            assert decided(table, actions[:at], seat) == actions[at]


@pytest.mark.parametrize("before", [0, 4], ids=["once more, as somebody was faster", "after it was taken back"])
def test_undone_actions_leave_no_trace_in_a_program(replay: Replay, before: int) -> None:
    table, actions = Table(SUMMIT), actions_of(replay)
    of_random = choices(replay, 0)
    for number, at in enumerate(of_random[before:30]):
        assert decided(table, actions[:at], 0) == actions[at]
        assert decided(table, actions[: of_random[number]], 0) == actions[of_random[number]]


def test_a_program_decides_by_the_current_course_after_an_undo(replay: Replay) -> None:
    used, actions = Table(SUMMIT), actions_of(replay)
    for at in choices(replay, 0)[:10]:
        decided(used, actions[:at], 0)
    done = actions[: choices(replay, 1)[2]]
    used.follow(done)
    other = used.recording.match.legal_actions(1)
    done += [next(each for each in written_in(replay, other) if each != actions[len(done)])]
    for _ in range(12):
        used.follow(done)
        seat = used.recording.match.actors[0]
        if seat == CHANCE:
            done += [write_action(replay.game, used.recording.match.sample_chance(Seed(SEED)))]
            continue
        chosen = decided(used, done, seat)
        assert chosen == decided(Table(SUMMIT), done, seat)
        done = [*done, chosen]


def written_in(replay: Replay, actions: Iterable[Any]) -> list[dict[str, Any]]:
    return [write_action(replay.game, action) for action in actions]


@pytest.mark.slow("starts processes")
def test_the_process_answers_in_order_and_reports_failures(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    actions, deciding = actions_of(replay), Deciding()
    of_caravan = actions_of(play("caravan", ["greedy"] * 3, seed=SEED).replay)
    planning = of_caravan[: next(at for at, each in enumerate(of_caravan) if each["type"] == "commit_plan")]
    wanted = {"draft": "1", "setup": written(SUMMIT)}
    try:
        for at in choices(replay, 1)[:3]:
            assert deciding.decision(wanted | {"actions": actions[:at], "seat": 1}) == actions[at]
        with pytest.raises(NotDecided, match=r"fails \(RecordingError\)"):
            deciding.decision(wanted | {"actions": actions[5:9], "seat": 1})
        at = choices(replay, 1)[4]
        assert deciding.decision(wanted | {"actions": actions[:at], "seat": 1}) == actions[at]
        monkeypatch.setattr(draft_deciding, "SECONDS", 0.2)
        with pytest.raises(NotDecided, match="takes longer than 0 seconds"):
            deciding.decision({"draft": "2", "setup": written(SLOW), "actions": planning, "seat": 1})
    finally:
        deciding.end()
    with pytest.raises(NotDecided, match="was ended from outside"):
        deciding.decision(wanted | {"actions": [], "seat": 1})


def test_a_program_is_named_in_full_with_its_settings_in_order() -> None:
    seats = [{"program": "rollout:horizon=2:playouts=4"}, {"program": "rollout"}, {"name": "Anna"}]
    setup = new_setup({"game": "caravan", "seats": seats, "dice": "drawn"}, ())
    assert [seat.program for seat in setup.seats] == ["rollout:playouts=4:horizon=2", "rollout", None]
    assert (setup.kind, setup.luck) == ("play", setup.seed)
    assert setup.seed != new_setup({"game": "caravan", "seats": seats, "dice": "drawn"}, ()).seed
