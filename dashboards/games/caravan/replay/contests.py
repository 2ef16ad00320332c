"""Contests of several seats in a round: villages, majorities and inventories, and trades that came too late."""

from collections.abc import Iterator

from dashboards.boards.scene import NOBODY, Note
from dashboards.boards.words import joined
from dashboards.games.caravan.replay.span import Span
from dashboards.games.caravan.replay.text import cubes_text
from himalaya_core.caravan.events import ActionVoided, Collected, Delivered, InventoryCounted
from himalaya_core.caravan.pieces import VoidReason, holds

__all__ = ["contested", "late"]


def contested(span: Span) -> list[Note]:
    """Return contested villages, changed majorities, and close inventories.

    A note is placed at the frame that completes it, so that no note reveals later events.
    """
    return sorted([*_villages(span), *_majorities(span), *_inventories(span)], key=lambda note: note["at"])


def late(span: Span) -> list[Note]:
    """Return the trades that were void because another seat had taken the last goods or the order before."""
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
    """Return another seat's action that made this trade void; `None` if it would have been void anyway."""
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
    """Return whether the seat could have done the same: once a round, with the goods it holds."""
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
    """Describe how a seat tried for the goods or the order of a village; "" for any other event."""
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
