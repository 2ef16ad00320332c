"""A position as a height map and text tables for a terminal."""

from collections.abc import Sequence
from typing import Final

from himalaya_core.climbers.blocks import Block, Cell, Colour, Size
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.flow import is_over
from himalaya_core.climbers.pieces import DiscPlace, Phase
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State
from himalaya_core.columns import table

__all__ = ["block_name", "describe"]

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
"""Unique letters for the colours of tops."""
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
    """Return the whole position as text: turn, structure, seats; `names` are by seat."""
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
    """Return the height map with tops, climbers and discs; the back row is first."""
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
