"""Numbers of paths in caravan, each calculated by hand."""

from typing import Any

import pytest

from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.pieces import Options
from himalaya_core.caravan.state import State, initial
from himalaya_core.engine import divide, perft
from himalaya_core.seed import Seed
from tests.core.caravan.positions import BOARD, position, reveal, settled

SEED = Seed("perft")


def start(players: int) -> State:
    return initial(Options(players), BOARD)


def trading(village: int, orders: dict[int, str], words: str = "trade", **changes: Any) -> State:
    """Return a position in which seat 0 decides about the first trade of its plan."""
    hands = {0: {"salt": 2, "barley": 2}}
    state = position(orders=orders, caravans=(village, 19, 18, 17), hands=hands, **changes)
    return reveal(state, {0: words})[1]


def tokens_due() -> State:
    """Return the token phase with resources in two villages."""
    return position(cubes={3: {"salt": 1}, 8: {"tea": 2}}, on=("tokens",))


def inventory_due() -> State:
    """Return the inventory that seat 1 has won in village 19."""
    offered = {village: {"salt": 1} for village in (1, 2, 3, 4, 5)}
    ordered = {6: "o1", 7: "o2", 8: "o3", 9: "o4", 10: "o5"}
    hands = {1: {"salt": 2}}
    return settled(position(cubes=offered, orders=ordered, hands=hands, on=("full_inventory",), round=4, step=7))[1]


PLANS = 5**6


@pytest.mark.parametrize(
    ("state", "depth", "count"),
    [
        pytest.param(start(4), 0, 1, id="nothing chosen"),
        pytest.param(start(4), 1, 20, id="any village"),
        pytest.param(start(4), 2, 20 * 19, id="any other village"),
        pytest.param(start(3), 3, 20 * 19 * 18, id="three caravans"),
        pytest.param(position(), 1, PLANS, id="a plan"),
        # two of three rewards, or no trade: barter and offering 1; three delegations over three regions 10 ways, each
        # with barter or offering; declined 1
        pytest.param(trading(6, {6: "o9"}), 1, 1 + 10 + 10 + 1, id="a monastery of three regions"),
        # two delegations over two regions: 3 ways
        pytest.param(trading(3, {3: "o9"}), 1, 1 + 3 + 3 + 1, id="a temple of two regions"),
        # one delegation into one region: 1 way
        pytest.param(trading(4, {4: "o9"}), 1, 1 + 1 + 1 + 1, id="a house of one region"),
        pytest.param(trading(6, {6: "o9"}, delegations_left=(2, 15, 15, 15)), 1, 1 + 6 + 6 + 1, id="two left to send"),
        pytest.param(trading(6, {6: "o9"}, stupas_left=(0, 5, 5, 5)), 1, 10 + 1, id="no stupa left"),
        # pass, two kinds on 27 roads, the market in two villages
        pytest.param(tokens_due(), 1, 1 + 2 * 27 + 2, id="a token"),
        # after a pass the same 57; after a token on a road 1 + 26 + 2; after the market 1 + 2 x 27
        pytest.param(tokens_due(), 2, 57 + 54 * 29 + 2 * 55, id="two tokens"),
        # the marker, regions 7 and 8, and villages 12, 14, 19 and 20
        pytest.param(inventory_due(), 1, 1 + 2 + 4, id="a full inventory"),
        # in 3 and then in 4: the first trade does not affect the second
        pytest.param(trading(3, {3: "o9", 4: "o10"}, "trade soil trade"), 2, 8 * 4, id="two deliveries"),
        # in 3, stay, and trade again: after a delivery nothing is left (the round ends: plans); after declining, 8
        # again
        pytest.param(trading(3, {3: "o9"}, "trade trade"), 2, 7 * PLANS + 8, id="the same village twice"),
    ],
)
def test_path_counts_match_known_values(state: State, depth: int, count: int) -> None:
    assert perft(CARAVAN, state, depth, SEED) == count


def test_placing_four_caravans_has_116280_paths() -> None:
    """20·19·18·17; the last two plies are not played out, as all branches are alike."""
    assert set(divide(CARAVAN, start(4), 2, SEED).values()) == {19}
    placed = position(caravans=(20, 19, 0, 0), round=0)
    assert perft(CARAVAN, placed, 2, SEED) == 18 * 17


def test_divide_adds_up_to_perft() -> None:
    state = trading(3, {3: "o9", 4: "o10"}, "trade soil trade")
    parts = divide(CARAVAN, state, 2, SEED)
    assert len(parts) == 8
    assert sum(parts.values()) == perft(CARAVAN, state, 2, SEED)


def test_a_path_that_ends_the_match_counts_once() -> None:
    offered = {village: {"salt": 1} for village in (1, 2, 3, 4, 5)}
    ordered = {6: "o1", 7: "o2", 8: "o3", 9: "o4", 10: "o9"}
    state = position(cubes=offered, orders=ordered, caravans=(1, 19, 18, 17), round=12)
    _, last = reveal(state, {0: "rest rest rest rest rest trade"})
    assert perft(CARAVAN, last, 5, SEED) == 2
