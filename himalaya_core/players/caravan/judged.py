"""What a plan cost as it could be judged when it was made: beside the best other plan found, against sampled rivals."""

from collections.abc import Callable, Collection, Iterator, Sequence
from statistics import fmean
from typing import Final

from himalaya_core.caravan.pieces import Plan
from himalaya_core.players.caravan.foreseen import Rivals, chances_after, reference, samples
from himalaya_core.players.caravan.rounds import Round, rounds
from himalaya_core.replay import Replay
from himalaya_core.review.swings import Evaluation, Value, interval

__all__ = ["judged"]

CONSIDERED: Final = 5
"""How many of the best other plans, as planner ranks them, may be the alternative."""
TO_CHOOSE: Final = 6
"""Samples of the rivals' plans that the alternative is chosen on."""
TO_JUDGE: Final = 16
"""Other samples, on which its worth and that of the real plan are compared."""


def judged(replay: Replay, value: Value, only: Collection[int] | None = None) -> list[Evaluation]:
    """Return each revealed plan beside the best other one found, in the order of their entries.

    `only` are the entries that are wanted, if not all are.
    """
    found = [judgement for each in rounds(replay) for judgement in _of_round(replay, each, value, only)]
    return sorted(found, key=lambda judgement: judgement.seq)


def _of_round(replay: Replay, each: Round, value: Value, only: Collection[int] | None) -> Iterator[Evaluation]:
    wanted = [(seat, place) for seat, place in enumerate(each.plans) if only is None or place in only]
    if not wanted:
        return
    state, player = replay.states[each.planning], reference(replay)
    for seat, place in wanted:
        real = replay.entries[place].event.plan
        others = [plan for _, plan in player.ranked(state, seat) if plan != real][:CONSIDERED]
        if not others:
            continue
        chance, rivals = chances_after(state, seat, player, value), samples(state, seat, player, TO_CHOOSE + TO_JUDGE)
        best, costs = _costs(chance, others, real, rivals)
        action = {"type": "commit_plan", "plan": list(best)}
        words = ", ".join(best)
        yield Evaluation(place, each.revealed, each.number, seat, *interval(costs), action, words)


def _costs(
    chance: Callable[[Plan, Rivals], float], others: Sequence[Plan], real: Plan, rivals: Sequence[Rivals]
) -> tuple[Plan, list[float]]:
    """Return the alternative, chosen on the first samples, and what the real plan has less than it in each other one.

    A choice among plans on the very samples that judge it would take luck in these samples for worth.
    """
    to_choose, to_judge = rivals[:TO_CHOOSE], rivals[TO_CHOOSE:]
    best = max(others, key=lambda plan: fmean(chance(plan, some) for some in to_choose))
    return best, [chance(best, some) - chance(real, some) for some in to_judge]
