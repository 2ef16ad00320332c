"""Colours with different meanings are distinguishable for everyone; each player has one colour on all pages."""

import re
from dataclasses import replace
from itertools import product
from typing import Final

import pytest

from dashboards.charts.svg import OUTLINES, colours, mark
from dashboards.charts.theme import DARK, FILLS, LIGHT, SHAPES, Palette, Scheme, styles
from tests.dashboards.charts.colour_distance import VISIONS, difference, nearest

SCHEMES: Final[dict[Scheme, Palette]] = {"light": LIGHT, "dark": DARK}
EVERY: Final = tuple(product(SCHEMES, VISIONS))
PLAYERS: Final = {"light": 17.9, "dark": 13}
"""Minimum difference between two players' colours."""
MEANINGS: Final = {"normal": 14, "protan": 8, "deutan": 8, "tritan": 8}
"""Minimum difference between the colour of an influence or result and any colour with another meaning."""
PARTS: Final = 10
SEATS: Final = 20
CLIMBERS: Final = ("teal", "purple", "yellow", "red", "pink")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # test data of Sharma, Wu and Dalal
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1.1848, -84.8006), (50, 0, -82.7485), 1.0),
        ((50, 2.4900, -0.0010), (50, -2.4900, 0.0011), 7.2195),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_distances_are_those_of_the_formula(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    assert difference(one, other) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("scheme", "vision"), EVERY)
def test_colours_with_different_meanings_look_different(scheme: Scheme, vision: str) -> None:
    ink = SCHEMES[scheme]
    meaning = (*ink.influences, *ink.endings, ink.neutral)
    assert nearest(ink.series, ink.series, vision) >= PLAYERS[scheme]
    assert nearest(meaning, (*ink.series, *meaning), vision) >= MEANINGS[vision]
    assert nearest(ink.parts, (*ink.series, *ink.parts), vision) >= PARTS


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_colour_has_two_meanings(scheme: Scheme) -> None:
    ink = SCHEMES[scheme]
    given = [*ink.series, ink.neutral, *ink.influences, *ink.endings, *ink.parts, ink.accent]
    assert len(given) == len(set(given))
    assert len(ink.series) == 6


@pytest.mark.parametrize(("scheme", "vision"), EVERY)
def test_seats_look_different(scheme: Scheme, vision: str) -> None:
    sheet = colours(scheme)
    usual = [sheet[f"--seat-{seat}"] for seat in range(6)]
    assert usual == list(SCHEMES[scheme].series)
    worn = [sheet[f"--seat-{name}"] for name in CLIMBERS]
    assert nearest(worn, worn, vision) >= SEATS


def test_six_players_have_a_colour_and_the_others_a_shape() -> None:
    names = tuple(f"p{number:02}" for number in range(40))
    ink = replace(LIGHT, players=names)
    found = styles(names, ink)
    assert [found[name][0] for name in names[:6]] == list(LIGHT.series)
    assert {found[name][0] for name in names[6:]} == {LIGHT.neutral}
    assert len({shape for _, shape, _ in found.values()}) == len(names)
    assert styles(names[7:9], ink) == {name: found[name] for name in names[7:9]}


def test_parts_of_a_players_matches_have_its_colour() -> None:
    ink = replace(LIGHT, players=("a", "a b", "c"))
    found = styles(["a b 2", "a b 1", "a 1", "c · cup", "unknown"], ink)
    assert [found[name][0] for name in ("a 1", "a b 1", "a b 2", "c · cup")] == [
        LIGHT.series[place] for place in (0, 1, 1, 2)
    ]
    assert found["a b 1"][1:] == (SHAPES[1], "solid")
    assert found["a b 2"][1:] == (SHAPES[1] + FILLS[1], "dash")


@pytest.mark.parametrize("shape", SHAPES)
def test_print_has_every_shape_within_its_room(shape: str) -> None:
    assert shape in {"circle", *OUTLINES}
    drawn = [mark(LIGHT.neutral, f"{shape}{filled}", 10, 20, 4, LIGHT) for filled in FILLS]
    assert len(set(drawn)) == len(FILLS)
    for x, y in OUTLINES.get(shape, ()):
        assert x**2 + y**2 <= 1.6**2
    assert all(re.match(r"<(circle|polygon) ", each) for each in drawn)
