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
from himalaya_core.review.seats import seat_in_words
from himalaya_core.review.swings import Kind, Swing

__all__ = ["subject_of"]


def subject_of(replay: Replay, swing: Swing) -> str:
    """Return the subject of a sentence about a change; empty for drift, which has no cause."""
    events = [entry.event for entry in replay.entries[swing.since + 1 : swing.seq + 1]]
    if swing.kind is Kind.DICE:
        return _dice(events, swing.round)
    if swing.by == CHANCE:
        return ""
    who, when = seat_in_words(replay, swing.by), f"in round {swing.round}"
    if swing.kind is Kind.PLAN:
        plan = next(event.plan for event in events if isinstance(event, PlanCommitted) and event.seat == swing.by)
        return f"The plan of {who} {when} ({', '.join(plan)})"
    return _trade(events[0], who, when) if swing.kind is Kind.TRADE else _choice(events[0], who, when)


def _dice(events: Sequence[Any], number: int) -> str:
    """Describe where a refill put goods and orders; in the set-up, which fills half the map, only name it."""
    if not number:
        return "The dice of the set-up"
    rolled = [event for event in events if isinstance(event, RefillRolled)]
    goods = _in_villages(rolled, Refill.RESOURCES, "goods", "goods")
    orders = _in_villages(rolled, Refill.ORDER, "an order", "orders")
    return f"The dice of round {number} ({', '.join(filter(None, (goods, orders)))})"


def _in_villages(rolled: Sequence[RefillRolled], kind: Refill, one: str, several: str) -> str:
    villages = [str(event.village) for event in rolled if event.kind is kind]
    if len(villages) < 2:
        return f"{one} in village {villages[0]}" if villages else ""
    return f"{several} in villages {', '.join(villages[:-1])} and {villages[-1]}"


def _trade(event: Any, who: str, when: str) -> str:
    match event:
        case Collected():
            return f"The {event.resource} that {who} took in village {event.village} {when}"
        case Delivered():
            return f"The rewards that {who} chose in village {event.village} {when} ({' and '.join(event.rewards)})"
        case _:
            return f"The trade that {who} declined {when}"


def _choice(event: Any, who: str, when: str) -> str:
    match event:
        case CaravanPlaced():
            return f"The start of {who} in village {event.village}"
        case TokenPlaced():
            where = f"the road {event.road[0]}–{event.road[1]}" if event.road else f"village {event.village}"
            return f"The {event.token} that {who} placed on {where} {when}"
        case DelegationsSent():
            return f"The inventory's delegations that {who} sent to region {min(event.regions)} {when}"
        case StupaPlaced():
            return f"The inventory's stupa that {who} placed in village {event.village} {when}"
        case _:
            return f"The inventory's marker that {who} took {when}"
