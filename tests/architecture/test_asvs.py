"""The page on security addresses every requirement of ASVS level 1 once, and names existing tests."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "docs" / "reference" / "security.md").read_text("utf-8")
ROWS = re.findall(r"^\| (\d[\d.]*) \| ([a-z ]+) \| (.+?) \| (.*?) ?\|$", SECTION, re.MULTILINE)
LEVEL_1 = {  # requirement numbers of ASVS 4.0.3, by section
    "2.1": range(1, 13),
    "2.2": range(1, 4),
    "2.3": [1],
    "2.5": range(1, 7),
    "2.7": range(1, 5),
    "2.8": [1],
    "3.1": [1],
    "3.2": range(1, 4),
    "3.3": [1, 2],
    "3.4": range(1, 6),
    "3.7": [1],
    "4.1": [1, 2, 3, 5],
    "4.2": [1, 2],
    "4.3": [1, 2],
    "5.1": range(1, 6),
    "5.2": range(1, 9),
    "5.3": range(1, 11),
    "5.5": range(1, 5),
    "6.2": [1],
    "7.1": [1, 2],
    "7.4": [1],
    "8.2": range(1, 4),
    "8.3": range(1, 5),
    "9.1": range(1, 4),
    "10.3": range(1, 4),
    "11.1": range(1, 6),
    "12.1": [1],
    "12.3": range(1, 6),
    "12.4": [1, 2],
    "12.5": [1, 2],
    "12.6": [1],
    "13.1": [1, 3],
    "13.2": range(1, 4),
    "13.3": [1],
    "14.2": range(1, 4),
    "14.3": [2, 3],
    "14.4": range(1, 8),
    "14.5": range(1, 4),
}


def named(text: str) -> list[str]:
    return re.findall(r"`(test_\w+)`", text)


def collected() -> set[str]:
    """Return the names of all tests."""
    texts = (path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)}


def test_every_requirement_is_answered_once() -> None:
    apart = re.findall(r"^- ((?:[\d.]+(?:, )?)+): \S", SECTION, re.MULTILINE)
    answered = Counter([row[0] for row in ROWS] + [number for line in apart for number in line.split(", ")])
    assert answered == Counter(f"{section}.{number}" for section, numbers in LEVEL_1.items() for number in numbers)


def test_met_requirements_name_a_test_and_unmet_ones_a_reason() -> None:
    assert {state for _, state, _, _ in ROWS} == {"met", "in part", "not met"}
    assert [number for number, state, _, tests in ROWS if bool(named(tests)) == (state == "not met")] == []
    assert [number for number, _, how, _ in ROWS if len(how) < 5] == []


def test_every_named_test_exists() -> None:
    assert sorted(set(named(SECTION)) - collected()) == []
