"""Written notation of a climbers match: squares as `x,y`; blocks by number, corner, edges and top colour."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

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
        "a block, its lowest corner, its edges along x and y, and the colour on top",
    ),
    "skip_block": Form("skip", (), "no block"),
    "place_disc": Form("disc", (number("block", "NUMBER"), cell("cell")), "the disc on a block"),
    "skip_disc": Form("keep", (), "the disc kept"),
}
