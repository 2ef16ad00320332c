"""Numbers of paths in climbers, each calculated by hand."""

from typing import Any

import pytest

from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.pieces import Ladders, Phase
from himalaya_core.climbers.state import State
from himalaya_core.engine import divide, perft
from himalaya_core.seed import Seed
from tests.core.climbers.positions import TEAL, WITHOUT, fewer, structure

SEED = Seed("perft")
CUBES = "C@0,0,0:2x2x2:teal; C@2,0,0:2x2x2:teal"
NOBODY: dict[int, Ladders] = dict.fromkeys(range(5), WITHOUT)


def two(text: str, phase: Phase, **changes: Any) -> State:
    """Return a position of teal against purple in which teal is to act; by default purple can't climb."""
    return fewer(structure(text, TEAL, phase, ladders=changes.pop("ladders", NOBODY), **changes), 2)


ON_CUBE = 6
"""Poses on top of the other cube: one for each of six colours."""
BESIDE_CUBE = 12 * 6
"""Poses next to the other cube: three offsets along each of its four sides, six colours each."""


@pytest.mark.parametrize(
    ("state", "depth", "count"),
    [
        pytest.param(two(CUBES, Phase.BLOCK), 0, 1, id="nothing chosen"),
        # each cube on the other or next to it, except in its present pose; or no block is moved
        pytest.param(two(CUBES, Phase.BLOCK), 1, 2 * (ON_CUBE + BESIDE_CUBE - 1) + 1, id="two cubes"),
        # the block moved in the previous turn stays
        pytest.param(two(CUBES, Phase.BLOCK, last_moved=12), 1, ON_CUBE + BESIDE_CUBE - 1 + 1, id="one moved before"),
        # the lower cube stays; the upper one is turned to other colours, or placed next to it
        pytest.param(
            two("C@0,0,0:2x2x2:red; C@0,0,2:2x2x2:red", Phase.BLOCK), 1, ON_CUBE - 1 + BESIDE_CUBE + 1, id="a tower"
        ),
        # a climber keeps its cube from being moved, and leaves no room on it for the other
        pytest.param(
            two("C@0,0,0:2x2x2:teal; C@2,0,0:2x2x2:red", Phase.BLOCK, climbers={TEAL: (0, 0)}),
            1,
            BESIDE_CUBE - 1 + 1,
            id="a climber on a cube",
        ),
        # climb with either ladder, or not at all
        pytest.param(two("C@0,0,0:2x2x2:teal", Phase.CLIMB, ladders={}), 1, 3, id="two ladders"),
        # climb with either ladder (nothing to climb afterwards); then only the cube under the climber could move, so
        # none does
        pytest.param(two("C@0,0,0:2x2x2:teal", Phase.CLIMB, ladders={}), 2, 2 * 1 + 1, id="up and no block to move"),
        # place the disc on either cube, or not at all
        pytest.param(two(CUBES, Phase.DISC), 1, 3, id="the disc"),
        pytest.param(
            fewer(structure("Hpn@0,0,0:2x2x1:neutral", TEAL, Phase.DISC, ladders=NOBODY, climbers={TEAL: (0, 0)}), 2),
            2,
            # no block is free for the disc; purple climbs or not
            2,
            id="the others climb",
        ),
    ],
)
def test_path_counts_match_known_values(state: State, depth: int, count: int) -> None:
    assert perft(CLIMBERS, state, depth, SEED) == count


HALF = "C@0,0,0:2x2x2:teal; Hyr@2,0,0:2x2x1:red"
# 2 x 2: one place on the cube, three along each side; 1 x 2: two places on it, two times three and two times two next
# to it
LYING, STANDING = 1 + 12, 2 + 10


def test_moves_of_a_half_cube_are_counted() -> None:
    """The half lies with two colours, or is upright with four in two directions; the cube is laid on or next to it."""
    half = 2 * LYING + 8 * STANDING - 1
    cube = ON_CUBE + BESIDE_CUBE - 1
    state = two(HALF, Phase.BLOCK)
    assert perft(CLIMBERS, state, 1, SEED) == half + cube + 1


def test_divide_adds_up_to_perft() -> None:
    state = two(CUBES, Phase.BLOCK)
    parts = divide(CLIMBERS, state, 2, SEED)
    assert len(parts) == perft(CLIMBERS, state, 1, SEED)
    assert sum(parts.values()) == perft(CLIMBERS, state, 2, SEED)
