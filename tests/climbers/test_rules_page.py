"""The page of rules: every place on it is named by a test, and the code names no others."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GAME = ROOT / "himalaya_core" / "climbers"
PLACE = re.compile(r"\bL-[A-Za-z0-9.-]*[A-Za-z0-9]")
PLACES = re.findall(r"^\| (L-\S+) \|", (GAME / "RULES.md").read_text("utf-8"), re.MULTILINE)


def named_in(folder: Path) -> set[str]:
    return {place for path in folder.glob("*.py") for place in PLACE.findall(path.read_text("utf-8"))}


@pytest.mark.parametrize("place", PLACES)
def test_a_place_in_the_rules_is_named_by_a_test(place: str) -> None:
    assert place in named_in(Path(__file__).parent)


def test_the_code_names_only_places_that_the_page_has() -> None:
    known = {*PLACES, *(place.rpartition(".")[0] for place in PLACES)}
    assert named_in(GAME) <= known
