"""Board files: shipped data of table, blocks and opening, and validation (L-board, L-readings)."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.boards import shipped_boards
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.blocks import VARIANTS, Size
from himalaya_core.climbers.board import READINGS, Board, parse_board
from himalaya_core.errors import BoardError
from himalaya_core.files import load_board

Document = dict[str, Any]
BOARDS = shipped_boards("climbers")
BOARD: Board = BOARDS["capstone-reconstructed"]
SOLID: Board = BOARDS["solid-cuboid"]


def document(board: Board = BOARD) -> Document:
    return json.loads(json.dumps(board.document))


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
    (change("table", to="32"), "board.table: expected a whole number, found '32'"),
    (change("table", to=13), "table: expected 14..64 squares along an edge, found 13"),
    (change("table", to=65), "table: expected 14..64 squares along an edge, found 65"),
    (drop("block_variants"), "board: 'block_variants' is missing"),
    (drop("block_variants", "4"), "block_variants: expected those of size 1 and 4, found 1"),
    (drop("block_variants", "1", "yr"), "block_variants[1]: expected tp, yr, pn, found tp, pn"),
    (change("block_variants", "1", "yr", to=True), "block_variants[1].yr: expected a whole number, found true"),
    (change("block_variants", "1", "yr", to=5), "block_variants[1]: expected 12 blocks in all, found"),
    (change("block_variants", "4", to={"tp": 10, "yr": -1, "pn": 0}), "block_variants[4]: expected 9 blocks in all"),
    (drop("generator"), "board: 'generator' is missing"),
    (change("generator", "moves", to=-1), "generator.moves: expected 0..200, found -1"),
    (change("flags", "split_surface", to="whole"), "flags.split_surface: only 'region' is built, found 'whole'"),
    (change("flags", "others_ladders", to=1), "flags.others_ladders: only True is built, found 1"),
    (change("flags", "ice", to=1), "flags: 'ice' is unknown; there are split_surface"),
    (change("opening", to={}), "board.opening: expected a list, found {}"),
    (change("title", to="a lone \ud800"), "board: expected text"),
]
SPELLING = "opening[0]: expected text such as 'Dyr@0,2,0:2x4x2:pink', found"
OPENINGS = [
    (change("opening", 0, to=7), f"{SPELLING} 7"),
    (change("opening", 0, to="Dpn@12,13:2x2x4:pink"), f"{SPELLING} 'Dpn@12,13:2x2x4:pink'"),
    (change("opening", 0, to="Dpn@12,13,0:2x3x4:pink"), f"{SPELLING} 'Dpn@12,13,0:2x3x4:pink'"),
    (change("opening", 0, to="Dpn@12,13,0:2x2x4:blue"), f"{SPELLING} 'Dpn@12,13,0:2x2x4:blue'"),
    (drop("opening", 0), "opening: expected all 35 blocks, there are more Dpn"),
    (change("opening", 1, to="T@14,13,0:2x2x2"), "opening[5]: expected no more T than there are, found 'T@16,15,0"),
    (
        change("opening", 0, to="Dpn@12,13,0:2x2x4:red"),
        "opening: Dpn@12,13,0:2x2x4:red: expected a way in which a block of its kind can lie",
    ),
    (
        change("opening", 4, to="T@14,15,0:2x6x2"),
        "opening: T@14,15,0:2x6x2: expected a triple upright on the table",
    ),
    (
        change("opening", 5, to="T@17,15,0:2x2x6"),
        "opening: T@17,15,0:2x2x6: expected both triples side by side, 4 x 2 in all",
    ),
    (
        change("opening", 1, to="C@15,13,0:2x2x2:teal"),
        "opening: Dtp@16,13,0:4x2x2:red: expected a place where it can be laid, but the ground below a block is even",
    ),
    (
        change("opening", 1, to="C@2,2,0:2x2x2:teal"),
        "opening: C@2,2,0:2x2x2:teal: expected a place where it can be laid, but a block touches another",
    ),
    (
        change("opening", 34, to="Hpn@18,17,7:2x2x1:pink"),
        "opening: Hpn@18,17,7:2x2x1:pink: expected a place where it can be laid, but the blocks below it are 6 high",
    ),
    (
        change("opening", 34, to="Hpn@40,17,6:2x2x1:pink"),
        "opening: Hpn@40,17,6:2x2x1:pink: expected a place where it can be laid, but part of the block would be",
    ),
    (
        change("opening", 28, to="Hyr@12,15,7:2x2x1:red"),
        "opening: expected both triples hidden: the 12 squares around them at least 6 high",
    ),
]


def refused(board: Board, damage: Callable[[Document], None]) -> str:
    data = document(board)
    damage(data)
    with pytest.raises(BoardError) as error:
        parse_board(data)
    return str(error.value)


@pytest.mark.parametrize(("damage", "message"), DAMAGE, ids=[message for _, message in DAMAGE])
def test_a_damaged_board_is_refused_with_the_position_of_the_error(
    damage: Callable[[Document], None], message: str
) -> None:
    assert refused(BOARD, damage).startswith(message)


@pytest.mark.parametrize(("damage", "message"), OPENINGS, ids=[message for _, message in OPENINGS])
def test_a_damaged_opening_is_refused_with_what_was_expected(damage: Callable[[Document], None], message: str) -> None:
    """Rules L-5.given, L-5.core, L-5.build and L-5.hidden."""
    assert refused(SOLID, damage).startswith(message)


def test_a_core_visible_from_the_side_is_refused() -> None:
    """Rule L-5.hidden: there is a wall, but two of its squares are only 4 high."""
    data = document(SOLID)
    low = [row for row in data["opening"] if row[1:].partition("@")[2].startswith("14,17,")]
    assert len(low) == 4
    data["opening"] = [row for row in data["opening"] if row not in low[-2:]]
    data["opening"] += ["C@20,13,0:2x2x2:neutral", "Htp@20,15,0:2x2x1:teal"]
    with pytest.raises(BoardError, match="expected both triples hidden"):
        parse_board(data)


def test_the_shipped_boards_match_the_specification() -> None:
    """Rules L-board and L-1.blocks."""
    assert list(BOARDS) == [CLIMBERS.default_board, SOLID.id]
    for board in (BOARD, SOLID):
        assert (board.side, len(board.blocks)) == (32, 35)
        counts = Counter((block.size, block.variant) for block in board.blocks)
        assert [counts[Size.HALF, variant] for variant in VARIANTS] == [4, 4, 4]
        assert [counts[Size.DOUBLE, variant] for variant in VARIANTS] == [3, 3, 3]
    assert (BOARD.moves, BOARD.opening) == (25, None)
    assert SOLID.opening is not None


def test_the_files_name_the_source_of_each_part() -> None:
    """Rule L-board."""
    assert set(BOARD.document["provenance"]) == {"table", "block_variants", "generator", "flags"}
    assert set(SOLID.document["provenance"]) == {"table", "block_variants", "opening", "flags"}
    for board in (BOARD, SOLID):
        parts = [text for part, text in board.document["provenance"].items() if part != "flags"]
        assert all("econstructed" in text for text in parts)


def test_the_files_name_the_reading_of_every_flag_and_can_omit_it() -> None:
    """Rule L-readings: each reading names its option, which can be left out."""
    assert BOARD.document["flags"] == SOLID.document["flags"] == READINGS
    shorter = document()
    del shorter["flags"]
    assert parse_board(shorter).sha256 != BOARD.sha256


def test_any_valid_file_can_replace_the_board(tmp_path: Path) -> None:
    """Rule L-board."""
    other = document()
    other.update(
        id="colourful", table=20, block_variants={"1": {"tp": 0, "yr": 2, "pn": 10}, "4": {"tp": 9, "yr": 0, "pn": 0}}
    )
    path = tmp_path / "colourful.json"
    path.write_text(json.dumps(other), encoding="utf-8")
    board = load_board(CLIMBERS, path)
    assert (board.id, board.side, Counter(block.variant for block in board.blocks)["pn"]) == ("colourful", 20, 10)
    assert board != BOARD
    assert len({board, BOARD, parse_board(document())}) == 2


def test_the_order_of_an_opening_does_not_matter() -> None:
    """Rule L-5.given."""
    backwards = document(SOLID)
    backwards["opening"].reverse()
    board = parse_board(backwards)
    assert sorted(pose.z for _, pose in board.opening or ()) == sorted(pose.z for _, pose in SOLID.opening or ())
