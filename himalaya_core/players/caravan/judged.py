"""Expected cost of a plan: compared with the best alternative found, against sampled plans of the rivals."""

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
"""Number of top-ranked plans of planner considered as the alternative."""
TO_CHOOSE: Final = 6
"""Number of samples used to choose the alternative."""
TO_JUDGE: Final = 16
"""Number of further samples used to compare it with the real plan."""


def judged(replay: Replay, value: Value, only: Collection[int] | None = None) -> list[Evaluation]:
    """Return an evaluation of each revealed plan against the best alternative, in log order.

    `only` restricts it to some entries.
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
    """Return the alternative, chosen on the first samples, and the real plan's cost against it in each other sample.

    Choosing and comparing on the same samples would overestimate the alternative.
    """
    to_choose, to_judge = rivals[:TO_CHOOSE], rivals[TO_CHOOSE:]
    best = max(others, key=lambda plan: fmean(chance(plan, some) for some in to_choose))
    return best, [chance(best, some) - chance(real, some) for some in to_judge]
