"""Clickable targets on a tower, and a seat's choices of action."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from dashboards.boards.scene import NOBODY, Moment
from dashboards.boards.tower import Square
from dashboards.games.analytics import MOST_LISTED, Choice, Offer, Way
from himalaya_core.climbers.actions import ClimbStep, EndClimb, MoveBlock, PlaceDisc, SkipBlock, SkipDisc
from himalaya_core.climbers.blocks import Block, Pose
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.events import (
    BlockMoved,
    BlockPlaced,
    ClimberShifted,
    ClimberStepped,
    DiscPlaced,
    DiscRemoved,
)
from himalaya_core.climbers.pieces import Ladder, Phase
from himalaya_core.climbers.rules import ways_to_shift
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import Terrain, obstacle_to_lifting
from himalaya_core.climbers.view import block_name
from himalaya_core.game import Game, IllegalAction
from himalaya_core.log.codec import Entry, decode_action
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import Evaluation

__all__ = [
    "GROUPS",
    "alternative_targets",
    "arrivals",
    "block_ways",
    "climbers_choices",
    "names_of_targets",
    "squares_of",
    "touch",
]


MOST_WAYS: Final = 40
"""Maximum number of ways to try when climbers in a block's way must be shifted."""


def climbers_choices(game: Game[Any, Any, Any], state: State, seat: int, _names: Sequence[str]) -> Offer:
    """Return the choices of a seat. The 10,000 or so block moves are not listed, only the choice to move no block."""
    if state.phase is Phase.BLOCK:
        return Offer(Way.BLOCK, [_choice(state, SkipBlock(seat))])
    listed = islice(game.legal_actions(state, seat), MOST_LISTED)
    return Offer(Way.LIST, [_choice(state, action) for action in listed])


def _choice(state: State, action: Any) -> Choice:
    blocks = state.board.blocks
    match action:
        case ClimbStep(seat=seat, to_cell=cell):
            block = ground(state).block_at(cell)
            assert block is not None, "a climber goes to no table"
            return Choice(
                action, _step(state, action, block_name(blocks, block)), [f"t{block}", f"b{block}", f"c{seat}"]
            )
        case PlaceDisc(seat=seat, block=block):
            return Choice(
                action, f"Lays the disc on {block_name(blocks, block)}", [f"t{block}", f"b{block}", f"d{seat}"]
            )
        case EndClimb(seat=seat):
            return Choice(action, "Climbs no more", [f"c{seat}"])
        case SkipBlock():
            return Choice(action, "Moves no block")
        case SkipDisc(seat=seat):
            return Choice(action, "Keeps the disc", [f"d{seat}"])
        case _:
            raise ValueError(f"climbers has no such choice: {action}")


def _step(state: State, action: ClimbStep, where: str) -> str:
    """Return the target of a step in words, and the ladder it uses."""
    start, end = level(state, action.seat), ground(state).height_at(action.to_cell)
    way = f"Climbs to level {end}" if end > start else f"Steps across on level {end}"
    by = "" if action.ladder is Ladder.NONE else f" by the {action.ladder} ladder"
    return f"{way}, on {where}{by}"


def block_ways(game: Game[Any, Any, Any], state: State, action: Any, names: Sequence[str]) -> list[Choice]:
    """Return ways to shift climbers that are in a block's way, nearest squares first; empty if none is in the way."""
    if not isinstance(action, MoveBlock) or action.shifts or not 0 <= action.block < len(state.poses):
        return []
    terrain = ground(state)
    if obstacle_to_lifting(terrain, action.block, state.climbers, state.disc_blocks, state.last_moved):
        return []
    lifted = terrain.lifted(action.block)
    if not lifted.grid.holds(action.x, action.y, action.dx, action.dy):
        return []
    box = lifted.grid.box(action.x, action.y, action.dx, action.dy)
    found = list[Choice]()
    for shifts in islice(ways_to_shift(lifted, box, state.climbers), MOST_WAYS):
        way = replace(action, shifts=shifts)
        with suppress(IllegalAction):
            game.decide(state, way)
            places = [f"{names[shift.player]} to {shift.to_cell.x}, {shift.to_cell.y}" for shift in shifts]
            found.append(Choice(way, " and ".join(places), [f"c{shift.player}" for shift in shifts]))
    return found


GROUPS: Final[Mapping[str, str]] = {
    "c": "Climbers",
    "d": "Discs",
    "b": "Blocks",
    "t": "Tops of blocks",
    "n": "Squares",
}
"""Kinds of targets, by the first letter of their ids; squares are not listed, because only the traffic view uses
them.
"""


def names_of_targets(blocks: Sequence[Block], names: Sequence[str]) -> dict[str, str]:
    """Map the id of each climber, disc, block and top (`c0`, `d0`, `b12`, `t12`) to a readable name."""
    found = {f"c{seat}": f"Climber of {name}" for seat, name in enumerate(names)}
    found |= {f"d{seat}": f"Disc of {name}" for seat, name in enumerate(names)}
    found |= {f"b{block.id}": block_name(blocks, block.id).capitalize() for block in blocks}
    return found | {f"t{block.id}": f"Top of {block_name(blocks, block.id)}" for block in blocks}


def squares_of(entries: Sequence[Entry], side: int) -> list[Square]:
    """Return all squares on which a climber ever stopped, row by row."""
    numbers = sorted({number for _, _, number, _ in arrivals(entries, side)})
    return [
        Square(n=number, x=number % side, y=number // side, name=f"Square {number % side},{number // side}")
        for number in numbers
    ]


def arrivals(entries: Sequence[Entry], side: int) -> list[tuple[int, int, int, int]]:
    """Return `(entry, seat, square, link)` for each arrival of a climber; there are no links in this game."""
    found: list[tuple[int, int, int, int]] = []
    for at, entry in enumerate(entries):
        match entry.event:
            case ClimberStepped(seat=seat, to=cell) | ClimberShifted(player=seat, to_cell=cell):
                found.append((at, seat, cell.y * side + cell.x, NOBODY))
    return found


def touch(moments: Sequence[Moment], entries: Sequence[Entry], states: Sequence[State]) -> None:
    """Add to each moment the targets that its events involve."""
    ends = [moment["at"] for moment in moments[1:]] + [len(entries)]
    for moment, end in zip(moments, ends, strict=True):
        found: dict[str, None] = {}
        for at in range(moment["at"], end):
            if at:
                found |= dict.fromkeys(_touched(entries[at].event, states[at - 1]))
        if found:
            moment["on"] = list(found)


def alternative_targets(replay: Replay, judged: Evaluation) -> list[str]:
    """Return the targets of an alternative: its block, the blocks below, and the places a climber would go to."""
    state, found = replay.states[judged.seq - 1], dict[str, None]()
    for event in replay.game.decide(state, decode_action(replay.game, judged.action, judged.seat)):
        found |= dict.fromkeys(_touched(event, state))
        state = replay.game.apply(state, event)
    return list(found)


def _touched(event: Any, before: State) -> Iterator[str]:
    """Yield the targets involved in an event, given the position before."""
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
    """Return the blocks under a block, given the terrain without that block."""
    return lifted.below(lifted.grid.box(pose.x, pose.y, pose.dx, pose.dy))
