"""What a seat of climbers may choose: a place to step to, a block for the disc; a block to move is laid by itself."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from dashboards.games.choices import MOST_LISTED, Choice, Offer, Way
from himalaya_core.climbers.actions import ClimbStep, EndClimb, PlaceDisc, SkipBlock, SkipDisc
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.pieces import Ladder, Phase
from himalaya_core.climbers.state import State
from himalaya_core.climbers.text import block_name
from himalaya_core.game import Game

__all__ = ["climbers_choices"]


def climbers_choices(game: Game[Any, Any, Any], state: State, seat: int, _names: Sequence[str]) -> Offer:
    """Return the choices of a seat; of some 10,000 ways to move a block only that it moves none."""
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
    """Return where a step leads, and by which ladder."""
    start, end = level(state, action.seat), ground(state).height_at(action.to_cell)
    way = f"Climbs to level {end}" if end > start else f"Steps across on level {end}"
    by = "" if action.ladder is Ladder.NONE else f" by the {action.ladder} ladder"
    return f"{way}, on {where}{by}"
