"""A game's rules page: a test names every anchor of the page, and the code names no other anchors."""

import re
from pathlib import Path

import pytest

from himalaya_core.games import GAMES

ROOT = Path(__file__).parents[2]
NO_PLACE = {"C-scoring"}
"""Text in the code that looks like an anchor but isn't one."""


def places(game: str) -> list[str]:
    """Return the anchors of the page, e.g. `C-4.refill`; each game has its own first letter."""
    page = (ROOT / "himalaya_core" / game / "RULES.md").read_text("utf-8")
    return re.findall(r"^\| ([A-Z]-\S+) \|", page, re.MULTILINE)


PLACES = {game: places(game) for game in GAMES}


def named_in(folder: Path, letter: str) -> set[str]:
    place = re.compile(rf"\b{letter}-[A-Za-z0-9.-]*[A-Za-z0-9]")
    return {found for path in folder.glob("*.py") for found in place.findall(path.read_text("utf-8"))}


def test_each_game_marks_its_rules_with_a_unique_letter() -> None:
    letters = {game: {place[0] for place in found} for game, found in PLACES.items()}
    assert [len(found) for found in letters.values()] == [1] * len(GAMES)
    assert len(set.union(*letters.values())) == len(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_cited_by_a_test(game: str) -> None:
    places = PLACES[game]
    assert set(places) - named_in(ROOT / "tests" / "core" / game, places[0][0]) == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_code_cites_only_rules_on_the_page(game: str) -> None:
    found = PLACES[game]
    known = {*found, *(place.rpartition(".")[0] for place in found)}
    assert named_in(ROOT / "himalaya_core" / game, found[0][0]) <= known | NO_PLACE


def rulings(game: str) -> set[str]:
    """Return the anchors of the page that are our own choice: marked as such, or a reading of an unclear rule."""
    page = (ROOT / "himalaya_core" / game / "RULES.md").read_text("utf-8")
    before, _, readings = page.partition("\n## Readings\n")
    marked = re.compile(r"\*\*(?:Ruling|Reconstructed|Without a source):\*\*|erratum")
    rows = [row for row in before.splitlines() if marked.search(row)]
    rows += readings.partition("\n## ")[0].splitlines()
    return set(re.findall(r"^\| ([A-Z]-\S+) \|", "\n".join(rows), re.MULTILINE))


@pytest.mark.parametrize("game", GAMES)
def test_readers_find_every_ruling(game: str) -> None:
    page = (ROOT / "docs" / "about" / f"{game}-rulings.md").read_text("utf-8")
    found = re.findall(r"^\((.+)\)=\n\*\*(\S+)\.\*\* ", page, re.MULTILINE)
    assert [target for target, _ in found] == [anchor.replace(".", "-").lower() for _, anchor in found]
    named = [anchor for _, anchor in found]
    assert rulings(game) - set(named) == set()
    assert set(named) - set(PLACES[game]) == set()
