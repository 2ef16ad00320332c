"""Summaries of climbers turns: actions of each seat, ladders and discs used, and the climbs after the turn."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from dashboards.boards.scene import Note, Summary, counted, gains_between, spans_of
from dashboards.boards.tower import TowerFrame
from himalaya_core.climbers.blocks import Block
from himalaya_core.climbers.events import (
    BlockMoved,
    ClimberShifted,
    ClimberStepped,
    DiscPlaced,
    LadderSpent,
    OthersSlot,
)
from himalaya_core.climbers.pieces import Part
from himalaya_core.climbers.view import block_name
from himalaya_core.log.codec import Entry

__all__ = ["calendar", "summaries"]

TURN: Final = 10
BEGUN: Final = {
    Part.CLIMB: 1,
    Part.BLOCK: 2,
    Part.CLIMB_AGAIN: 3,
    Part.DISC: 4,
    Part.OTHERS: 5,
}
"""Order of the parts of a turn; a number is reached with the event that begins the part."""


def calendar(entries: Sequence[Entry], rounds: Sequence[int]) -> list[int]:
    """Return a number for each entry that encodes its turn and the part of the turn; it never decreases.

    Entries of two matches with equal numbers are at the same stage.
    """
    numbers = [0]
    for entry, turn in zip(entries[1:], rounds[1:], strict=True):
        numbers.append(max(numbers[-1], turn * TURN + BEGUN.get(_part(entry.event), 0)))
    return numbers


def _part(event: Any) -> Any:
    match event:
        case BlockMoved() | ClimberShifted():
            return Part.BLOCK
        case DiscPlaced():
            return Part.DISC
        case OthersSlot():
            return Part.OTHERS
        case _:
            return getattr(event, "phase", None)


def summaries(
    entries: Sequence[Entry],
    rounds: Sequence[int],
    frames: Sequence[TowerFrame],
    names: Sequence[str],
    blocks: Sequence[Block],
) -> list[Summary]:
    """Return a summary of each turn."""
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
                    _got([event for event in events if getattr(event, "seat", None) == seat], blocks)
                    for seat in range(len(names))
                ],
                notes=[[*_spent(events, start, names, blocks)], [*_climbed_too(events, start, names)]],
            )
        )
    return found


def _got(mine: Sequence[Any], blocks: Sequence[Block]) -> str:
    steps = [event for event in mine if isinstance(event, ClimberStepped)]
    parts = [
        counted(len(steps), "step", "steps"),
        f"from level {steps[0].from_level} to {steps[-1].to_level}" if steps else "",
        *(f"moved {block_name(blocks, event.block)}" for event in mine if isinstance(event, BlockMoved)),
        *(f"laid its disc on {block_name(blocks, event.block)}" for event in mine if isinstance(event, DiscPlaced)),
    ]
    return "; ".join(part for part in parts if part)


def _spent(events: Sequence[Any], start: int, names: Sequence[str], blocks: Sequence[Block]) -> Iterator[Note]:
    for at, event in enumerate(events, start):
        match event:
            case LadderSpent():
                text = f"{names[event.seat]} spends its {event.kind} ladder on {event.diff} levels"
            case DiscPlaced():
                text = f"{names[event.seat]} lays its disc on {block_name(blocks, event.block)}"
            case _:
                continue
        yield Note(text=text, at=at, seat=event.seat)


def _climbed_too(events: Sequence[Any], start: int, names: Sequence[str]) -> Iterator[Note]:
    for at, event in enumerate(events, start):
        if isinstance(event, ClimberStepped) and event.phase is Part.OTHERS:
            text = f"{names[event.seat]} climbs from level {event.from_level} to {event.to_level}"
            yield Note(text=text, at=at, seat=event.seat)
