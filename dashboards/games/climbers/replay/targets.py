"""The clickable targets of a tower: a name for each, and the targets of each event."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from dashboards.boards.scene import NOBODY, Moment
from dashboards.boards.tower.scene import Square
from himalaya_core.climbers.blocks import Block, Pose
from himalaya_core.climbers.climbing import ground
from himalaya_core.climbers.events import (
    BlockMoved,
    BlockPlaced,
    ClimberShifted,
    ClimberStepped,
    DiscPlaced,
    DiscRemoved,
)
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import Terrain
from himalaya_core.climbers.text import block_name
from himalaya_core.log.codec import Entry, decode_action
from himalaya_core.replay import Replay
from himalaya_core.review.swings import Evaluation

__all__ = ["GROUPS", "alternative_targets", "arrivals", "names_of_targets", "squares_of", "touch"]

GROUPS: Final[Mapping[str, str]] = {
    "c": "Climbers",
    "d": "Discs",
    "b": "Blocks",
    "t": "Tops of blocks",
    "n": "Squares",
}
"""Kinds of targets, by the first letter of their ids; squares are counted by traffic alone."""


def names_of_targets(blocks: Sequence[Block], names: Sequence[str]) -> dict[str, str]:
    """Return a name for each climber, disc, block and top by its id: `c0`, `d0`, `b12`, `t12`."""
    found = {f"c{seat}": f"Climber of {name}" for seat, name in enumerate(names)}
    found |= {f"d{seat}": f"Disc of {name}" for seat, name in enumerate(names)}
    found |= {f"b{block.id}": block_name(blocks, block.id).capitalize() for block in blocks}
    return found | {f"t{block.id}": f"Top of {block_name(blocks, block.id)}" for block in blocks}


def squares_of(entries: Sequence[Entry], side: int) -> list[Square]:
    """Return the squares on which climbers ever stopped, row by row."""
    numbers = sorted({number for _, _, number, _ in arrivals(entries, side)})
    return [
        Square(n=number, x=number % side, y=number // side, name=f"Square {number % side},{number // side}")
        for number in numbers
    ]


def arrivals(entries: Sequence[Entry], side: int) -> list[tuple[int, int, int, int]]:
    """Return the times, seats and squares of arrivals; they use no link."""
    found: list[tuple[int, int, int, int]] = []
    for at, entry in enumerate(entries):
        match entry.event:
            case ClimberStepped(seat=seat, to=cell) | ClimberShifted(player=seat, to_cell=cell):
                found.append((at, seat, cell.y * side + cell.x, NOBODY))
    return found


def touch(moments: Sequence[Moment], entries: Sequence[Entry], states: Sequence[State]) -> None:
    """Add to each moment the targets of its events."""
    ends = [moment["at"] for moment in moments[1:]] + [len(entries)]
    for moment, end in zip(moments, ends, strict=True):
        found: dict[str, None] = {}
        for at in range(moment["at"], end):
            if at:
                found |= dict.fromkeys(_touched(entries[at].event, states[at - 1]))
        if found:
            moment["on"] = list(found)


def alternative_targets(replay: Replay, judged: Evaluation) -> list[str]:
    """Return the alternative's block, the blocks under it, and the places a climber would go to."""
    state, found = replay.states[judged.seq - 1], dict[str, None]()
    for event in replay.game.decide(state, decode_action(replay.game, judged.action, judged.seat)):
        found |= dict.fromkeys(_touched(event, state))
        state = replay.game.apply(state, event)
    return list(found)


def _touched(event: Any, before: State) -> Iterator[str]:
    """Yield the targets of an event, given the position before it."""
    match event:
        case BlockPlaced(block=block):
            yield f"b{block}"
        case ClimberStepped(seat=seat, from_=start, to=end):
            yield f"c{seat}"
            yield from (f"t{ground(before).block_at(cell)}" for cell in (start, end) if cell)
        case ClimberShifted(player=player, block=block):
            yield from (f"c{player}", f"t{block}")
        case BlockMoved(block=block, from_pose=start, to_pose=end):
            lifted = ground(before).lifted(block)
            yield f"b{block}"
            yield from dict.fromkeys(f"t{other}" for pose in (start, end) for other in _under(lifted, pose))
        case DiscPlaced(seat=seat, block=block) | DiscRemoved(seat=seat, block=block):
            yield from (f"d{seat}", f"b{block}", f"t{block}")


def _under(lifted: Terrain, pose: Pose) -> list[int]:
    """Return the blocks under a block, given the ground without it."""
    return lifted.below(lifted.grid.box(pose.x, pose.y, pose.dx, pose.dy))
