"""A seat's view of the position, and the position as plain data."""

from collections.abc import Mapping
from typing import Any, Final

from himalaya_core.climbers.blocks import Cell, Pose
from himalaya_core.climbers.state import State
from himalaya_core.document import object_schema

__all__ = ["POSITION", "position", "view"]

COUNT: Final = {"type": "integer", "minimum": 0}
BLOCK: Final = {"type": ["integer", "null"], "minimum": 0, "maximum": 34}
CELL: Final = {"type": ["array", "null"], "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
PROPERTIES: Final[Mapping[str, Any]] = {
    "phase": {
        "enum": ["build", "colours", "start", "A", "B", "C", "D", "others", "turn"],
        "description": "What is being decided; build, colours and start in the set-up, turn after a turn_ended.",
    },
    "turn": {**COUNT, "description": "The number of the last turn_started."},
    "active": {**COUNT, "description": "The seat on turn, or last on turn; 0 until the start player is chosen."},
    "acting": {**COUNT, "description": "The seat that decides, or did last: in others the one whose slot it is."},
    "moved": {**BLOCK, "description": "The block moved in this turn."},
    "last_moved": {**BLOCK, "description": "The block moved in the turn before; after turn_ended the same as moved."},
    "climbed": {"type": "boolean", "description": "Whether a climber rose in this turn."},
    "streak": {**COUNT, "description": "Number of turns in a row without a rise."},
    "rises": {**COUNT, "description": "Number of rises: the no of the last level_reached."},
    "blocks": {
        "type": "array",
        "items": {
            "type": ["array", "null"],
            "prefixItems": [*({"type": "integer"},) * 6, {"type": "string"}],
            "minItems": 7,
            "maxItems": 7,
        },
        "description": "By number the pose of each block, x, y, z, dx, dy, dz and top; null before it lies.",
    },
    "colours": {"type": "array", "items": {"type": "string"}, "description": "By seat; empty before they are dealt."},
    "seats": {
        "type": "array",
        "items": object_schema(
            {
                "climber": {**CELL, "description": "The x and y of its square; null on the table."},
                "short": {"type": "boolean", "description": "Whether this ladder is still there."},
                "long": {"type": "boolean", "description": "Whether this ladder is still there."},
                "disc": {"enum": ["in_hand", "on", "gone"]},
                "disc_block": {**BLOCK, "description": "The block under the disc."},
                "disc_cell": {**CELL, "description": "The square of the disc."},
                "reached": {**COUNT, "description": "The no of its last level_reached, 0 before."},
            }
        ),
    },
}
POSITION: Final[Mapping[str, Any]] = object_schema(PROPERTIES)
"""JSON Schema of the result of `position`."""


def view(state: State, _seat: int) -> State:
    """Return the position unchanged, as nothing is hidden (L-view)."""
    return state


def position(state: State) -> dict[str, Any]:
    """Return the position as JSON-ready data; a log's `state_sha256` is the digest of its canonical form."""
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
