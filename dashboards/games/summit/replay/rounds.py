"""Summaries of summit throws: each seat's use of dice, ground lost, and help for other seats."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from dashboards.boards.scene import Note, Summary, counted, gains_between, spans_of
from dashboards.boards.track import TrackFrame
from himalaya_core.log.codec import Entry
from himalaya_core.summit.events import (
    DieTaken,
    Forfeited,
    PawnMoved,
    RerollChosen,
    Resupplied,
    Slid,
    SupplyPlayed,
    TakeAlong,
    TurnStarted,
    YetiChased,
)
from himalaya_core.summit.pieces import Piece

__all__ = ["calendar", "rounds_of", "summaries"]

THROW: Final = 10_000
TURN: Final = 10
BEGUN: Final = 5


def rounds_of(entries: Sequence[Entry]) -> list[int]:
    """Return the number of the throw for each entry; a new roll of all dice belongs to the new throw."""
    return [entry.round + isinstance(entry.event, RerollChosen) for entry in entries]


def calendar(entries: Sequence[Entry], rounds: Sequence[int]) -> list[int]:
    """Return a number for each entry that encodes its throw and the turn since then; it never decreases.

    The start of a turn has a separate number. Entries of two matches with equal numbers are at the same stage.
    """
    numbers, turns = [0], 0
    for at in range(1, len(entries)):
        if rounds[at] != rounds[at - 1]:
            turns = 0
        starts = isinstance(entries[at].event, TurnStarted)
        turns += starts
        number = rounds[at] * THROW + turns * TURN + (0 if starts else BEGUN)
        numbers.append(max(numbers[-1], number))
    return numbers


def summaries(
    entries: Sequence[Entry], rounds: Sequence[int], frames: Sequence[TrackFrame], names: Sequence[str]
) -> list[Summary]:
    """Return a summary of each throw."""
    found = []
    for start, following in spans_of(rounds):
        events = [entry.event for entry in entries[start:following]]
        found.append(
            Summary(
                round=rounds[start],
                at=start,
                end=following - 1,
                gains=gains_between(frames[start]["f"], frames[following - 1]["f"]),
                got=[
                    _got([event for event in events if getattr(event, "seat", None) == seat])
                    for seat in range(len(names))
                ],
                notes=[[*_lost(events, start, names)], [*_helped(events, start, names)]],
            )
        )
    return found


def _got(mine: Sequence[Any]) -> str:
    """Return in words what a seat did with dice and cards in a throw, and how other seats affected it."""
    dice = [str(event.face) for event in mine if isinstance(event, DieTaken)]
    climbed = [event for event in mine if isinstance(event, PawnMoved) and event.piece is Piece.CLIMBER]
    parts = [
        f"{'die' if len(dice) == 1 else 'dice'} {', '.join(dice)}" if dice else "",
        *(f"card {event.card} for {event.value}" for event in mine if isinstance(event, SupplyPlayed)),
        *(f"gave up a {event.face}" for event in mine if isinstance(event, Forfeited)),
        f"climber from {climbed[0].from_} to {climbed[-1].to}" if climbed else "",
        counted(sum(isinstance(event, TakeAlong) for event in mine), "take-along", "take-alongs"),
        counted(sum(isinstance(event, Slid) for event in mine), "Sherpa slid", "Sherpas slid"),
        counted(sum(isinstance(event, YetiChased) for event in mine), "Sherpa chased", "Sherpas chased"),
        *(f"took card {event.card} back" for event in mine if isinstance(event, Resupplied)),
    ]
    return "; ".join(part for part in parts if part)


def _lost(events: Sequence[Any], start: int, names: Sequence[str]) -> Iterator[Note]:
    for at, event in enumerate(events, start):
        match event:
            case Slid():
                text = f"A Sherpa of {names[event.seat]} slides from {event.from_} to {event.to} on a {event.kind}"
            case YetiChased():
                text = f"The Yeti chases a Sherpa of {names[event.seat]} from {event.from_} to {event.to}"
            case _:
                continue
        yield Note(text=text, at=at, seat=event.seat)


def _helped(events: Sequence[Any], start: int, names: Sequence[str]) -> Iterator[Note]:
    for at, event in enumerate(events, start):
        if isinstance(event, TakeAlong):
            others = len(event.movers) - 1
            whom = f" with {others} more of its Sherpas" if others else ""
            found = counted(event.found, "Sherpa", "Sherpas")
            text = f"A Sherpa of {names[event.seat]} finds {found} on {event.from_} and continues to {event.to}{whom}"
            yield Note(text=text, at=at, seat=event.seat)
