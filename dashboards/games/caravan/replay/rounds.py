"""Summaries of caravan rounds: gains of each seat, contests, and trades that came too late."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from dashboards.boards.map import MapFrame
from dashboards.boards.scene import NOBODY, Note, Summary, counted, gains_between, joined
from dashboards.games.caravan.replay.text import cubes_text
from himalaya_core.caravan.events import (
    ActionVoided,
    Bartered,
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    Eliminated,
    InfluenceScored,
    InventoryCounted,
    InventoryMarkerTaken,
    Moved,
    PlanCommitted,
    PlansRevealed,
    PoliticsRecounted,
    RefillRolled,
    Rested,
    RoundEnded,
    RoundStarted,
    StormEntered,
    StupaPlaced,
    TokenPassed,
    TokenPlaced,
    TokensRemoved,
)
from himalaya_core.caravan.pieces import RANK, RESOURCES, ROUNDS, Refill, Resource, VoidReason, holds
from himalaya_core.caravan.state import State
from himalaya_core.log.codec import Entry
from himalaya_core.log.envelope import Ended

__all__ = ["Span", "calendar", "contested", "late", "summaries"]


@dataclass(frozen=True, slots=True)
class Span:
    """The log entries of a round, with the position and frame after each; `start` is the index of the first frame."""

    entries: Sequence[Entry]
    states: Sequence[State]
    frames: Sequence[MapFrame]
    names: Sequence[str]
    start: int

    def events(self) -> Iterator[tuple[int, Any]]:
        """Yield each event with its index in the round."""
        for at, entry in enumerate(self.entries):
            yield at, entry.event


ROUND: Final = 1000
TOKENS, PLANS, REVEALED, STEPS, REMOVED = 10, 100, 150, 200, 300
REFILLS: Final = {Refill.RESOURCES: 310, Refill.ORDER: 340}
PLACED, INVENTORY, OVER, SCORED, RECOUNT, END = 370, 400, 500, 600, 10, 999


def calendar(entries: Sequence[Entry], states: Sequence[State]) -> list[int]:
    """Return a number for each entry that encodes round, phase, step of the plans and turn order; it never decreases.

    An automatic consequence, such as the reward of a delivery, has the number of the event that caused it.
    """
    numbers = [0]
    for entry, before, after in zip(entries[1:], states, states[1:], strict=False):
        place = _place(entry, before, after)
        numbers.append(numbers[-1] if place is None else entry.round * ROUND + place)
    return numbers


def _place(entry: Entry, before: State, after: State) -> int | None:
    """Return the position of an event within its round; `None` for a consequence of another event."""
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


def contested(span: Span) -> list[Note]:
    """Return notes on contested villages, changed majorities and close inventories.

    A note is placed at the frame that completes it, so that no note reveals later events.
    """
    return sorted([*_villages(span), *_majorities(span), *_inventories(span)], key=lambda note: note["at"])


def late(span: Span) -> list[Note]:
    """Return notes on trades that were void because another seat had already taken the last goods or the order."""
    found = []
    for at, event in span.events():
        taken = _taken_before(span, at)
        if taken is None:
            continue
        what = "delivered its order" if isinstance(taken, Delivered) else f"took its last {taken.resource}"
        when = "the same action, earlier in the turn order" if taken.step == event.step else f"action {taken.step}"
        village = span.states[at].caravans[event.seat]
        text = (
            f"{span.names[event.seat]} comes too late to village {village} with action {event.step}: "
            f"{span.names[taken.seat]} {what} with {when}"
        )
        found.append(Note(text=text, at=span.start + at, seat=event.seat))
    return found


def _taken_before(span: Span, at: int) -> Collected | Delivered | None:
    """Return the other seat's action that made this trade void; `None` if the trade would have been void anyway."""
    event = span.entries[at].event
    if not isinstance(event, ActionVoided) or event.reason is not VoidReason.NOTHING_HERE:
        return None
    village = span.states[at].caravans[event.seat]
    for before in reversed(span.entries[:at]):
        taken = before.event
        if isinstance(taken, Collected | Delivered) and taken.village == village:
            return taken if taken.seat != event.seat and _could_have(span, at, taken) else None
    return None


def _could_have(span: Span, at: int, taken: Collected | Delivered) -> bool:
    """Return whether the seat could have made the same trade: it has the goods, and has not traded there this round."""
    state, seat = span.states[at], span.entries[at].event.seat
    if isinstance(taken, Delivered):
        return holds(state.hands[seat], taken.order.demand)
    return taken.village not in state.collected[seat]


def _villages(span: Span) -> Iterator[Note]:
    tries: dict[int, list[tuple[int, int, str]]] = {}
    for at, event in span.events():
        attempt = _attempt_text(span, at)
        if attempt:
            village = span.states[at].caravans[event.seat]
            tries.setdefault(village, []).append((at, event.seat, f"{span.names[event.seat]} {attempt}"))
    for village, made in tries.items():
        if len({seat for _, seat, _ in made}) < 2:
            continue
        order = span.states[0].orders[village]
        wanted = f" ({cubes_text(order.demand)} for {order.yaks} yaks)" if order else ""
        what = f"{'Order' if order else 'Goods'} in village {village}{wanted}"
        served = [seat for at, seat, _ in made if isinstance(span.entries[at].event, Delivered)]
        yield Note(
            text=f"{what}: {joined([*dict.fromkeys(attempt for _, _, attempt in made)])}",
            at=span.start + made[-1][0],
            seat=served[0] if served else NOBODY,
        )


