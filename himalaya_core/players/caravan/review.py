"""Review of caravan matches: names the source of each change, and compares plans with alternatives."""

from collections.abc import Callable, Collection, Iterator, Sequence
from statistics import fmean
from typing import Any, Final

from himalaya_core.caravan.events import (
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    PlanCommitted,
    PlansRevealed,
    RefillRolled,
    StupaPlaced,
    TokenPlaced,
)
from himalaya_core.caravan.pieces import Plan, Refill
from himalaya_core.caravan.scoring import influences
from himalaya_core.game import CHANCE
from himalaya_core.players.caravan.hindsight import hindsight
from himalaya_core.players.caravan.rounds import Rivals, Round, chances_after, reference, rounds, samples
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import Evaluation, GameReview, Kind, Swing, Value, interval
from himalaya_core.winprob.review import labels_of

__all__ = ["CARAVAN", "judged", "subject_of"]


def subject_of(replay: Replay, swing: Swing) -> str:
    """Return the words that name a change in a sentence; empty for drift, which no seat caused."""
    events = [entry.event for entry in replay.entries[swing.since + 1 : swing.seq + 1]]
    if swing.kind is Kind.DICE:
        return _dice(events, swing.round)
    if swing.by == CHANCE:
        return ""
    whose = f"{labels_of(replay.header)[swing.by]}'s"
    if swing.kind is Kind.PLAN:
        plan = next(event.plan for event in events if isinstance(event, PlanCommitted) and event.seat == swing.by)
        found = f"plan ({', '.join(plan)})"
    elif swing.kind is Kind.TRADE:
        found = _trade(events[0])
    elif any(isinstance(event, PlansRevealed) for event in events):
        return f"Round {swing.round}, the plans once revealed"
    else:
        found = _trades(replay, swing, events) or _choice(events[0])
    return f"Round {swing.round}, {whose} {found}" if swing.round else f"{whose} {found}"


def _dice(events: Sequence[Any], number: int) -> str:
    """Describe the villages that a refill filled. In the set-up, which fills half the map, they are omitted."""
    if not number:
        return "The dice of the set-up"
    rolled = [event for event in events if isinstance(event, RefillRolled)]
    goods = _in_villages(rolled, Refill.RESOURCES, "goods", "goods")
    orders = _in_villages(rolled, Refill.ORDER, "an order", "orders")
    return f"Round {number}, dice ({', '.join(filter(None, (goods, orders)))})"


def _in_villages(rolled: Sequence[RefillRolled], kind: Refill, one: str, several: str) -> str:
    villages = [str(event.village) for event in rolled if event.kind is kind]
    if len(villages) < 2:
        return f"{one} in village {villages[0]}" if villages else ""
    return f"{several} in villages {', '.join(villages[:-1])} and {villages[-1]}"


def _trade(event: Any) -> str:
    match event:
        case Collected():
            return f"{event.resource} from village {event.village}"
        case Delivered():
            return f"rewards in village {event.village} ({' and '.join(event.rewards)})"
        case _:
            return "declined trade"


def _trades(replay: Replay, swing: Swing, events: Sequence[Any]) -> str:
    """Describe the trades of a seat's turn and the regions whose leader changed by them; empty without trades."""
    traded = [event for event in events if isinstance(event, Collected | Delivered)]
    said = [
        f"delivery in village {event.village}" if isinstance(event, Delivered) else _trade(event) for event in traded
    ]
    effects = regions_changed(replay, swing)
    return " and ".join(said) + (f" ({effects})" if said and effects else "")


def regions_changed(replay: Replay, swing: Swing) -> str:
    """Describe the regions that a seat took or in which it ended another's lead; empty if there are none."""
    before, after = (influences(replay.states[at]).regions for at in (swing.since, swing.seq))
    changed = [region for region, (was, now) in enumerate(zip(before, after, strict=True)) if was != now]
    took = [region for region in changed if after[region] == swing.by]
    ended = [
        f"ended {labels_of(replay.header)[leader]}'s lead in region {region}"
        for region in changed
        if (leader := before[region]) is not None and leader != swing.by and after[region] is None
    ]
    return " and ".join([*([f"took {_regions(took)}"] if took else []), *ended])


def _regions(regions: Sequence[int]) -> str:
    named = list(map(str, regions))
    return f"regions {', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else f"region {named[0]}"


def _choice(event: Any) -> str:
    match event:
        case CaravanPlaced():
            return f"start in village {event.village}"
        case TokenPlaced():
            where = f"the road {event.road[0]}–{event.road[1]}" if event.road else f"village {event.village}"
            return f"{event.token} on {where}"
        case DelegationsSent():
            return f"inventory delegations to region {min(event.regions)}"
        case StupaPlaced():
            return f"inventory stupa in village {event.village}"
        case _:
            return "inventory marker"


CONSIDERED: Final = 5
"""Number of plans from which the alternative is selected: the best ones found by planner."""
TO_CHOOSE: Final = 6
"""Number of samples used to select the alternative plan."""
TO_JUDGE: Final = 16
"""Number of further samples used to compare the alternative with the actual plan."""


def judged(replay: Replay, value: Value, only: Collection[int] | None = None) -> list[Evaluation]:
    """Return a comparison of each revealed plan with the best alternative, in log order.

    `only` restricts the result to these log entries.
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
        best, costs, chosen = _costs(chance, others, real, rivals)
        action = {"type": "commit_plan", "plan": list(best)}
        words = ", ".join(best)
        yield Evaluation(place, each.revealed, each.number, seat, *interval(costs, chosen), action, words)


def _costs(
    chance: Callable[[Plan, Rivals], float], others: Sequence[Plan], real: Plan, rivals: Sequence[Rivals]
) -> tuple[Plan, list[float], float]:
    """Select the alternative on the first samples. Return it, with the costs and mean chance of the actual plan.

    Selecting and comparing on the same samples would overestimate the alternative.
    """
    to_choose, to_judge = rivals[:TO_CHOOSE], rivals[TO_CHOOSE:]
    best = max(others, key=lambda plan: fmean(chance(plan, some) for some in to_choose))
    chosen = [chance(real, some) for some in to_judge]
    costs = [chance(best, some) - own for some, own in zip(to_judge, chosen, strict=True)]
    return best, costs, fmean(chosen)


CARAVAN: Final = GameReview(swings=hindsight, judgements=judged, words=subject_of, has_split=True)
