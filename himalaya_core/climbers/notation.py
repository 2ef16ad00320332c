"""How a climbers match is written by hand: squares as `x,y`, blocks by number with where and how they lie."""

import json
from collections.abc import Mapping
from typing import Any, Final

from himalaya_core.forms import Form, Part, as_json, marked, number, seat, word

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


def _packed(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _unpacked(text: str) -> Any:
    return json.loads(text.lower())


def cell(key: str) -> Part:
    """Return a square."""
    return as_json(key, "X,Y", _cell, _read_cell)


LADDER: Final = marked("by:", word("ladder", "short|long"), absent="none")
COLOURS: Final = as_json("colours", "COLOUR,…", ",".join, lambda text: text.lower().split(","))
NOTATION: Final[Mapping[str, Form]] = {
    "build_opening": Form("tower", (as_json("placements", "JSON", _packed, _unpacked),), "how all blocks lie"),
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
