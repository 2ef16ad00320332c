"""The calendar of caravan as numbers: equal numbers mean the same moment of any two matches."""

from collections.abc import Sequence
from typing import Any, Final

from himalaya_core.caravan.events import (
    ActionVoided,
    CaravanPlaced,
    Collected,
    Delivered,
    Eliminated,
    InfluenceScored,
    InventoryCounted,
    Moved,
    PlanCommitted,
    PlansRevealed,
    PoliticsRecounted,
    RefillRolled,
    Rested,
    RoundEnded,
    RoundStarted,
    StormEntered,
    TokenPassed,
    TokenPlaced,
    TokensRemoved,
)
from himalaya_core.caravan.pieces import RANK, Refill
from himalaya_core.caravan.state import State
from himalaya_core.log.codec import Ended, Entry

__all__ = ["calendar"]

ROUND: Final = 1000
TOKENS, PLANS, REVEALED, STEPS, REMOVED = 10, 100, 150, 200, 300
REFILLS: Final = {Refill.RESOURCES: 310, Refill.ORDER: 340}
PLACED, INVENTORY, OVER, SCORED, RECOUNT, END = 370, 400, 500, 600, 10, 999


def calendar(entries: Sequence[Entry], states: Sequence[State]) -> list[int]:
    """Return a number for each entry: its round, phase, step of the plans and place in the turn order; never falling.

    Automatic consequences of an event, like the rewards of a delivery, have the number of that event.
    """
    numbers = [0]
    for entry, before, after in zip(entries[1:], states, states[1:], strict=False):
        place = _place(entry, before, after)
        numbers.append(numbers[-1] if place is None else entry.round * ROUND + place)
    return numbers


def _place(entry: Entry, before: State, after: State) -> int | None:
    """Return the place of an event in its round; `None` for a consequence of another one."""
    match entry.event:
        case RoundStarted():
            return 0
        case TokenPlaced() | TokenPassed():
            return TOKENS + after.token_turn
        case PlanCommitted():
            return PLANS + sum(plan is not None for plan in after.plans)
        case PlansRevealed():
            return REVEALED
        case Moved() | StormEntered() | Rested() | Collected() | Delivered() | ActionVoided():
            return STEPS + 10 * before.step + before.turn
        case _:
            return _place_after_the_plans(entry.event, after)


def _place_after_the_plans(event: Any, after: State) -> int | None:
    match event:
        case TokensRemoved():
            return REMOVED
        case RefillRolled(kind=kind):
            return REFILLS[kind] + after.refills[kind is Refill.ORDER]
        case CaravanPlaced():
            return PLACED + sum(village > 0 for village in after.caravans)
        case InventoryCounted(resource=resource):
            return INVENTORY + RANK[resource]
        case RoundEnded():
            return OVER
        case InfluenceScored() | Eliminated() | PoliticsRecounted():
            return SCORED + len(after.eliminated) + (RECOUNT if after.recounted else 0)
        case Ended():
            return END
        case _:
            return None
