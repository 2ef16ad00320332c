"""Descriptions of causes: the subject of a sentence about a change in win probability."""

from collections.abc import Sequence
from typing import Any

from himalaya_core.caravan.events import (
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    PlanCommitted,
    RefillRolled,
    StupaPlaced,
    TokenPlaced,
)
from himalaya_core.caravan.pieces import Refill
from himalaya_core.game import CHANCE
from himalaya_core.replay import Replay
from himalaya_core.review.seats import labels_of
from himalaya_core.review.swings import Kind, Swing

__all__ = ["subject_of"]


def subject_of(replay: Replay, swing: Swing) -> str:
    """Return the subject of a sentence about a change; empty for drift, which has no cause."""
    events = [entry.event for entry in replay.entries[swing.since + 1 : swing.seq + 1]]
    if swing.kind is Kind.DICE:
        return _dice(events, swing.round)
    if swing.by == CHANCE:
        return ""
    whose = f"{labels_of(replay.header)[swing.by]}'s"
    if swing.kind is Kind.PLAN:
        plan = next(event.plan for event in events if isinstance(event, PlanCommitted) and event.seat == swing.by)
        found = f"plan ({', '.join(plan)})"
    else:
        found = _trade(events[0]) if swing.kind is Kind.TRADE else _choice(events[0])
    return f"Round {swing.round}, {whose} {found}" if swing.round else f"{whose} {found}"


def _dice(events: Sequence[Any], number: int) -> str:
    """Describe where a refill put goods and orders; in the set-up, which fills half the map, only name it."""
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
