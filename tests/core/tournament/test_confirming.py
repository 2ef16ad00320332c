"""Better decisions confirmed by playouts: a real gain is confirmed, an equal or worse decision is not."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

import himalaya_core as hm
from himalaya_core.log.envelope import PERSON
from himalaya_core.replay import Replay
from himalaya_core.tournament.confirming import ConfirmError, confirm, digest_of, positions
from himalaya_core.winprob.key_moments import Evaluation
from himalaya_core.winprob.model import shipped
from himalaya_core.winprob.review import review
from tests.core.winprob.replays import sample
from tests.toy.installing import TOY, installed


@pytest.fixture(autouse=True, scope="module")
def nim_is_installed() -> Iterator[None]:
    with installed(TOY):
        yield


def nim(*heaps: int) -> Replay:
    """Return a match of `random` players with a large heap that was reduced to this one, move by move."""
    matches = (hm.play("nim2", ("random", "random"), seed=f"confirm-{number}").replay for number in range(1000))
    ends = slice(-len(heaps) - 1, -1)
    found = next(each for each in matches if tuple(state.heap for state in each.states[ends]) == heaps)
    assert found.states[1].heap > 12, "its first moves decide nothing"
    return found


def taking(replay: Replay, seq: int, count: int) -> Evaluation:
    """Return an evaluation claiming that taking another number would have gained half the win probability."""
    seat = replay.entries[seq].seat
    assert seat is not None
    return Evaluation(seq, seq, 1, seat, 0.5, 0.4, 0.6, {"type": "take", "count": count}, f"taking {count}")


def test_a_better_decision_is_confirmed_with_its_gain() -> None:
    """Taking both of the last two wins; taking only one lets the rival take the last."""
    replay = nim(2, 1, 0)
    judged = taking(replay, len(replay.entries) - 3, 2)
    found = confirm(replay, judged)
    assert (found.is_confirmed, found.pairs) == (True, 400)
    assert found.gain == pytest.approx((1.0, 0.99, 1.0), abs=0.01)
    assert found.text == "Confirmed: +100 points (95% CI 99 to 100), 400 pairs."
    assert confirm(replay, judged) == found


def test_an_equal_or_worse_decision_is_not_confirmed() -> None:
    replay = nim(2, 0)
    worse = taking(replay, len(replay.entries) - 2, 1)
    equal = [taking(replay, seq, count) for seq in (2, 3) for count in (1, 2, 3)]
    for judged in [worse, *equal]:
        found = confirm(replay, judged)
        assert (found.is_confirmed, found.gain, found.text) == (False, None, "No better decision was confirmed.")


def test_a_stand_in_for_a_person_is_named_and_part_of_the_key() -> None:
    replay = nim(2, 1, 0)
    first, second = replay.header.seats
    anna = replace(first, player="Anna", version=PERSON)
    recorded = replace(replay, header=replace(replay.header, seats=(anna, second), luck=None))
    judged = taking(replay, len(replay.entries) - 3, 2)
    found = confirm(recorded, judged)
    assert found.stand_ins == {0: "random"}
    assert found.text.endswith("400 pairs. random played for Anna (seat 1).")
    known = {digest_of(each, log, judged, "model") for each, log in [(replay, "a"), (recorded, "a"), (replay, "b")]}
    assert len(known) == 3


def test_a_confirmation_that_takes_too_long_is_refused() -> None:
    replay = nim(2, 0)
    with pytest.raises(ConfirmError, match="150 pairs take 0 s of processor time, and there are 0"):
        confirm(replay, taking(replay, 2, 3), seconds=1e-9)


@pytest.mark.slow("plays out")
@pytest.mark.parametrize("name", ["sample-three", "sample-climbers-two"])
def test_both_lines_continue_from_public_information_after_a_whole_decision(name: str) -> None:
    """A climb consists of several decisions; a plan is chosen before the others are known."""
    replay = sample(name)
    model = shipped(replay.game)
    assert model is not None
    part = sample(name, first=100) if name == "sample-three" else replay
    for judged in review(model, part).judgements:
        _, own = positions(replay, judged)
        if replay.game.name == "caravan":
            assert sum(plan is not None for plan in own.plans) == 1
        else:
            assert own in replay.states[judged.shown :]
