"""What a seat knows, and the position as plain data."""

from typing import Any

from himalaya_core.climbers.blocks import Cell, Pose
from himalaya_core.climbers.state import State

__all__ = ["position", "view"]


def view(state: State, _seat: int) -> State:
    """Return the position as a seat sees it: all of it: nothing is hidden (L-view)."""
    return state


def position(state: State) -> dict[str, Any]:
    """Return the position as JSON-ready data; `state_sha256` of a log is the digest of its canonical form."""
    return {
        "phase": state.phase,
        "turn": state.turn,
        "active": state.active,
        "acting": state.acting,
        "moved": state.moved,
        "last_moved": state.last_moved,
        "climbed": state.climbed,
        "streak": state.streak,
        "rises": state.rises,
        "blocks": [_pose(pose) for pose in state.poses],
        "colours": list(state.colours),
        "seats": [
            {
                "climber": _cell(state.climbers[seat]),
                "short": state.ladders[seat].short,
                "long": state.ladders[seat].long,
                "disc": state.discs[seat].place,
                "disc_block": state.discs[seat].block,
                "disc_cell": _cell(state.discs[seat].cell),
                "reached": state.reached[seat],
            }
            for seat in state.seats
        ],
    }


def _cell(cell: Cell | None) -> list[int] | None:
    return None if cell is None else [cell.x, cell.y]


def _pose(pose: Pose | None) -> list[Any] | None:
    return None if pose is None else [pose.x, pose.y, pose.z, pose.dx, pose.dy, pose.dz, pose.top]
