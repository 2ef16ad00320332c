"""Numbers of paths in summit, each calculated by hand."""

import json
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from himalaya_core.engine import divide, perft
from himalaya_core.game import IllegalAction
from himalaya_core.match import Match
from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT
from himalaya_core.summit.actions import ThrowDice
from himalaya_core.summit.board import Board, parse_board
from himalaya_core.summit.pieces import Phase
from himalaya_core.summit.state import State
from tests.core.summit.positions import BLUE, BOARD, RED, position

SEED = Seed("perft")


def with_dice(count: int, cards: tuple[str, ...] = ("3/4",)) -> Board:
    document: dict[str, Any] = json.loads(json.dumps(BOARD.document))
    document["dice_by_players"] = dict.fromkeys("2345", count)
    document["supply_by_players"] = {key: list(cards) for key in "2345"}
    return parse_board(document)


def thrown(board: Board, *values: int) -> State:
    """Return the position after the first throw in a match of two players."""
    match = Match(SUMMIT, board, {"players": 2, "first": RED})
    match.play(ThrowDice(values))
    return match.state


def is_throw(board: Board, values: tuple[int, ...]) -> bool:
    try:
        thrown(board, *values)
    except IllegalAction:
        return False
    return True


@pytest.mark.parametrize(("dice", "count"), [(1, 6), (2, 21), (3, 56)])
def test_first_throws_are_counted(dice: int, count: int) -> None:
    """Dice are indistinguishable: of 36 throws of two dice, 21 are different (S-5.throw)."""
    board = with_dice(dice)
    throws = [values for values in product(range(1, 7), repeat=dice) if is_throw(board, values)]
    assert throws == list(combinations_with_replacement(range(1, 7), dice))
    assert len(throws) == count


FIRST = {
    # from 1, 2 and 3 onto two Sherpas: stop, send two on alone, or continue with the moving Sherpa; from 4 to 5; back
    # from all four
    1: 3 * 3 + 1 + 4,
    # from 1 and 2 onto two Sherpas, from 3 and 4 onto empty fields; back by one from all four
    2: 2 * 3 + 2 + 4,
    # from 1 onto two Sherpas, the other three onto empty fields; back by two from 2, 3 and 4
    3: 3 + 3 + 3,
    # no pawn is met; back by two
    4: 4 + 3,
    # back by three from 3 and 4
    5: 4 + 2,
    6: 4 + 2,
}
"""First moves for each die face with two players; no seat has two Sherpas on a field, so no climber moves."""


@pytest.mark.parametrize(("face", "count"), FIRST.items())
def test_first_moves_with_each_face_are_counted(face: int, count: int) -> None:
    assert perft(SUMMIT, thrown(with_dice(2), face, face), 1, SEED) == count + FIRST[3] + FIRST[4]


def test_first_moves_over_all_throws_are_counted() -> None:
    """Six doubles show one face, and each face is in five other throws; the card 3/4 is always an alternative."""
    board = with_dice(2)
    counts = [perft(SUMMIT, thrown(board, *throw), 1, SEED) for throw in combinations_with_replacement(range(1, 7), 2)]
    assert sum(counts) == 6 * sum(FIRST.values()) + 21 * (FIRST[3] + FIRST[4]) == 660


def apart(**changes: Any) -> State:
    """Return a position in which pawns do not meet: red's Sherpas are high, blue's low."""
    return position(sherpas={RED: (20, 20, 20, 20), BLUE: (1, 1, 1, 1)}, yeti=9, **changes)


@pytest.mark.parametrize(
    ("state", "depth", "count"),
    [
        pytest.param(apart(pool=(6, 6)), 0, 1, id="nothing chosen"),
        # Sherpas on one field count as one choice: forward, backward
        pytest.param(apart(pool=(6, 6)), 1, 2, id="four alike"),
        # blue goes forward to 7 (and slides to 5), may not go back to -2, or throws all dice again
        pytest.param(apart(pool=(6, 6)), 2, 2 * 2, id="two turns"),
        # 2: to 22, back to 19; 3: to 23, back to 18; the card 1/2 by 1 (to 21, back to 19) and by 2
        pytest.param(apart(pool=(2, 3), hands={RED: ("1/2",)}), 1, 2 + 2 + 2 + 2, id="two dice and a card"),
        # the last die forward or backward, or all dice again
        pytest.param(apart(pool=(6,)), 1, 3, id="one die"),
        pytest.param(apart(pool=(6,), rerolled=True), 1, 2, id="one die after a throw"),
        # 30 + 6 is the summit; the Sherpas go back to 17, or forward to 26
        pytest.param(apart(pool=(6, 6), climbers=(30, 0)), 1, 3, id="the summit in reach"),
        # from 19 onto three own Sherpas: stop, or continue to 23 with none, one, two or all; from 20 to 21; back by
        # one from both
        pytest.param(
            position(sherpas={RED: (19, 20, 20, 20)}, pool=(1, 1), yeti=9), 1, 1 + 4 + 1 + 2, id="three found"
        ),
        # take back the card or not; then blue: forward to 2, back to 0, the climber to 1, all dice again
        pytest.param(
            position(
                sherpas={RED: (21, 21, 1, 1), BLUE: (1, 1, 1, 1)},
                used={RED: ("3/4",)},
                pool=(1,),
                phase=Phase.RESOLVE,
                arrived=21,
            ),
            2,
            2 * (2 + 1 + 1),
            id="a card to take back",
        ),
    ],
)
def test_path_counts_match_known_values(state: State, depth: int, count: int) -> None:
    assert perft(SUMMIT, state, depth, SEED) == count


def test_divide_adds_up_to_perft() -> None:
    state = thrown(with_dice(2), 1, 2)
    parts = divide(SUMMIT, state, 2, SEED)
    assert len(parts) == FIRST[1] + FIRST[2] + FIRST[3] + FIRST[4]
    assert sum(parts.values()) == perft(SUMMIT, state, 2, SEED)


def test_a_path_that_ends_the_match_counts_once() -> None:
    """Either die takes the climber to the summit; otherwise blue has two choices after a 2, three after a 6."""
    state = apart(pool=(2, 6), climbers=(31, 0))
    assert perft(SUMMIT, state, 1, SEED) == 2 + 2 + 2
    assert perft(SUMMIT, state, 2, SEED) == 2 + 2 * 2 + 2 * 3
