"""Calls functions of the replay's JavaScript modules without a browser."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from dashboards.boards import engine
from dashboards.boards.tower import Laying, TowerScene

__all__ = ["Structure", "asked", "faces", "structure"]

Square = tuple[int, int]
ROW = 1024
"""Number of squares per row in the square numbers of tower/faces.js."""


@cache
def _context() -> Any:
    return engine._context()


def asked(module: str, expression: str, **values: Any) -> Any:
    """Evaluate an expression in which `of` is a module and further names have the given values."""
    names = ", ".join(("of", *values))
    given = ", ".join((f"$need({json.dumps(module)})", *map(json.dumps, values.values())))
    return json.loads(_context().eval(f"JSON.stringify((({names}) => {expression})({given}))"))


@dataclass(frozen=True)
class Structure:
    """A tower: contents of each column (block, from, to), pose of each block, and region of each square."""

    columns: Mapping[Square, Sequence[tuple[int, int, int]]]
    lies: Mapping[int, Laying]
    places: Mapping[Square, int]

    def height(self, square: Square) -> int:
        return self.columns[square][-1][2] if square in self.columns else 0


def structure(scene: TowerScene, count: int) -> Structure:
    """Return the structure after a number of block placements."""
    expression = """{
        const { columns, lies, tops } = of.structure({ layings }, count);
        return { columns: [...columns], lies, tops: [...tops] };
    }"""
    found = asked("tower/faces.js", expression, layings=scene["layings"], count=count)
    columns = {_square(number): [*map(tuple, column["stack"])] for number, column in found["columns"]}
    lies = {laying[0]: laying for laying in found["lies"] if laying}
    return Structure(columns, lies, {_square(number): place for number, place in found["tops"]})


def faces(scene: TowerScene, front: Square) -> list[dict[str, Any]]:
    """Return the visible faces of a whole tower from one side, in painting order."""
    expression = "of.faces(of.structure(scene, scene.layings.length), scene.board.room, front)"
    needed = {"layings": scene["layings"], "board": scene["board"]}
    found: list[dict[str, Any]] = asked("tower/faces.js", expression, scene=needed, front=front)
    return found


def _square(number: int) -> Square:
    return number % ROW, number // ROW
