"""Structures for tests: a few blocks from a line of text, or all 35 after random moves; with climbers."""

import json
import random
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from himalaya_core.climbers.actions import MoveBlock
from himalaya_core.climbers.blocks import Cell, Colour, Pose, poses_of
from himalaya_core.climbers.board import Board, parse_board
from himalaya_core.climbers.listing import BlockMoves
from himalaya_core.climbers.pieces import COLOURS, Disc, DiscPlace, Options, Phase, put
from himalaya_core.climbers.state import State, evolve, initial
from himalaya_core.climbers.terrain import placed_pose, terrain_of

NUMBERS = {"Htp": 0, "Hyr": 4, "Hpn": 8, "C": 12, "Dtp": 24, "Dyr": 27, "Dpn": 30, "T": 33}
"""The lowest block number of each class."""


@cache
def board(side: int) -> Board:
    """Return a board with the solid cuboid in the middle of a table of any size."""
    text = files("himalaya_core.climbers").joinpath("boards/solid-cuboid.json").read_text()
    document = json.loads(text)
    shift = (document["table"] - side) // 2
    rows = [row.split("@") for row in document["opening"]]
    moved = [(letters, rest.split(",", 2)) for letters, rest in rows]
    opening = [f"{letters}@{int(x) - shift},{int(y) - shift},{rest}" for letters, (x, y, rest) in moved]
    return parse_board({**document, "table": side, "opening": opening})


def built(text: str, side: int = 20, **changes: Any) -> State:
    """Return a position with given blocks such as `Hyr@0,0,0:2x2x1:red`, in which the first seat is to move a block."""
    poses: list[Pose | None] = [None] * 35
    used: dict[str, int] = {}
    for row in text.split(";"):
        letters, place, edges, top = row.strip().replace("@", ":").split(":")
        number = NUMBERS[letters] + used.get(letters, 0)
        used[letters] = used.get(letters, 0) + 1
        x, y, z = map(int, place.split(","))
        dx, dy, dz = map(int, edges.split("x"))
        poses[number] = Pose(x, y, z, dx, dy, dz, Colour(top))
    return position(tuple(poses), side, **changes)


def position(poses: tuple[Pose | None, ...], side: int, **changes: Any) -> State:
    """Return a position with a given structure, in which the first of five seats is to move a block."""
    start = initial(Options(5), board(side))
    return evolve(start, poses=poses, colours=COLOURS, turn=1, phase=Phase.BLOCK, **changes)


def put_on(state: State, cells: Sequence[Cell | None], discs: Sequence[int] = ()) -> State:
    """Return the position with each seat's climber on a square, and discs of the first seats on blocks."""
    climbers = (*cells, *(None,) * (len(state.seats) - len(cells)))
    laid = [Disc(DiscPlace.ON, block, Cell(0, 0)) for block in discs]
    return evolve(state, climbers=climbers, discs=(*laid, *state.discs[len(laid) :]))


def shuffled(seed: str, moves: int, side: int = 32) -> State:
    """Return the solid cuboid after this many random block moves."""
    poses: list[Pose | None] = [None] * 35
    for block, pose in board(side).opening or ():
        poses[block] = pose
    return moved(position(tuple(poses), side), seed, moves)


def moved(state: State, seed: str, moves: int) -> State:
    """Return the position after this many random block moves."""
    draws = random.Random(seed)
    for _ in range(moves):
        listed = BlockMoves(state)
        move = listed[draws.randrange(len(listed))]
        state = after(state, move) if isinstance(move, MoveBlock) else state
    return state


def after(state: State, move: MoveBlock) -> State:
    """Return the position with a block placed elsewhere; the block may not be moved again immediately."""
    ways = poses_of(state.board.blocks[move.block])
    shape = next(way for way in ways if (way.dx, way.dy, way.top) == (move.dx, move.dy, move.top))
    without = terrain_of(state.poses, state.board.side).lifted(move.block)
    pose = placed_pose(without, Cell(move.x, move.y), shape)
    assert isinstance(pose, Pose), pose
    return evolve(state, poses=put(state.poses, move.block, pose), last_moved=move.block)


def peopled(seed: str, state: State) -> State:
    """Return the position with up to five climbers and two discs on different tops."""
    draws = random.Random(seed)
    terrain = terrain_of(state.poses, state.board.side)
    tops = [block for block, free in enumerate(terrain.exposed) if free]
    draws.shuffle(tops)
    discs, tops = tops[: draws.randrange(3)], tops[2:5]
    squares = [cell for block in tops for cell in terrain.grid.cells(terrain.exposed[block])]
    return put_on(state, draws.sample(squares, min(draws.randrange(6), len(squares))), discs)
