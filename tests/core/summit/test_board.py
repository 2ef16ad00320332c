"""Board files: shipped data of route, dice and cards, and validation (S-board, S-readings)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.boards import shipped_boards
from himalaya_core.errors import BoardError
from himalaya_core.files import load_board
from himalaya_core.summit import SUMMIT
from himalaya_core.summit.board import READINGS, parse_board
from himalaya_core.summit.pieces import SlideKind
from tests.core.summit.positions import BOARD

Document = dict[str, Any]


def document() -> Document:
    return json.loads(json.dumps(BOARD.document))


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
    (change("summit", to="32"), "board.summit: expected a whole number, found '32'"),
    (change("summit", to=True), "board.summit: expected a whole number, found true"),
    (change("summit", to=5), "summit: expected 6..999, found 5"),
    (change("summit", to=1000), "summit: expected 6..999, found 1000"),
    (change("cave", to=4), "cave: expected fields of 5..31, found 4"),
    (change("cave", to=32), "cave: expected fields of 5..31, found 32"),
    (change("cave", to=10), "high_camps: field 10 is already in cave"),
    (change("high_camps", to=[10, 10]), "high_camps: expected numbers of fields, each once, found [10, 10]"),
    (change("high_camps", to=[10, "21"]), "high_camps: expected numbers of fields"),
    (change("high_camps", to=[10, 27]), "slides: field 27 is already in high_camps"),
    (change("snow", to=[21]), "snow: field 21 is already in high_camps"),
    (change("snow", to=[32]), "snow: expected fields of 5..31, found 32"),
    (change("slides", to=[]), "board.slides: expected an object, found []"),
    (change("slides", "x", to={}), "slides[x]: expected the number of a field, found 'x'"),
    (change("slides", "07", to={}), "slides[07]: expected the number of a field, found '07'"),
    (change("slides", "4", to={"to": 1, "kind": "landslide"}), "slides: expected fields of 5..31, found 4"),
    (change("slides", "7", "kind", to="mudslide"), "slides[7].kind: expected one of landslide, avalanche"),
    (drop("slides", "7", "to"), "slides[7]: 'to' is missing"),
    (change("slides", "7", "to", to=7), "slides[7].to: expected a field of 1..6 that is neither the cave nor a slide"),
    (change("slides", "7", "to", to=0), "slides[7].to: expected a field of 1..6"),
    (change("slides", "18", "to", to=15), "slides[18].to: expected a field of 1..17 that is neither the cave"),
    (change("slides", "18", "to", to=13), "slides[18].to: expected a field of 1..17 that is neither the cave"),
    (drop("dice_by_players", "5"), "dice_by_players: expected each of 2, 3, 4, 5 players, found 2, 3, 4"),
    (change("dice_by_players", "6", to=8), "dice_by_players: expected each of 2, 3, 4, 5 players"),
    (change("dice_by_players", "2", to=0), "dice_by_players[2]: expected 1..8, found 0"),
    (change("dice_by_players", "2", to=9), "dice_by_players[2]: expected 1..8, found 9"),
    (change("dice_by_players", "2", to=True), "dice_by_players[2]: expected 1..8, found true"),
    (change("supply_by_players", "4", to=[]), "supply_by_players[4]: expected cards such as '3/4', found []"),
    (change("supply_by_players", "4", to=["3/7"]), "supply_by_players[4]: expected cards such as '3/4'"),
    (change("supply_by_players", "4", to=["0/4"]), "supply_by_players[4]: expected cards such as '3/4'"),
    (change("supply_by_players", "4", to="3/4"), "supply_by_players[4]: expected cards such as '3/4'"),
    (drop("yeti_cards", 0), "yeti_cards: expected 9 of +1..+5 and -1..-5"),
    (change("yeti_cards", 0, to="+6"), "yeti_cards: expected 9 of +1..+5 and -1..-5"),
    (change("yeti_cards", 0, to="0"), "yeti_cards: expected 9 of +1..+5 and -1..-5"),
    (change("yeti_cards", 0, to=1), "yeti_cards: expected 9 of +1..+5 and -1..-5"),
    (change("flags", "card_ban", to="origin"), "flags.card_ban: only 'destination' is built, found 'origin'"),
    (change("flags", "forced_card", to=0), "flags.forced_card: only False is built, found 0"),
    (change("flags", "yeti_eats", to=True), "flags: 'yeti_eats' is unknown; there are yeti_edge"),
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


def test_the_shipped_board_matches_the_specification() -> None:
    """Rule S-board."""
    assert list(shipped_boards("summit")) == [SUMMIT.default_board] == [BOARD.id]
    assert (BOARD.summit, BOARD.cave, BOARD.high_camps, BOARD.snow) == (32, 15, (10, 21), {28, 29, 31})
    targets = {source: (slide.to, slide.kind) for source, slide in BOARD.slides.items()}
    land, snow = SlideKind.LANDSLIDE, SlideKind.AVALANCHE
    assert targets == {7: (5, land), 13: (11, land), 18: (16, snow), 24: (22, snow), 27: (23, snow)}
    assert BOARD.dice == {2: 5, 3: 7, 4: 7, 5: 8}
    assert BOARD.supply == {2: ("1/2", "3/4", "5/6"), 3: ("3/4", "5/6"), 4: ("3/4",), 5: ("3/4",)}
    assert BOARD.yeti_cards == (1, 2, 3, 4, 5, -1, -2, -3, -4)


def test_the_file_names_the_source_of_each_part() -> None:
    """Rule S-board."""
    assert set(BOARD.document["provenance"]) == {"route", "dice", "supply", "yeti_cards", "flags"}
    assert all("econstructed" in BOARD.document["provenance"][part] for part in ("route", "dice", "supply"))


def test_the_file_names_the_reading_of_every_flag_and_can_omit_it() -> None:
    """Rule S-readings: each reading names its option, which can be left out."""
    assert BOARD.document["flags"] == READINGS
    shorter = document()
    del shorter["flags"]
    assert parse_board(shorter).sha256 != BOARD.sha256


@pytest.mark.parametrize(("field", "camp"), [(0, 0), (9, 0), (10, 10), (20, 10), (21, 21), (31, 21)])
def test_each_field_has_its_camp_below(field: int, camp: int) -> None:
    assert BOARD.camp_below[field] == camp


def test_any_valid_file_can_replace_the_board(tmp_path: Path) -> None:
    """Rule S-board."""
    other = document()
    other.update(id="steep", summit=40, snow=[35])
    path = tmp_path / "steep.json"
    path.write_text(json.dumps(other), encoding="utf-8")
    board = load_board(SUMMIT, path)
    assert (board.id, board.summit, board.snow) == ("steep", 40, {35})
    assert board != BOARD
    assert len({board, BOARD, parse_board(document())}) == 2


def test_a_board_with_a_repeated_entry_is_refused(tmp_path: Path) -> None:
    """Rule S-board: otherwise one of two slides from the same field would be lost silently."""
    path = tmp_path / "twice.json"
    path.write_text(json.dumps(document()).replace('"7":', '"7": {"to": 6, "kind": "landslide"}, "7":'), "utf-8")
    with pytest.raises(BoardError, match=r"slides\.7: expected each key once, found it twice"):
        load_board(SUMMIT, path)
