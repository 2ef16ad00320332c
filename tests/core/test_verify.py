"""Verifying a log: names the first event that does not follow from the rules, and what was expected."""

import gc
import json
import weakref
from collections.abc import Sequence
from typing import Any

import pytest

import himalaya_core as hm
from himalaya_core import verification
from himalaya_core.replay import ReplayError
from himalaya_core.verification import DiceVerdict, Divergence, Judge, judge
from tests.conformance.playing import EVERY, SHARED, VARIANTS, Variant, recorded
from tests.core.log.damage import Damage, Lines, abandoned, at, renumber, resign, rewrite

LINES = list(recorded(VARIANTS[1], "verify")[1])
LAST = len(LINES) - 1
CASES: dict[str, tuple[Damage, str, int, str, str]] = {
    # columns: damage, type of the reported event, its index within that type, expected, actual
    "another village": (lambda lines: rewrite(lines, at("moved", lines), data__to=20), "moved", 0, "to=", "to=20"),
    "another cube": (
        lambda lines: rewrite(lines, at("collected", lines), data__resource="gold"),
        "collected",
        0,
        "collected by seat ",
        'resource="gold"',
    ),
    "another roll": (
        lambda lines: rewrite(lines, 3, data__village=20),
        "refill_rolled",
        2,
        "village=",
        "village=20",
    ),
    "an action that is not allowed": (
        lambda lines: rewrite(lines, at("plan_committed", lines), action={"type": "decline_trade"}),
        "plan_committed",
        0,
        "seat 1 has no trade to decide on now",
        "the action decline_trade by seat 1",
    ),
    "an action of another seat": (
        lambda lines: rewrite(lines, at("caravan_placed", lines), seat=3),
        "caravan_placed",
        0,
        "seat 4 may not place a caravan now",
        "the action place_caravan by seat 4 with ",
    ),
    "no action": (
        lambda lines: rewrite(lines, at("caravan_placed", lines), action=None),
        "caravan_placed",
        0,
        "the action that this ply follows from",
        "caravan_placed",
    ),
    "an action where none is": (
        lambda lines: rewrite(lines, at("rested", lines), action={"type": "decline_trade"}),
        "rested",
        0,
        "no action: the event follows by itself",
        "the action decline_trade by seat ",
    ),
    "another ply": (lambda lines: rewrite(lines, 5, ply=9), "refill_rolled", 4, "ply 5, round 0", "ply 9, round 0"),
    "another round": (lambda lines: rewrite(lines, 5, round=1), "refill_rolled", 4, "ply 5, round 0", "ply 5, round 1"),
    "an event left out": (
        lambda lines: renumber([line for n, line in enumerate(lines) if n != at("plans_revealed", lines)]),
        "",
        0,
        "plans_revealed",
        "",
    ),
    "the last event left out": (
        lambda lines: renumber([*lines[:-2], lines[-1]]),
        "match_ended",
        0,
        " with ",
        "match_ended",
    ),
    "an event too many": (
        lambda lines: renumber([*lines[:-1], lines[at("round_ended", lines)], lines[-1]]),
        "",
        0,
        "the action that this ply follows from",
        "round_ended",
    ),
    "an end too early": (
        lambda lines: renumber([*lines[: at("plan_committed", lines)], lines[-1]]),
        "match_ended",
        0,
        "more events: the match is not over",
        "match_ended",
    ),
    "another winner": (
        lambda lines: rewrite(lines, LAST, data__ranking=[[3], [2], [1], [0]]),
        "match_ended",
        0,
        "ranking ",
        "ranking [[3], [2], [1], [0]]",
    ),
    "other scores": (
        lambda lines: rewrite(lines, LAST, data__scores=[{"religious": 99}]),
        "match_ended",
        0,
        "scores ",
        'scores [{"religious": 99}]',
    ),
    "another state": (
        lambda lines: rewrite(lines, LAST, data__state_sha256="0" * 64),
        "match_ended",
        0,
        "state_sha256 ",
        "that of another",
    ),
    "a finished match called abandoned": (
        lambda lines: rewrite(lines, LAST, data__reason="abandoned"),
        "match_ended",
        0,
        "reason finished",
        "reason abandoned",
    ),
    "an end in another ply": (lambda lines: rewrite(lines, LAST, ply=1), "match_ended", 0, "ply ", "ply 1"),
    "an end in another round": (lambda lines: rewrite(lines, LAST, round=1), "match_ended", 0, "round 12", "round 1"),
}


@pytest.mark.parametrize(("damage", "kind", "number", "expected", "found"), CASES.values(), ids=CASES)
def test_a_line_that_breaks_the_rules_is_reported(
    damage: Damage, kind: str, number: int, expected: str, found: str
) -> None:
    lines = resign(damage(LINES))
    divergence = judge(lines).departure
    assert divergence is not None
    assert divergence.seq == divergence.line - 1
    if kind:
        assert divergence.line == at(kind, lines, number) + 1
    assert expected in divergence.expected
    assert found in divergence.found


def test_a_changed_but_legal_line_breaks_the_digest() -> None:
    """A player's name in the header is not covered by any rule, only by the digest."""
    lines = rewrite(LINES, 0, data__luck="another")
    divergence = judge(lines).departure
    assert divergence is not None
    assert (divergence.line, divergence.expected[:13]) == (len(lines), "lines_sha256 ")
    assert judge(resign(lines)).departure is None


@pytest.mark.parametrize("variant", EVERY, ids=str)
def test_a_log_with_different_formatting_is_judged_like_ours(variant: Variant) -> None:
    ours = recorded(variant, SHARED)[1]
    spaced = resign([json.dumps({**json.loads(line), "at": "2026-01-31T18:05:00Z"}).encode() + b"\n" for line in ours])
    assert judge(spaced).departure is judge(ours).departure is None
    middle = len(ours) // 2
    assert (
        judge(rewrite(spaced, middle, round=99)).departure
        == judge(rewrite(ours, middle, round=99)).departure
        is not None
    )


