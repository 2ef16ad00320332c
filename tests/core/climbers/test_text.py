"""A position of climbers as text: a map with the blocks, a table with the place of each climber."""

import re

from himalaya_core.climbers.pieces import Phase
from himalaya_core.climbers.state import evolve
from himalaya_core.climbers.view import describe
from tests.core.climbers.positions import PURPLE, RED, TEAL, WITHOUT, fewer, structure

NAMES = ("anna", "ben", "cleo", "dara", "emil")
BLOCKS = "Hyr@0,0,0:2x2x1:red; Htp@2,0,0:2x2x1:teal; Hyr@2,0,1:2x2x1:red; C@0,2,0:2x2x2:purple"
STATE = structure(
    BLOCKS, RED, climbers={RED: (3, 1)}, discs={PURPLE: (12, (0, 2))}, ladders={RED: WITHOUT}, last_moved=12
)


def test_the_map_shows_heights_tops_and_climbers() -> None:
    text = describe(STATE, NAMES)
    rows = [row.split() for row in text.partition("a disc:\n")[2].partition("\n\n")[0].splitlines()]
    assert rows == [
        ["6", "7", "8", "9"],
        ["9", "2u", "2u", ".", "."],
        ["8", "2ux", "2u", ".", "."],
        ["7", "1r", "1r", "2r", "2r*4"],
        ["6", "1r", "1r", "2r", "2r"],
    ]


def test_every_seat_has_its_row() -> None:
    text = describe(STATE, NAMES)
    seats = text.partition("\nseat ")[2].splitlines()[1:6]
    rows = {row.split()[0]: re.split(r" {2,}", row.strip()) for row in seats}
    assert rows["4"] == ["4", "dara", "red", "2", "block 5 at 9,7", "-", "in hand"]
    assert rows["2"] == ["2", "ben", "purple", "0", "the table", "short long", "on block 12"]


def test_the_text_names_the_seat_to_move_and_the_leader() -> None:
    state = evolve(STATE, reached=(0, 0, 0, 1, 0))
    text = describe(state, NAMES)
    assert text.startswith("turn 1 of dara, A, climbing\nturns in a row without a rise: 0 of 5; not to be moved now: ")
    assert text.endswith("if it ended now: dara, then anna and ben and cleo and emil")


def test_the_text_shows_the_end_and_the_setup() -> None:
    over = fewer(structure(BLOCKS, TEAL, Phase.TURN, streak=2), 2)
    text = describe(over, NAMES[:2])
    assert text.startswith("turn 1 of anna (over)\n")
    assert text.endswith("it ended: anna and ben")
    nothing = evolve(over, turn=0, poses=(None,) * 35, colours=())
    assert describe(nothing, NAMES[:2]).startswith("set-up\n\nno block lies yet\n")
