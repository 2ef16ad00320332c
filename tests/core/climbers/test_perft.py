"""Numbers of paths in climbers, each worked out by hand."""

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
    """Return the position in which teal is to act, against purple, who cannot climb."""
    return fewer(structure(text, TEAL, phase, ladders=changes.pop("ladders", NOBODY), **changes), 2)


ON_CUBE = 6
"""Six colours on top of the other cube."""
BESIDE_CUBE = 12 * 6
"""Three offsets along each of the four sides of the other cube, six colours each."""


@pytest.mark.parametrize(
    ("state", "depth", "count"),
    [
        pytest.param(two(CUBES, Phase.BLOCK), 0, 1, id="nothing chosen"),
        # each cube on the other or next to it, less the pose in which it lies; or none is moved
        pytest.param(two(CUBES, Phase.BLOCK), 1, 2 * (ON_CUBE + BESIDE_CUBE - 1) + 1, id="two cubes"),
        # the one moved before stays
        pytest.param(two(CUBES, Phase.BLOCK, last_moved=12), 1, ON_CUBE + BESIDE_CUBE - 1 + 1, id="one moved before"),
        # the one below stays; the upper in other colours, or next to it
        pytest.param(
            two("C@0,0,0:2x2x2:red; C@0,0,2:2x2x2:red", Phase.BLOCK), 1, ON_CUBE - 1 + BESIDE_CUBE + 1, id="a tower"
        ),
        # a climber keeps one cube where it is, and leaves no room on it
        pytest.param(
            two("C@0,0,0:2x2x2:teal; C@2,0,0:2x2x2:red", Phase.BLOCK, climbers={TEAL: (0, 0)}),
            1,
            BESIDE_CUBE - 1 + 1,
            id="a climber on a cube",
        ),
        # up by either ladder, or not
        pytest.param(two("C@0,0,0:2x2x2:teal", Phase.CLIMB, ladders={}), 1, 3, id="two ladders"),
        # by either ladder (nothing to climb afterwards), then no block but the cube under the climber: none moved
        pytest.param(two("C@0,0,0:2x2x2:teal", Phase.CLIMB, ladders={}), 2, 2 * 1 + 1, id="up and no block to move"),
        # the disc on either cube, or not
        pytest.param(two(CUBES, Phase.DISC), 1, 3, id="the disc"),
        pytest.param(
            fewer(structure("Hpn@0,0,0:2x2x1:neutral", TEAL, Phase.DISC, ladders=NOBODY, climbers={TEAL: (0, 0)}), 2),
            2,
            # the disc has nowhere to lie; purple up or not
            2,
            id="the others climb",
        ),
    ],
)
def test_path_counts_match_known_values(state: State, depth: int, count: int) -> None:
    assert perft(CLIMBERS, state, depth, SEED) == count


HALF = "C@0,0,0:2x2x2:teal; Hyr@2,0,0:2x2x1:red"
# 2 x 2: one place on it, three along each side; 1 x 2: two places on it, twice three and twice two next to it
LYING, STANDING = 1 + 12, 2 + 10


def test_moves_of_a_half_cube_are_counted() -> None:
    """The half lies in two colours or is upright in four of two directions; the cube is laid on it or next to it."""
    half = 2 * LYING + 8 * STANDING - 1
    cube = ON_CUBE + BESIDE_CUBE - 1
    state = two(HALF, Phase.BLOCK)
    assert perft(CLIMBERS, state, 1, SEED) == half + cube + 1


def test_divide_adds_up_to_perft() -> None:
    state = two(CUBES, Phase.BLOCK)
    parts = divide(CLIMBERS, state, 2, SEED)
    assert len(parts) == perft(CLIMBERS, state, 1, SEED)
    assert sum(parts.values()) == perft(CLIMBERS, state, 2, SEED)
