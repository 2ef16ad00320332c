"""The map and the discs: shipped data, and validation of board files."""

import copy
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.caravan.board import parse_board
from himalaya_core.caravan.pieces import RoadType
from himalaya_core.errors import BoardError
from himalaya_core.files import load_board
from himalaya_core.games import GAMES
from tests.core.caravan.positions import BOARD

Document = dict[str, Any]


def document() -> Document:
    return copy.deepcopy(dict(BOARD.document))


def change(*path: str | int, to: Any) -> Callable[[Document], None]:
    """Return a function that sets an entry of a document to a value."""

    def damage(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return damage


def drop(*path: str | int) -> Callable[[Document], None]:
    """Return a function that removes an entry of a document."""

    def damage(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return damage


DAMAGE = [
    (drop("id"), "board: 'id' is missing"),
    (drop("title"), "board: 'title' is missing"),
    (change("id", to=7), "board.id: expected text, found 7"),
    (change("villages", to={}), "board.villages: expected a list"),
    (drop("villages", 19), "villages: expected 20, found 19"),
    (change("villages", 4, to="a village"), "villages[4]: expected an object, found 'a village'"),
    (change("villages", 4, "village", to=6), "villages[4].village: expected 5 (villages are in order), found 6"),
    (change("villages", 4, "village", to=True), "villages[4].village: expected a whole number, found true"),
    (change("villages", 4, "level", to=4), "villages[4].level: expected 1, 2 or 3, found 4"),
    (change("villages", 4, "level", to=0), "villages[4].level: expected 1, 2 or 3, found 0"),
    (change("villages", 4, "level", to="3"), "villages[4].level: expected a whole number, found '3'"),
    (change("villages", 4, "regions", to=[]), "villages[4].regions: expected one to three regions of 1..8, found []"),
    (change("villages", 4, "regions", to=[1, 2, 3, 4]), "villages[4].regions: expected one to three"),
    (change("villages", 4, "regions", to=[9]), "villages[4].regions: expected one to three regions of 1..8"),
    (change("villages", 4, "regions", to=[2, 2]), "villages[4].regions: expected one to three"),
    (drop("villages", 4, "x"), "villages[4]: 'x' is missing"),
    (change("villages", 4, "y", to="low"), "villages[4]: expected 2 numbers"),
    (change("villages", 4, "y", to=float("nan")), "villages[4]: expected 2 numbers"),
    (change("villages", 4, "y", to=10**400), "villages[4]: expected 2 numbers"),
    (drop("roads", 0), "roads: expected 27, found 26"),
    (change("roads", 3, "between", to=[2]), "roads[3].between: expected two villages of 1..20, found [2]"),
    (change("roads", 3, "between", to=[2, 21]), "roads[3].between: expected two villages of 1..20"),
    (change("roads", 3, "between", to=[2, 2]), "roads[3].between: expected two villages of 1..20"),
    (change("roads", 3, "type", to="sand"), "roads[3].type: expected one of soil, stone, ice, found 'sand'"),
    (change("roads", 3, "between", to=[5, 2]), "roads[3]: villages 2 and 5 are joined twice"),
    (change("roads", 3, "type", to="ice"), "roads: two ice roads leave village 2, at most one may"),
    (change("size", to=[1000]), "size: expected 2 numbers, found [1000]"),
    (change("size", to=[1000, "700"]), "size: expected 2 numbers"),
    (drop("regions", 7), "regions: expected each of 1..8 once, found [1, 2, 3, 4, 5, 6, 7]"),
    (change("regions", 7, "region", to=7), "regions: expected each of 1..8 once"),
    (drop("regions", 0, "x"), "regions[0]: 'x' is missing"),
    (drop("orders", 0), "orders: expected 40 discs, found 39"),
    (change("orders", 5, "id", to="o5"), "orders[5].id: 'o5' is listed twice"),
    (change("orders", 5, "demand", to={}), "orders[5]: expected some demand and 1..99 yaks"),
    (change("orders", 5, "demand", to={"silk": 1}), "orders[5].demand: expected a number of each of salt"),
    (change("orders", 5, "demand", to={"gold": 7}), "orders[5].demand: expected a number of each of salt"),
    (change("orders", 5, "demand", to={"gold": 0}), "orders[5].demand: expected a number of each of salt"),
    (change("orders", 5, "demand", to={"gold": 1.0}), "orders[5].demand: expected a number of each of salt"),
    (change("orders", 5, "yaks", to=0), "orders[5]: expected some demand and 1..99 yaks"),
    (change("orders", 5, "yaks", to=100), "orders[5]: expected some demand and 1..99 yaks"),
    (change("title", to="a lone \ud800"), "board: expected text"),
    (change("provenance", to=float("inf")), "board: expected text"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE, ids=[message for _, message in DAMAGE])
def test_a_damaged_board_is_refused_with_the_position_of_the_error(
    damage: Callable[[Document], None], message: str
) -> None:
    board = document()
    damage(board)
    with pytest.raises(BoardError) as refused:
        parse_board(board)
    assert str(refused.value).startswith(message)


def test_an_unreachable_village_is_reported() -> None:
    """Both roads of village 1 are moved elsewhere; every other check passes."""
    board = document()
    for between, to in (([1, 2], [2, 15]), ([1, 3], [3, 20])):
        next(row for row in board["roads"] if row["between"] == between)["between"] = to
    with pytest.raises(BoardError, match=r"^roads: village 2 cannot be reached from village 1$"):
        parse_board(board)


FILES = {
    "not there": (None, "No such file or directory"),
    "not JSON": (b"{", "expected JSON, found something else at line 1, column 2"),
    "not UTF-8": (b"\xff{}", "expected text in UTF-8, found byte 0xff at 1"),
    "not an object": (b"[]", "board: expected an object, found []"),
    "deep": (b"[" * 100_000, "expected JSON, found too many levels of it"),
    "too long": (b" " * (1 << 19) + b"{}", "at most 524288 bytes"),
}


@pytest.mark.parametrize(("text", "message"), FILES.values(), ids=FILES)
def test_a_file_without_a_board_is_reported(tmp_path: Path, text: bytes | None, message: str) -> None:
    path = tmp_path / "board.json"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(BoardError) as refused:
        load_board(GAMES["caravan"], path)
    assert str(refused.value).startswith(f"{path}: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_shipped_board_matches_the_rulebook() -> None:
    ways = {road.between: road.type for road in BOARD.roads}
    assert ways[3, 4] is RoadType.SOIL
    assert ways[3, 6] is RoadType.ICE
    assert (7, 10) in ways
    assert RoadType.STONE in BOARD.neighbours[5]
    assert (BOARD.levels[6], 1 in BOARD.borders[6]) == (3, True)
    assert any(BOARD.levels[village] == 3 and {3, 5} <= {*BOARD.borders[village]} for village in range(1, 21))
    assert all(BOARD.levels[village] == 1 and {7, 8} & {*BOARD.borders[village]} for village in (19, 20))


def test_the_shipped_board_has_the_size_in_the_sources() -> None:
    assert (len(BOARD.villages), len(BOARD.roads), len(BOARD.region_labels), len(BOARD.orders)) == (20, 27, 8, 40)
    assert Counter(len(ways) for ways in BOARD.neighbours[1:]) == {2: 6, 3: 14}
    assert BOARD.document["provenance"]


def test_the_sha256_depends_on_the_data_not_its_formatting() -> None:
    board = document()
    turned = json.loads(json.dumps({key: board[key] for key in reversed(board)}, indent=4))
    assert parse_board(turned) == BOARD
    turned["villages"][0]["x"] += 1
    assert parse_board(turned) != BOARD
