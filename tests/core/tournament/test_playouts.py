"""Playouts of the last rounds of a match by the match's own players."""

from dataclasses import replace
from itertools import pairwise

import pytest

import himalaya_core as hm
from himalaya_core.replay import Replay
from himalaya_core.tournament.playouts import ROUNDS, PlayoutError, play_out

SEATS = ("greedy", "random", "trader")


@pytest.fixture(scope="module")
def replay() -> Replay:
    return hm.play("caravan", SEATS, seed="played-out").replay


def test_playout_win_shares_end_at_the_outcome(replay: Replay) -> None:
    found = play_out(replay, 5)
    assert found.chances == play_out(replay, 5).chances
    assert 0.1 < found.error < 0.2
    assert found.chances[-1].chances == pytest.approx(replay.game.outcome(replay.states[-1]).shares)  # type: ignore[union-attr]
    assert found.chances[-1].seq == replay.entries[-2].seq or found.chances[-1].seq == replay.entries[-1].seq
    last = max(entry.round for entry in replay.entries)
    assert {valued.round for valued in found.chances} == set(range(last - ROUNDS + 1, last + 1))
    assert all(sum(valued.chances) == pytest.approx(1) for valued in found.chances)


def test_a_hidden_plan_does_not_change_the_chances() -> None:
    """Plans of `random` are never the same twice, so a playout that knew the hidden plan would change the result."""
    replay = hm.play("caravan", ("random", "random", "random"), seed="played-out").replay
    found = play_out(replay, 10).chances
    secret = [
        (before.chances, after.chances)
        for before, after in pairwise(found)
        if replay.entries[after.seq].type == "plan_committed"
    ]
    assert len(secret) == 2 * ROUNDS, "of the last plan of a round everybody knows"
    assert all(before == after for before, after in secret)


def test_a_match_that_cannot_be_played_out_gives_a_reason(replay: Replay) -> None:
    half = replace(replay, entries=replay.entries[:90], states=replay.states[:90], ended=None)
    with pytest.raises(PlayoutError, match="it is not over"):
        play_out(half, 1)
    first, *others = replay.header.seats
    stranger = replace(replay, header=replace(replay.header, seats=(replace(first, player="stranger"), *others)))
    with pytest.raises(PlayoutError, match="it is not installed"):
        play_out(stranger, 1)
    slow = pytest.MonkeyPatch()
    with slow.context() as patch:
        patch.setattr("himalaya_core.tournament.playouts.SECONDS", 0.001)
        with pytest.raises(PlayoutError, match=r"take \d+\.\d s to play the last rounds once, too long"):
            play_out(replay)


def test_playouts_near_the_end_predict_better_than_equal_chances() -> None:
    losses = []
    for number in range(2):
        played = hm.play("caravan", SEATS, seed=f"known-{number}").replay
        found = play_out(played, 6)
        outcome = played.game.outcome(played.states[-1])
        assert outcome is not None
        before = [valued for valued in found.chances if played.game.actors(played.states[valued.seq])]
        losses += [(c - s) ** 2 for each in before for c, s in zip(each.chances, outcome.shares, strict=True)]
    assert sum(losses) / len(losses) < 0.5 * (1 / 3) * (2 / 3)
