"""Reviews of caravan: causes that add up to the outcome, no hidden plans, and unbiased evaluations."""

import json
import pickle
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from himalaya_core.api import play
from himalaya_core.caravan.pieces import PLAN_LENGTH, Act
from himalaya_core.files import read_lines
from himalaya_core.game import CHANCE
from himalaya_core.games import GAMES
from himalaya_core.log.codec import decode_action
from himalaya_core.players.caravan.hindsight import hindsight
from himalaya_core.players.caravan.planner import Planner
from himalaya_core.players.caravan.review import CARAVAN, TO_CHOOSE, TO_JUDGE, _costs, judged, subject_of
from himalaya_core.players.caravan.rounds import reference, rounds
from himalaya_core.replay import Replay, matches
from himalaya_core.winprob.key_moments import Kind, Swing, review_of
from himalaya_core.winprob.model import shipped
from himalaya_core.winprob.review import as_document, review
from tests.conformance.playing import ADVANCED
from tests.core.winprob.planted import planted, value
from tests.once import once_written

ROOT = Path(__file__).parents[3]
GOLDEN = [f"caravan-{players}{on}" for players in (3, 4, 5, 6) for on in ("", "-advanced")]
SLOW_GOLDEN = {"caravan-3", "caravan-5", "caravan-6-advanced"}
"""Matches that, with the fast one, cover every number of seats, with and without the options."""
SAMPLES = ("sample-three", "sample-four", "sample-mixed")
FEW = settings(max_examples=max(3, settings().max_examples // 32))
LINE_UPS = st.lists(st.sampled_from(("random", "trader", "greedy", "envoy", "pilgrim")), min_size=3, max_size=6)


@cache
def lines_of(name: str) -> Sequence[bytes]:
    if name in SAMPLES:
        return next(iter(matches(read_lines(ROOT / "logs" / "sample" / f"{name}-0001.jsonl.zst"))))[1]
    return (ROOT / "tests" / "golden" / f"{name}.jsonl").read_bytes().splitlines(keepends=True)


@cache
def replay_of(name: str) -> Replay:
    return Replay.read(lines_of(name))


@cache
def swings_of(name: str) -> Sequence[Swing]:
    """Return the changes of win probability in a match, computed once per run by any process."""
    made = once_written(f"swings of {name}", lambda: pickle.dumps(hindsight(replay_of(name), value())))
    found: Sequence[Swing] = pickle.loads(made)
    return found


def told_so_far(replay: Replay, swings: Sequence[Swing]) -> list[float]:
    """Return for each seat the initial win probability plus all changes."""
    first = value()(replay.states[0])
    return [chance + sum(swing.amounts[seat] for swing in swings) for seat, chance in enumerate(first)]


def check_sums(replay: Replay, swings: Sequence[Swing]) -> None:
    outcome = replay.game.outcome(replay.states[-1])
    assert outcome is not None
    assert told_so_far(replay, swings) == pytest.approx(outcome.shares, abs=1e-9)
    assert max(abs(sum(swing.amounts)) for swing in swings) < 1e-9


@pytest.mark.parametrize(
    "name",
    [
        *(
            pytest.param(
                name,
                marks=pytest.mark.slow("every number of seats")
                if name in SLOW_GOLDEN
                else pytest.mark.soak("more matches and rounds"),
            )
            for name in GOLDEN
            if name != "caravan-4-advanced"
        ),
        pytest.param("caravan-4-advanced", marks=pytest.mark.slow("every option")),
        "sample-four",
        *(pytest.param(name, marks=pytest.mark.slow("more matches")) for name in SAMPLES if name != "sample-four"),
    ],
)
def test_swings_of_a_match_sum_to_its_outcome(name: str) -> None:
    replay, swings = replay_of(name), swings_of(name)
    check_sums(replay, swings)
    ends = {
        entry.seq for entry, after in zip(replay.entries, replay.entries[1:], strict=False) if entry.ply != after.ply
    }
    assert all(swing.since in {0, *ends} and swing.seq in {len(replay.entries) - 1, *ends} for swing in swings)
    plans = Counter((swing.round, swing.by) for swing in swings if swing.kind is Kind.PLAN)
    assert plans == Counter({(number, seat): 1 for number in range(1, 13) for seat in replay.states[0].seats})


@pytest.mark.slow("matches of any line-up with any options")
@FEW
@given(
    line_up=LINE_UPS,
    on=st.fixed_dictionaries({option: st.booleans() for option in ADVANCED}),
    first=st.integers(0, 2),
    seed=st.text("abc", min_size=1, max_size=4),
)
def test_swings_sum_to_the_outcome_for_any_line_up_and_options(
    line_up: list[str], on: dict[str, bool], first: int, seed: str
) -> None:
    replay = play("caravan", line_up, seed=seed, options={**on, "first": first}).replay
    check_sums(replay, hindsight(replay, value()))


@pytest.mark.parametrize(
    ("name", "parts_of_it"),
    [
        ("sample-four", 1),
        *(
            pytest.param(name, 5, marks=pytest.mark.slow("more parts"))
            for name in ("caravan-4-advanced", "sample-four")
        ),
    ],
)
def test_a_match_in_progress_has_swings_for_completed_rounds(name: str, parts_of_it: int) -> None:
    """The swings of a part of a match equal those of the whole match, although a ply may end later in the whole."""

    def parts(swings: Sequence[Swing]) -> list[Any]:
        return [(each.since, each.round, each.by, each.kind, each.amounts) for each in swings]

    whole, lines = swings_of(name), lines_of(name)
    for count in Random(name).sample(range(1, len(lines)), parts_of_it):
        replay = Replay.read(lines[:count])
        swings = hindsight(replay, value())
        assert parts(swings) == parts(whole[: len(swings)])
        assert all(swing.seq < count for swing in swings)
        done = [each.number for each in rounds(replay) if each.done is not None]
        assert {swing.round for swing in swings if swing.round} == set(done)


def cut(name: str, number: int, kind: str) -> int:
    """Return the number of lines up to the last event of a type in a round."""
    return max(entry.seq for entry in replay_of(name).entries if (entry.round, entry.type) == (number, kind)) + 1


@pytest.mark.parametrize(
    "number", [1, *(pytest.param(number, marks=pytest.mark.slow("more rounds")) for number in (7, 12))]
)
def test_a_hidden_plan_does_not_change_the_swings(number: int) -> None:
    lines = list(lines_of("sample-four")[: cut("sample-four", number, "plan_committed") - 1])
    shown = Replay.read(lines)
    assert not any(entry.type == "plans_revealed" for entry in shown.entries if entry.round == number)
    for place in (-1, -2):
        line = json.loads(lines[place])
        line["data"]["plan"] = line["action"]["plan"] = ["rest"] * PLAN_LENGTH
        lines[place] = json.dumps(line).encode() + b"\n"
    hidden = Replay.read(lines)
    assert hidden.states[-1] != shown.states[-1]
    assert hindsight(hidden, value()) == hindsight(shown, value())
    last = {entry.seq for entry in shown.entries if number - 1 <= entry.round}
    assert judged(hidden, value(), last) == judged(shown, value(), last)
    assert told_so_far(shown, hindsight(shown, value())) == pytest.approx(value()(shown.states[-1]), abs=1e-9)


@pytest.mark.slow("reviews a further match")
def test_a_round_cut_off_in_its_last_delivery_has_no_swings() -> None:
    """The sixth action ends with a delivery, before its rewards are logged."""
    replay = replay_of("caravan-3")
    (done,) = (each.done for each in rounds(replay) if each.number == 12)
    assert done is not None
    first = next(
        place for place in range(done) if replay.states[place].step > PLAN_LENGTH and replay.states[place].round == 12
    )
    assert first < done
    for count in (first + 1, done + 1):
        found = hindsight(Replay.read(lines_of("caravan-3")[:count]), value())
        assert max(swing.round for swing in found) == 11


@pytest.mark.slow("reviews a match of planners")
def test_a_match_of_reference_players_has_only_drift_and_dice() -> None:
    """The reference draws among equally good plans with another seed, and no seat is credited for that."""
    replay = play("caravan", ["planner:samples=1"] * 3, seed="reference", options={"full_inventory": True}).replay
    swings = hindsight(replay, value())
    assert {swing.kind for swing in swings if any(swing.amounts)} == {Kind.DRIFT, Kind.DICE}


@pytest.mark.slow("reviews a match twice")
def test_the_same_match_has_the_same_review_byte_for_byte() -> None:
    model = shipped(GAMES["caravan"])
    assert model is not None
    part = lines_of("sample-three")[: cut("sample-three", 4, "plans_revealed")]
    texts = [json.dumps(as_document(review(model, Replay.read(part)))) for _ in range(2)]
    assert sha256(texts[0].encode()).digest() == sha256(texts[1].encode()).digest()
    found = json.loads(texts[0])
    assert len(found["judgements"]) == 12
    assert {"own plan", "a rival's plan", "drift", "dice"} <= set(found["split"][-1]["causes"]) | set(
        found["split"][3]["causes"]
    )


def test_a_judgement_names_a_legal_plan() -> None:
    replay = replay_of("sample-three")
    some = [place for each in rounds(replay) if each.number in (3, 12) for place in each.plans]
    found = judged(replay, value(), some)
    assert [judgement.seq for judgement in found] == sorted(some)
    for each in found:
        entry, shown = replay.entries[each.seq], replay.entries[each.shown]
        assert (entry.type, entry.seat, shown.type) == ("plan_committed", each.seat, "plans_revealed")
        better = decode_action(replay.game, each.action, each.seat)
        assert replay.game.decide(replay.states[each.seq - 1], better)
        assert better.plan != entry.event.plan
        assert each.words == ", ".join(better.plan)
        assert each.low <= each.cost <= each.high


@pytest.mark.slow("reviews a match of planners")
def test_a_planted_round_of_rest_costs_most_as_judged_at_the_time() -> None:
    match = next(planted(1))
    (plan,) = (each.plans[match.seat] for each in rounds(match.replay) if each.number == match.round)
    (found,) = judged(match.replay, value(), {plan})
    assert found.low > 0
    costs = {(swing.round, swing.by): swing.cost for swing in hindsight(match.replay, value())}
    assert max(costs, key=lambda key: costs[key]) == (match.round, match.seat)
    assert min(costs.values()) == 0, "what may be as good as planner's plan costs nothing"


def test_the_reference_expects_rivals_to_plan_like_planner() -> None:
    replay = replay_of("sample-four")
    player = reference(replay)
    for each in rounds(replay):
        state = replay.states[each.planning]
        assert [player.guesses(state, seat) for seat in state.seats] == [
            Planner.guesses(player, state, seat) for seat in state.seats
        ]


def test_an_alternative_lucky_in_the_samples_is_not_called_better() -> None:
    """All plans here have the same value: the one that is best in some samples is not better in others."""
    plans: list[Any] = [(act,) * PLAN_LENGTH for act in Act]

    def cost(number: int) -> float:
        def chance(plan: Any, rivals: Any) -> float:
            return Random(f"{number}|{plan}|{rivals}").gauss(0.3, 0.1)

        samples: list[Any] = list(range(TO_CHOOSE + TO_JUDGE))
        return fmean(_costs(chance, plans[1:], plans[0], samples)[1])

    costs = [cost(number) for number in range(200)]
    assert abs(fmean(costs)) < 3 * stdev(costs) / len(costs) ** 0.5


@pytest.mark.parametrize(
    "name", ["sample-four", pytest.param("caravan-4-advanced", marks=pytest.mark.slow("every option"))]
)
def test_every_swing_has_a_sentence(name: str) -> None:
    replay = replay_of(name)
    assert review_of("caravan") is CARAVAN
    for swing in swings_of(name):
        said = subject_of(replay, swing)
        if swing.kind is Kind.DRIFT:
            assert (said, swing.by) == ("", CHANCE)
        else:
            assert re.match(r"(Round \d+, )?\S.* \S+( \(.+\))?$", said), said
            assert said.startswith(f"Round {swing.round}, ") == (swing.round > 0), said
            named = f"{replay.header.seats[swing.by].label}'s " in said or "plans once revealed" in said
            assert swing.by == CHANCE or named


@pytest.mark.soak("more matches and rounds")
def test_six_planted_rests_are_detected() -> None:
    assert sum(match.is_found for match in planted(6)) >= 5
