"""Scenes of towers: blocks on a table, climbers and discs on the blocks, and ladders.

Lengths are in squares of the table, heights in levels; x grows to the right, y to the back, z up.
"""

from typing import Literal, TypeAlias, TypedDict

from dashboards.boards.scene import Frame, Link, Scene

__all__ = ["Laying", "Room", "Square", "Step", "TowerBoard", "TowerFrame", "TowerScene"]

Laying: TypeAlias = tuple[int, int, int, int, int, int, int, str]
"""The placement of a block: its number, its lowest corner (x, y, z), its size along x, y and z, and the letters of five
faces in the order top, +x, -x, +y, -y."""
Step: TypeAlias = tuple[int, list[int], list[int], str]
"""A climber's step: seat, start (x, y, level; only the level if on the table), end, and "s" or "l" for a ladder."""


class Square(TypedDict):
    """A square of the table on which a climber stood, at any height; `n` counts squares row by row."""

    n: int
    x: int
    y: int
    name: str


class Room(TypedDict):
    """The rectangle of all squares that have blocks at any time in the match, and the greatest height."""

    x: int
    y: int
    dx: int
    dy: int
    height: int


class TowerBoard(TypedDict):
    """The fixed part of a tower: the table's width in squares, and the colours of faces by letter. `links` is empty."""

    kind: Literal["tower"]
    nodes: list[Square]
    links: list[Link]
    side: int
    room: Room
    colours: dict[str, str]


class TowerFrame(Frame):
    """A position on a tower.

    `b` is the number of `TowerScene.layings` done so far, `p` the letters of the seats' colours (none before they are
    dealt). By seat: `c` the square of its climber (x, y; empty: on the table), `h` letters of the ladders it has ("s"
    short, "l" long), `d` its disc: its block and the square (x, y), -1 alone: in its hand, -2 alone: out of the game;
    `r` the places in reach of its climber (an index into `TowerScene.reaches`).

    `m` is the block that was moved in this turn, `o` the one moved in the turn before, which may not be moved now (-1:
    none). `t` are the steps of this turn, `k` the number of turns in a row without a climber rising.
    """

    b: int
    p: str
    c: list[list[int]]
    h: list[str]
    d: list[list[int]]
    r: list[int]
    m: int
    o: int
    t: list[Step]
    k: int


class TowerScene(Scene):
    """A match on a tower. Ids of things: "b" and a block, "t" for its top, "c" and "d" for a seat's climber and disc.

    `layings` are all placements of blocks, in order of time. `reaches` are lists of the places that a climber can reach
    by steps alone; each place is named by the `Square.n` of its first square.
    """

    board: TowerBoard
    frames: list[TowerFrame]
    layings: list[Laying]
    reaches: list[list[int]]
