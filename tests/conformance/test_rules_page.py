"""The page of a game's rules: every place on it is named by a test of the game, and its code names no others."""

import re
from pathlib import Path

import pytest

from himalaya_core.games import GAMES

ROOT = Path(__file__).parents[2]
NO_PLACE = {"C-scoring"}
"""What looks like a place in the code, and is none."""


def places(game: str) -> list[str]:
    """Return the places of the page, such as `C-4.refill`; a game's begin with a letter of its own."""
    page = (ROOT / "himalaya_core" / game / "RULES.md").read_text("utf-8")
    return re.findall(r"^\| ([A-Z]-\S+) \|", page, re.MULTILINE)


PLACES = {game: places(game) for game in GAMES}


def named_in(folder: Path, letter: str) -> set[str]:
    place = re.compile(rf"\b{letter}-[A-Za-z0-9.-]*[A-Za-z0-9]")
    return {found for path in folder.glob("*.py") for found in place.findall(path.read_text("utf-8"))}


def test_each_game_has_places_with_a_letter_of_its_own() -> None:
    letters = {game: {place[0] for place in found} for game, found in PLACES.items()}
    assert [len(found) for found in letters.values()] == [1] * len(GAMES)
    assert len(set.union(*letters.values())) == len(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_place_in_the_rules_is_named_by_a_test(game: str) -> None:
    places = PLACES[game]
    assert set(places) - named_in(ROOT / "tests" / "core" / game, places[0][0]) == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_code_names_only_places_that_the_page_has(game: str) -> None:
    found = PLACES[game]
    known = {*found, *(place.rpartition(".")[0] for place in found)}
    assert named_in(ROOT / "himalaya_core" / game, found[0][0]) <= known | NO_PLACE
