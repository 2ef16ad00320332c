"""Choices of a seat in climbers: a step, or a block for the disc; a block move is laid on the board itself."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from dashboards.games.choices import MOST_LISTED, Choice, Offer, Way
from himalaya_core.climbers.actions import ClimbStep, EndClimb, MoveBlock, PlaceDisc, SkipBlock, SkipDisc
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.pieces import Ladder, Phase
from himalaya_core.climbers.shifting import ways_to_shift
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import obstacle_to_lifting
from himalaya_core.climbers.text import block_name
from himalaya_core.game import Game, IllegalAction

__all__ = ["block_ways", "climbers_choices"]

MOST_WAYS: Final = 40
"""Maximum number of tested ways to set climbers elsewhere."""


def climbers_choices(game: Game[Any, Any, Any], state: State, seat: int, _names: Sequence[str]) -> Offer:
    """Return the choices of a seat; some 10,000 block moves are represented by the choice to move none."""
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
    """Return the target of a step, and its ladder."""
    start, end = level(state, action.seat), ground(state).height_at(action.to_cell)
    way = f"Climbs to level {end}" if end > start else f"Steps across on level {end}"
    by = "" if action.ladder is Ladder.NONE else f" by the {action.ladder} ladder"
    return f"{way}, on {where}{by}"


def block_ways(game: Game[Any, Any, Any], state: State, action: Any, names: Sequence[str]) -> list[Choice]:
    """Return places for climbers in the way of a block, near squares first; empty if none is in the way."""
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
