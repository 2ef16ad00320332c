"""What a plan cost as it could be judged when it was made: beside the best other plan found, against sampled rivals."""

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from math import sqrt
from statistics import fmean, stdev
from typing import Final, TypeAlias

from himalaya_core.caravan.pieces import Plan
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.forecast import carry_out
from himalaya_core.players.caravan.hindsight import reference, worth
from himalaya_core.players.caravan.planner import RIVAL, Planner
from himalaya_core.players.caravan.rounds import Round, rounds
from himalaya_core.replay import Replay
from himalaya_core.review.swings import Judgement, Value

__all__ = ["judged"]

CONSIDERED: Final = 5
"""How many of the best other plans, as planner ranks them, may be the alternative."""
TO_CHOOSE: Final = 6
"""Samples of the rivals' plans that the alternative is chosen on."""
TO_JUDGE: Final = 16
"""Other samples, on which its worth and that of the real plan are compared."""
T_975: Final = 2.131
"""The quantile of Student's t with `TO_JUDGE` - 1 degrees of freedom that leaves out 2.5 % above it."""

Rivals: TypeAlias = tuple[Plan, ...]
"""A sample of plans by seat; that of the seat itself is empty."""


def judged(replay: Replay, value: Value, only: Collection[int] | None = None) -> list[Judgement]:
    """Return each revealed plan beside the best other one found, in the order of their entries.

    `only` are the entries that are wanted, if not all are.
    """
    found = [judgement for each in rounds(replay) for judgement in _of_round(replay, each, value, only)]
    return sorted(found, key=lambda judgement: judgement.seq)


def _of_round(replay: Replay, each: Round, value: Value, only: Collection[int] | None) -> Iterator[Judgement]:
    wanted = [(seat, place) for seat, place in enumerate(each.plans) if only is None or place in only]
    if not wanted:
        return
    state, player = replay.states[each.planning], reference(replay)
    guesses = [player.guesses(state, seat) for seat in state.seats]
    for seat, place in wanted:
        real = replay.entries[place].event.plan
        samples = _samples(guesses, seat, random.Random(f"{player.seed}|{each.number}|{seat}|rivals"))
        others = [plan for _, plan in player.ranked(state, seat) if plan != real][:CONSIDERED]
        if not others:
            continue
        best, costs = _costs(_chances(state, seat, player, value), others, real, samples)
        cost, half = fmean(costs), T_975 * stdev(costs) / sqrt(len(costs))
        action = {"type": "commit_plan", "plan": list(best)}
        words = ", ".join(best)
        yield Judgement(place, each.revealed, each.number, seat, cost, cost - half, cost + half, action, words)


def _samples(guesses: Sequence[Sequence[Plan]], seat: int, draws: random.Random) -> list[Rivals]:
    """Return samples of what the rivals may plan, as a seat may guess it."""
    return [
        tuple(() if rival == seat else draws.choice(plans) for rival, plans in enumerate(guesses))
        for _ in range(TO_CHOOSE + TO_JUDGE)
    ]


def _chances(state: State, seat: int, player: Planner, value: Value) -> Callable[[Plan, Rivals], float]:
    """Return a function of a plan and the rivals' plans: the chances of a seat after they are carried out."""
    players = [player if other == seat else RIVAL for other in state.seats]

    @cache
    def chance(plan: Plan, rivals: Rivals) -> float:
        plans: Mapping[int, Plan] = dict(enumerate(rivals)) | {seat: plan}
        return worth(carry_out(state, plans, players), player, value)[seat]

    return chance


def _costs(
    chance: Callable[[Plan, Rivals], float], others: Sequence[Plan], real: Plan, samples: Sequence[Rivals]
) -> tuple[Plan, list[float]]:
    """Return the alternative, chosen on the first samples, and what the real plan has less than it in each other one.

    A choice among plans on the very samples that judge it would take luck in these samples for worth.
    """
    to_choose, to_judge = samples[:TO_CHOOSE], samples[TO_CHOOSE:]
    best = max(others, key=lambda plan: fmean(chance(plan, rivals) for rivals in to_choose))
    return best, [chance(best, rivals) - chance(real, rivals) for rivals in to_judge]
