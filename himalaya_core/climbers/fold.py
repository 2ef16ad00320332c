"""Applies events by copying their values into the next position. The rules are not checked."""

from typing import Final, assert_never

from himalaya_core.climbers.blocks import Pose
from himalaya_core.climbers.events import (
    BlockMoved,
    BlockPlaced,
    ClimberShifted,
    ClimberStepped,
    ColourAssigned,
    DiscPlaced,
    DiscRemoved,
    Event,
    LadderSpent,
    LevelReached,
    OthersSlot,
    PhaseSkipped,
    SetupChecked,
    StartPlayerChosen,
    TurnEnded,
    TurnStarted,
)
from himalaya_core.climbers.pieces import GONE, Disc, DiscPlace, Part, Phase, put
from himalaya_core.climbers.state import State, evolve

AFTER: Final = {
    Part.CLIMB: Phase.BLOCK,
    Part.BLOCK: Phase.CLIMB_AGAIN,
    Part.CLIMB_AGAIN: Phase.DISC,
    Part.DISC: Phase.NEXT,
    Part.OTHERS: Phase.NEXT,
}
"""The phase that follows each part of a turn."""


def apply(state: State, event: Event) -> State:
    """Return the position after an event that is valid here. Frequent types of event are matched first."""
    match event:
        case PhaseSkipped():
            return evolve(state, phase=AFTER[event.phase])
        case OthersSlot():
            _check_seat(state, event.seat)
            return evolve(state, acting=event.seat, phase=Phase.OTHERS)
        case ClimberStepped():
            return evolve(state, climbers=put(state.climbers, event.seat, event.to))
        case LadderSpent():
            left = state.ladders[event.seat].without(event.kind)
            return evolve(state, ladders=put(state.ladders, event.seat, left))
        case LevelReached():
            return evolve(state, reached=put(state.reached, event.seat, event.no), rises=event.no, climbed=True)
        case ClimberShifted():
            return evolve(state, climbers=put(state.climbers, event.player, event.to_cell))
        case BlockMoved():
            moved = evolve(state, moved=event.block, phase=AFTER[Part.BLOCK])
            return _lay(moved, event.block, event.from_pose, event.to_pose)
        case DiscPlaced():
            disc = Disc(DiscPlace.ON, event.block, event.cell)
            return evolve(state, discs=put(state.discs, event.seat, disc), phase=AFTER[Part.DISC])
        case DiscRemoved():
            return evolve(state, discs=put(state.discs, event.seat, GONE))
        case TurnStarted():
            _check_seat(state, event.seat)
            return evolve(
                state, active=event.seat, acting=event.seat, turn=event.no, moved=None, climbed=False, phase=Phase.CLIMB
            )
        case TurnEnded():
            return evolve(state, last_moved=state.moved, streak=event.streak, phase=Phase.TURN)
        case _:
            return _set_up(state, event)


def _set_up(state: State, event: BlockPlaced | SetupChecked | ColourAssigned | StartPlayerChosen) -> State:
    match event:
        case BlockPlaced():
            return _lay(state, event.block, None, event.pose)
        case SetupChecked():
            return evolve(state, phase=Phase.COLOURS)
        case ColourAssigned():
            if event.player != len(state.colours):
                raise IndexError(f"the next colour belongs to seat {len(state.colours)}")
            colours = (*state.colours, event.colour)
            return evolve(
                state, colours=colours, phase=Phase.START if len(colours) == len(state.seats) else state.phase
            )
        case StartPlayerChosen():
            _check_seat(state, event.player)
            return evolve(state, active=event.player, phase=Phase.TURN)
        case _:
            assert_never(event)


def _lay(state: State, block: int, before: Pose | None, pose: Pose) -> State:
    """Move a block. Raises `ValueError` if it is not at `before`."""
    if state.poses[block] != before:
        raise ValueError(f"block {block} does not lie at {before}")
    return evolve(state, poses=put(state.poses, block, pose))


def _check_seat(state: State, seat: int) -> None:
    if seat not in state.seats:
        raise IndexError(f"there is no seat {seat}")