def _attempt_text(span: Span, at: int) -> str:
    """Describe a seat's attempt to take the goods or the order of a village; empty for any other event."""
    match span.entries[at].event:
        case Collected(resource=resource):
            return f"takes {resource}"
        case Delivered():
            return "delivers"
        case ActionVoided(reason=VoidReason.GOODS_MISSING):
            return "lacks the goods"
        case ActionVoided() if _taken_before(span, at):
            return "comes too late"
        case _:
            return ""


def _majorities(span: Span) -> Iterator[Note]:
    for at in range(1, len(span.entries)):
        before, after = span.states[at - 1], span.states[at]
        if before.delegations is after.delegations:
            continue
        leaders = zip(span.frames[at - 1]["l"], span.frames[at]["l"], strict=True)
        for region, (then, now) in enumerate(leaders, start=1):
            if then == now or not any(before.delegations[region]):
                continue
            seat = span.entries[at].event.seat
            yield Note(text=f"Region {region}: {_turn(span, seat, then, now)}", at=span.start + at, seat=seat)


def _turn(span: Span, seat: int, then: int, now: int) -> str:
    who = span.names[seat]
    if now == NOBODY:
        return f"{who} draws level with {span.names[then]}, so no player has the majority"
    if then == NOBODY:
        return f"{who} breaks the tie and takes the majority"
    return f"{who} takes the majority from {span.names[then]}"


def _inventories(span: Span) -> Iterator[Note]:
    for at, event in span.events():
        if not isinstance(event, InventoryCounted):
            continue
        most, second = sorted(event.counts, reverse=True)[:2]
        if not most or most - second > 1:
            continue
        head = f"Inventory of {event.resource}"
        near = joined([span.names[seat] for seat, count in enumerate(event.counts) if count == second])
        if event.winner is None:
            text = f"{head}: {near} tie with {most} each, so no player takes it"
        elif second == 0:
            text = f"{head}: {span.names[event.winner]} takes it with the only cube"
        else:
            text = f"{head}: {span.names[event.winner]} takes it by one cube, {most} to {second} of {near}"
        yield Note(text=text, at=span.start + at, seat=NOBODY if event.winner is None else event.winner)


def summaries(
    entries: Sequence[Entry], states: Sequence[State], frames: Sequence[MapFrame], names: Sequence[str]
) -> list[Summary]:
    """Return a summary of each round that began; the final scoring is not part of any round."""
    starts = [at for at, entry in enumerate(entries) if isinstance(entry.event, RoundStarted)]
    found = []
    for start, following in pairwise([*starts, len(entries)]):
        over = (at for at in range(start, following) if isinstance(entries[at].event, RoundEnded))
        end = next(over, following - 1)
        span = Span(entries[start : end + 1], states[start : end + 1], frames[start : end + 1], names, start)
        found.append(_summary(span))
    return found


def _summary(span: Span) -> Summary:
    return Summary(
        round=span.entries[0].round,
        at=span.start,
        end=span.start + len(span.entries) - 1,
        gains=gains_between(span.frames[0]["f"], span.frames[-1]["f"]),
        got=[_got(span, seat) for seat in range(len(span.names))],
        notes=[contested(span), late(span)],
    )


def _got(span: Span, seat: int) -> str:
    """Return a seat's gains in the round, and its lost goods and actions, in words."""
    mine = [entry.event for entry in span.entries if entry.seat == seat]
    parts = [
        _deliveries(mine),
        _stupas([event.village for event in mine if isinstance(event, StupaPlaced)]),
        _delegations([event.regions for event in mine if isinstance(event, DelegationsSent)]),
        *(f"{event.yaks} yaks for most {event.resource}" for event in mine if isinstance(event, InventoryMarkerTaken)),
        _goods(Counter(event.resource for event in mine if isinstance(event, Collected))),
        counted(sum(isinstance(event, ActionVoided) for event in mine), "action void", "actions void"),
        _left_over(span, seat),
    ]
    return "; ".join(part for part in parts if part)


def _deliveries(mine: Sequence[object]) -> str:
    yaks = sum(event.yaks for event in mine if isinstance(event, Bartered))
    made = counted(sum(isinstance(event, Delivered) for event in mine), "delivery", "deliveries")
    return f"{made} for {yaks} yaks" if yaks else made


def _stupas(villages: Sequence[int]) -> str:
    where = _places("village", villages)
    return f"{'stupa' if len(villages) == 1 else 'stupas'} in {where}" if villages else ""


def _delegations(sent: Sequence[dict[int, int]]) -> str:
    total = counted(sum(sum(each.values()) for each in sent), "delegation", "delegations")
    where = _places("region", {region for each in sent for region in each})
    return f"{total} to {where}" if total else ""


def _places(noun: str, numbers: Collection[int]) -> str:
    return f"{noun}{'s' if len(numbers) > 1 else ''} {joined([*map(str, sorted(numbers))])}" if numbers else ""


def _goods(taken: Counter[Resource]) -> str:
    cubes = {resource: taken[resource] for resource in RESOURCES if taken[resource]}
    return f"took {cubes_text(cubes, counted=True)}" if cubes else ""


def _left_over(span: Span, seat: int) -> str:
    """Return a note on a seat's leftover goods if no later round can deliver them."""
    if span.entries[0].round < ROUNDS or not span.states[-1].round_over:
        return ""
    return counted(sum(span.states[-1].hands[seat]), "cube left over", "cubes left over")