@pytest.mark.parametrize("is_ours", [True, False], ids=["as we write it", "with a time"])
@pytest.mark.parametrize("variant", EVERY, ids=str)
def test_each_event_of_a_growing_match_is_judged_once(
    variant: Variant, monkeypatch: pytest.MonkeyPatch, *, is_ours: bool
) -> None:
    lines = list(recorded(variant, SHARED)[1])
    lines = lines if is_ours else resign([rewrite(lines, n, at="2026-01-31T18:05:00Z")[n] for n in range(len(lines))])
    decided: list[object] = []
    step = verification.step

    def counted(game: Any, state: Any, action: Any) -> Any:
        decided.append(action)
        return step(game, state, action)

    monkeypatch.setattr(verification, "step", counted)
    whole = judge(lines)
    once, grown = len(decided), lines[:1]
    decided.clear()
    growing = Judge(grown)
    for size in range(1, len(lines) + 1, 3):
        grown += lines[len(grown) : size]
        assert growing.judgement() == whole  # the beginning of a valid match is valid
    grown += lines[len(grown) :]
    assert growing.judgement() == growing.judgement() == whole
    assert len(decided) == once
    grown += lines[-1:]
    for _ in range(2):
        with pytest.raises(ReplayError, match="type: expected nothing after match_ended"):
            growing.judgement()


def test_a_closed_judge_is_freed_without_garbage_collection() -> None:
    """A process that verifies many matches turns garbage collection off."""
    gc.disable()
    try:
        judged = Judge(LINES)
        assert judged.judgement().departure is None
        gone = weakref.ref(judged)
        judged.close()
        del judged
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("kept", [2, 1 << 16])
def test_the_cache_from_other_matches_hides_no_departure(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A payload cached from another match is still compared with what follows in this match."""
    monkeypatch.setattr(verification, "KEPT", kept)
    other = list(recorded(VARIANTS[1], SHARED)[1])
    assert judge(other).departure is judge(LINES).departure is None
    moved = [json.loads(line)["data"] for line in other if b'"type":"moved"' in line]
    for data in moved[:20]:
        place = at("moved", LINES)
        changed = resign(rewrite(LINES, place, data=data))
        departure = judge(changed).departure
        assert (departure is None) == (data == json.loads(LINES[place])["data"])
        assert departure is None or departure.line == place + 1


def test_a_departed_match_stays_departed_as_it_grows() -> None:
    lines = rewrite(LINES, at("moved", LINES), data__to=20)
    grown = lines[: at("moved", LINES)]
    growing = Judge(grown)
    assert growing.judgement().departure is None
    grown += lines[len(grown) : len(grown) + 1]
    departure = growing.judgement().departure
    assert departure is not None
    assert departure.seq == at("moved", LINES)
    grown += lines[len(grown) :]
    assert growing.judgement().departure == departure


@pytest.mark.parametrize("variant", EVERY, ids=str)
def test_dice_are_checked_against_the_seed_in_the_header(variant: Variant) -> None:
    ours = recorded(variant, SHARED)[1]
    assert (judge(ours).dice, judge(ours).other_dice) == (DiceVerdict.FOLLOWS, None)
    assert judge(ours[:-1]).dice is DiceVerdict.FOLLOWS
    assert judge(resign(nameless(ours))).dice is DiceVerdict.NONE
    first = next(number for number, line in enumerate(ours) if b'"action"' in line and b'"seat"' not in line)
    for other in ("another", "verify ", "Verify"):
        judgement = judge(resign(rewrite(ours, 0, data__luck=other)))
        assert (judgement.departure, judgement.dice) == (None, DiceVerdict.DIFFERS)
        assert judgement.other_dice is not None
        assert judgement.other_dice.line > first
        assert judgement.other_dice.expected.startswith(f"the dice of the seed {other}: ")


def test_dice_of_a_match_that_departs_from_the_rules_are_not_judged() -> None:
    judgement = judge(resign(rewrite(LINES, at("moved", LINES), data__to=20)))
    assert judgement.departure is not None
    assert (judgement.dice, judgement.other_dice) == (None, None)


def nameless(lines: Sequence[bytes]) -> Lines:
    """Return the lines without the seed in the header."""
    header = json.loads(lines[0])
    header["data"]["luck"] = None
    return [json.dumps(header, separators=(",", ":")).encode() + b"\n", *lines[1:]]


def test_an_unfinished_match_can_be_clean() -> None:
    assert judge(LINES[:-1]).departure is None
    assert judge(LINES[:1]).departure is None


def test_an_abandoned_match_is_clean() -> None:
    lines = abandoned(recorded(VARIANTS[0], SHARED)[1], 40)
    assert judge(lines).departure is None
    claimed = resign(rewrite(lines, len(lines) - 1, data__ranking=[[0], [1], [2]]))
    assert judge(claimed).departure == Divergence(len(lines), len(lines) - 1, "ranking []", "ranking [[0], [1], [2]]")


def test_an_illegal_action_is_reported_with_the_reason_of_the_rules() -> None:
    lines = hm.play("summit", ["random", "random"], seed="refused").log.splitlines(keepends=True)
    thrown = at("dice_rolled", lines)
    (told,) = hm.verify(rewrite(lines, thrown, action={"type": "throw_dice", "values": [3, 1]}))
    assert told == (
        f"line {thrown + 1}: seq {thrown}: the action throw_dice with values=[3,1] is not allowed: "
        "expected what 5 dice show, in ascending order, found 3, 1"
    )
