"""Written notation of a climbers match: squares as `x,y`; blocks by number, corner, edges and top colour.

Blocks have numbers in logs only: at the table a block may be written as a square of its top.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from himalaya_core.climbers.state import State
from himalaya_core.game import Field, Form, as_json, marked, number, seat, word

__all__ = ["NOTATION"]


def _cell(value: Mapping[str, int]) -> str:
    return f"{value['x']},{value['y']}"


def _read_cell(text: str) -> dict[str, int]:
    x, y = text.split(",")
    return {"x": int(x), "y": int(y)}


def _shifts(value: Any) -> str:
    return "+".join(f"{each['player'] + 1}>{_cell(each['to_cell'])}" for each in value)


def _read_shifts(text: str) -> list[dict[str, Any]]:
    pairs = (each.split(">") for each in text.split("+"))
    return [{"player": int(player) - 1, "to_cell": _read_cell(cell)} for player, cell in pairs]


def _tower(value: Sequence[Mapping[str, Any]]) -> str:
    return "/".join(f"{each['block']}@{_pose(each['pose'])}" for each in value)


def _pose(pose: Mapping[str, Any]) -> str:
    place = f"{pose['x']},{pose['y']},{pose['z']}"
    return f"{place}:{pose['dx']}x{pose['dy']}x{pose['dz']}:{pose['top']}"


def _read_tower(text: str) -> list[dict[str, Any]]:
    pairs = (each.split("@") for each in text.lower().split("/"))
    return [{"block": int(block), "pose": _read_pose(pose)} for block, pose in pairs]


def _read_pose(text: str) -> dict[str, Any]:
    place, edges, top = text.split(":")
    x, y, z = map(int, place.split(","))
    dx, dy, dz = map(int, edges.split("x"))
    return {"x": x, "y": y, "z": z, "dx": dx, "dy": dy, "dz": dz, "top": top}


def cell(key: str) -> Field:
    """Return a notation field for a square."""
    return as_json(key, "X,Y", _cell, _read_cell)


def _seen_block(state: State, _seat: int, words: list[str]) -> list[str]:
    """Replace a square by the number of the block on top there."""
    x, y = map(int, words[1].split(","))
    there = [
        (pose.z + pose.dz, number)
        for number, pose in enumerate(state.poses)
        if pose and x in range(pose.x, pose.x + pose.dx) and y in range(pose.y, pose.y + pose.dy)
    ]
    return [words[0], str(max(there)[1]), *words[2:]]


def _seen_disc(state: State, seat: int, words: list[str]) -> list[str]:
    return [*_seen_block(state, seat, words), words[1]]


LADDER: Final = marked("by:", word("ladder", "short|long"), absent="none")
COLOURS: Final = as_json("colours", "COLOUR,…", ",".join, lambda text: text.lower().split(","))
NOTATION: Final[Mapping[str, Form]] = {
    "build_opening": Form(
        "tower",
        (as_json("placements", "NUMBER@X,Y,Z:WIDTHxDEPTHxHEIGHT:COLOUR/…", _tower, _read_tower),),
        "how all blocks lie, from the ground up: number, lowest corner, edges, and the colour on top",
    ),
    "deal_colours": Form("colours", (COLOURS,), "the colour of each seat"),
    "draw_lot": Form("first", (seat("first", "SEAT"),), "who starts"),
    "climb_step": Form("climb", (cell("to_cell"), LADDER), "a step to a square"),
    "end_climb": Form("stop", (), "no further step"),
    "move_block": Form(
        "block",
        (
            number("block", "NUMBER"),
            number("x", "X"),
            number("y", "Y"),
            number("dx", "WIDTH"),
            number("dy", "DEPTH"),
            word("top", "COLOUR"),
            marked("shift:", as_json("shifts", "SEAT>X,Y+…", _shifts, _read_shifts), absent=[]),
        ),
        "a block, or a square of its top; its lowest corner, its edges along x and y, and the colour on top",
        _seen_block,
    ),
    "skip_block": Form("skip", (), "no block"),
    "place_disc": Form(
        "disc", (number("block", "NUMBER"), cell("cell")), "the disc on a block; the square is enough", _seen_disc
    ),
    "skip_disc": Form("keep", (), "the disc kept"),
}
