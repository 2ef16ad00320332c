"""What a seat may see of a position, and the position as plain data and as text with a map of heights."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from himalaya_core.climbers.blocks import Block, Cell, Colour, Pose, Size
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.flow import is_over
from himalaya_core.climbers.pieces import DiscPlace, Phase
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State
from himalaya_core.columns import table
from himalaya_core.document import object_schema

__all__ = ["POSITION", "block_name", "describe", "position", "view"]


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
    """Return the position unchanged: nothing is hidden (L-view)."""
    return state


def position(state: State) -> dict[str, Any]:
    """Return the position as plain data for JSON. `state_sha256` in logs is the digest of its canonical JSON."""
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


SIZES: Final = {
    Size.HALF: "half cube",
    Size.CUBE: "cube",
    Size.DOUBLE: "double cube",
    Size.TRIPLE: "triple cube",
}

LETTERS: Final = {
    Colour.TEAL: "t",
    Colour.PURPLE: "u",
    Colour.YELLOW: "y",
    Colour.RED: "r",
    Colour.PINK: "i",
    Colour.NEUTRAL: "n",
}
"""A unique letter for each colour of a top."""
LEGEND: Final = (
    f"heights and tops ({', '.join(f'{letter} {colour}' for colour, letter in LETTERS.items())}),"
    " *1 the climber of seat 1, x a disc:\n"
)
PARTS: Final = {
    Phase.CLIMB: "A, climbing",
    Phase.BLOCK: "B, a block",
    Phase.CLIMB_AGAIN: "C, climbing again",
    Phase.DISC: "D, the disc",
    Phase.OTHERS: "the others climb",
}


def block_name(blocks: Sequence[Block], number: int) -> str:
    """Return the name of a block, e.g. "half cube 3"."""
    return f"{SIZES[blocks[number].size]} {number}"


def describe(state: State, names: Sequence[str]) -> str:
    """Return the whole position as text: turn, structure and seats. `names` are indexed by seat."""
    parts = [_when(state, names), _map(state), _seats(state, names), _standing(state, names)]
    return "\n".join(parts)


def _when(state: State, names: Sequence[str]) -> str:
    if not state.turn:
        return "set-up\n"
    where = f", {PARTS[state.phase]}" if state.phase in PARTS else ""
    over = " (over)" if is_over(state) else ""
    banned = f"; not to be moved now: block {state.last_moved}" if state.last_moved is not None else ""
    lines = [
        f"turn {state.turn} of {names[state.active]}{where}{over}",
        f"turns in a row without a rise: {state.streak} of {len(state.seats)}{banned}",
        "",
    ]
    return "\n".join(lines)


def _map(state: State) -> str:
    terrain = ground(state)
    cells = list(terrain.grid.cells(terrain.built))
    if not cells:
        return "no block lies yet\n"
    columns = range(min(cell.x for cell in cells), max(cell.x for cell in cells) + 1)
    rows = range(max(cell.y for cell in cells), min(cell.y for cell in cells) - 1, -1)
    drawn = [[y, *(_square(state, Cell(x, y)) for x in columns)] for y in rows]
    return LEGEND + table(["", *map(str, columns)], drawn)


def _square(state: State, cell: Cell) -> str:
    terrain = ground(state)
    block = terrain.block_at(cell)
    pose = None if block is None else state.poses[block]
    if pose is None:
        return "."
    climber = f"*{state.climbers.index(cell) + 1}" if cell in state.climbers else ""
    disc = "x" if any(disc.cell == cell for disc in state.discs) else ""
    return f"{pose.z + pose.dz}{LETTERS[pose.top]}{climber}{disc}"


def _seats(state: State, names: Sequence[str]) -> str:
    rows = [
        [
            seat + 1,
            names[seat],
            state.colours[seat] if seat < len(state.colours) else "-",
            level(state, seat),
            _place(state, seat),
            " ".join(kind for kind, there in zip(("short", "long"), state.ladders[seat], strict=True) if there) or "-",
            _disc(state, seat),
        ]
        for seat in state.seats
    ]
    return table(["seat", "who", "colour", "level", "stands on", "ladders", "disc"], rows)


def _place(state: State, seat: int) -> str:
    cell = state.climbers[seat]
    if cell is None:
        return "the table"
    return f"block {ground(state).block_at(cell)} at {cell.x},{cell.y}"


def _disc(state: State, seat: int) -> str:
    disc = state.discs[seat]
    if disc.place is DiscPlace.ON:
        return f"on block {disc.block}"
    return "in hand" if disc.place is DiscPlace.IN_HAND else "-"


def _standing(state: State, names: Sequence[str]) -> str:
    groups = [" and ".join(names[seat] for seat in group) for group in standing(state).ranking]
    return f"{'it ended' if is_over(state) else 'if it ended now'}: {', then '.join(groups)}"
