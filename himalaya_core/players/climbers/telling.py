"""Descriptions of climbers events, as parts of a sentence about the win probability."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from himalaya_core.climbers.blocks import Block, Pose
from himalaya_core.climbers.events import BlockMoved, ClimberStepped, DiscPlaced, LadderSpent, StartPlayerChosen
from himalaya_core.climbers.pieces import Ladder, Ladders
from himalaya_core.climbers.text import block_name

__all__ = ["brought", "climbing", "doing", "moving"]


def brought(events: Sequence[Any], labels: Sequence[str]) -> str:
    """Describe what chance decided; all of it is in the set-up."""
    first = [event.player for event in events if isinstance(event, StartPlayerChosen)]
    return f"The lot that let {labels[first[0]]} start" if first else "The set-up"


def doing(events: Sequence[Any], blocks: Sequence[Block]) -> str:
    """Describe what a seat does in a turn, e.g. "moving cube 14 from level 2 to the table, …"; empty if nothing."""
    parts = [*_parts(events, blocks)]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _parts(events: Sequence[Any], blocks: Sequence[Block]) -> Iterator[str]:
    told = [event for event in events if isinstance(event, ClimberStepped | LadderSpent | BlockMoved | DiscPlaced)]
    for is_climb, group in groupby(told, lambda event: isinstance(event, ClimberStepped | LadderSpent)):
        if is_climb:
            yield _climb([*group])
        else:
            yield from [_done(event, blocks) for event in group]


def _climb(events: Sequence[Any]) -> str:
    steps = [event for event in events if isinstance(event, ClimberStepped)]
    spent = [event.kind for event in events if isinstance(event, LadderSpent)]
    return _climbed(steps[0].from_level, steps[-1].to_level, spent)


def _done(event: Any, blocks: Sequence[Block]) -> str:
    if isinstance(event, DiscPlaced):
        return f"laying its disc on {block_name(blocks, event.block)}"
    return moving(blocks, event.block, event.from_pose, event.to_pose)


def climbing(start: int, end: int, before: Ladders, after: Ladders) -> str:
    """Describe a climb from one level to another, given the ladders before and after it."""
    kinds = zip((Ladder.SHORT, Ladder.LONG), before, after, strict=True)
    return _climbed(start, end, [kind for kind, had, has in kinds if had and not has])


def _climbed(start: int, end: int, ladders: Sequence[Ladder]) -> str:
    by = f" by its {' and its '.join(f'{kind} ladder' for kind in ladders)}" if ladders else ""
    if start == end:
        return f"staying on {_level(end)}"
    return f"climbing from {_level(start)} to level {end}{by}"


def moving(blocks: Sequence[Block], block: int, start: Pose, end: Pose) -> str:
    """Describe a block move, e.g. "moving cube 14 from level 2 to the table, pink on top"."""
    name = block_name(blocks, block)
    if (start.x, start.y, start.z) == (end.x, end.y, end.z):
        return f"turning {name} where it lay, {end.top} on top"
    if start.z == end.z:
        return f"moving {name} elsewhere on {_level(end.z)}, {end.top} on top"
    return f"moving {name} from {_level(start.z)} to {_level(end.z)}, {end.top} on top"


def _level(level: int) -> str:
    return f"level {level}" if level else "the table"
