"""A position drawn without a browser: a complete SVG for every number of players and every option, in both themes."""

import json
import re
from functools import cache
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest

from dashboards.boards.map import MapScene
from dashboards.boards.picture import draw_board, place_and_event
from dashboards.boards.scene import frame_at, ply_names
from dashboards.charts.svg import colours, number, wrapped
from dashboards.charts.theme import DARK, LIGHT, Palette, Scheme
from dashboards.games.caravan.replay.scene import caravan_scene
from himalaya_core.boards import shipped_boards
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay
from himalaya_core.tournament.plan import Pairing, play

SVG = "{http://www.w3.org/2000/svg}"
ALL_OPTIONS = {"tokens": True, "full_inventory": True, "village_cards": True}
TABLES: dict[str, tuple[int, str, dict[str, bool]]] = {
    "three": (3, "tilsit-reconstructed", {}),
    "four": (4, "tilsit-reconstructed", {}),
    "five": (5, "seven-valleys", {"tokens": True}),
    "six": (6, "tilsit-reconstructed", ALL_OPTIONS),
}
THEMES: tuple[Scheme, ...] = get_args(Scheme)


@cache
def scene_of(table: str) -> MapScene:
    players, board, options = TABLES[table]
    pairing = Pairing(
        f"match-of-{table}", ("trader", "envoy", "pilgrim", "random", "random", "random")[:players], "v.6.1"
    )
    log = play(GAMES["caravan"], shipped_boards("caravan")[board], options, pairing)[1]
    return caravan_scene(Replay.read(log.splitlines(keepends=True)))


def copied(scene: MapScene) -> Any:
    return json.loads(json.dumps(scene))


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("table", "theme"),
    [
        pytest.param(
            *(table, theme),
            marks=() if THEMES[place % 2] == theme else pytest.mark.slow("every table in both themes"),
        )
        for place, table in enumerate(TABLES)
        for theme in THEMES
    ],
)
def test_every_match_can_be_drawn(table: str, theme: Scheme) -> None:
    scene = scene_of(table)
    for frame in range(0, len(scene["frames"]), 149 if theme == "light" else 299):
        root = ET.fromstring(draw_board(scene, frame, theme=theme))
        position: Any = scene["frames"][frame]
        caravans = root.findall(f".//{SVG}g[@class='pieces']/{SVG}g")
        assert {int(each.attrib["data-seat"]) for each in caravans} == {s for s, at in enumerate(position["c"]) if at}
        assert len(root.findall(f".//{SVG}g[@class='marker']")) == len(position.get("k", ()))
        assert len(root.findall(f".//{SVG}g[@class='village']")) == len(scene["board"]["nodes"])
        assert len(root.findall(f".//{SVG}g[@class='order']")) == sum(order >= 0 for order in position["o"])
        badges = [path for path in root.iter(f"{SVG}path") if path.get("class", "").startswith("badge seat-fill")]
        assert len(badges) == sum(count > 0 for row in position["d"] for count in row), "one for each seat in a region"


@pytest.mark.parametrize("table", TABLES)
def test_the_strip_shows_the_influences_and_how_it_would_end(table: str) -> None:
    scene = scene_of(table)
    at = len(scene["frames"]) - 1
    strip = ET.fromstring(draw_board(scene, at)).find(f".//{SVG}g[@class='strip']")
    assert strip is not None
    figures = [int(text.text or "") for text in strip.iter(f"{SVG}text") if text.get("class") == "strip-figure"]
    assert figures == [value for row in scene["frames"][at]["f"] for value in row]
    ending = scene["endings"][scene["frames"][at]["e"]]
    said = ["".join(row.itertext()) for row in strip.findall(f"{SVG}g[@class='seat']")]
    assert [seat for seat, text in enumerate(said) if re.search("won|shared the win", text)] == sorted(ending["win"])
    assert {seat for seat, text in enumerate(said) if "out: " in text} == {seat for seat, _ in ending["out"]}
    words = " ".join(text.text or "" for text in strip.iter(f"{SVG}text") if text.get("class") == "strip-ending")
    assert words == f"{ending['head']}: {ending['text']}"


@pytest.mark.parametrize("size", [(1200, 630), (720, 960)])
def test_lines_cubes_and_markers_are_explained(size: tuple[int, int]) -> None:
    scene = scene_of("six")
    width, height = size
    legend = ET.fromstring(draw_board(scene, 200, width=width, height=height)).find(f".//{SVG}g[@class='legend']")
    assert legend is not None
    named = [text.text for text in legend.iter(f"{SVG}text") if text.get("class") == "key-name"]
    styles = {link["style"] for link in scene["board"]["links"]}
    assert {*styles, *(each["name"] for each in (*scene["tokens"], *scene.get("markers", [])))} <= {*named}


def test_the_caption_names_the_place_and_the_event() -> None:
    scene = scene_of("four")
    at = next(at for at, frame in enumerate(scene["frames"]) if frame["x"] == 2)
    where, what = place_and_event(scene, at)
    assert re.fullmatch(r"Round \d+ · action 2 · ply \d+(\.\d+)?", where)
    assert what == [moment["text"] for moment in scene["moments"] if moment["at"] <= at][-1]
    assert f"{where}: {what}" in texts(draw_board(scene, at))
    assert f"{where}: {what}" not in texts(draw_board(scene, at, caption=False))


def test_a_drawing_is_described_in_words() -> None:
    scene = scene_of("three")
    root = ET.fromstring(draw_board(scene, len(scene["frames"]) - 1))
    title, words = root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")
    assert root.get("role") == "img"
    assert title
    assert title.startswith("match-of-three, Round 12 · ply")
    for seat in scene["seats"]:
        assert words
        assert f"{seat['name']}, in village " in words


def test_names_cannot_break_out_of_the_picture() -> None:
    scene = copied(scene_of("three"))
    scene["seats"][0]["name"] = "<script>&\"'\x00\ud800]]>"
    scene["moments"][0]["text"] = "<b>\x1b[31m & more"
    root = ET.fromstring(draw_board(scene, 0))
    assert not [element for element in root.iter() if element.tag in {f"{SVG}script", f"{SVG}b"}]
    assert any(text.startswith("<script>&\"'\ufffd") for text in texts(draw_board(scene, 0)))


@pytest.mark.parametrize("theme", THEMES)
def test_a_picture_needs_no_other_file(theme: Scheme) -> None:
    svg = draw_board(scene_of("six"), 200, theme=theme)
    assert svg == draw_board(copied(scene_of("six")), 200, theme=theme)
    assert not re.search(r"href|url\(|<script|<style|@import|var\(|on\w+=", svg)
    assert re.findall(r"https?://[^\"' ]+", svg) == ["http://www.w3.org/2000/svg"]


@pytest.mark.parametrize("alone", [True, False])
def test_every_text_names_its_baseline(alone: bool) -> None:
    """Renderers such as resvg, which makes the PNG, do not inherit the baseline; letters would be too high."""
    root = ET.fromstring(draw_board(scene_of(next(iter(TABLES))), 40, alone=alone))
    assert {text.get("dominant-baseline") for text in root.iter(f"{SVG}text")} == {"central"}


def test_each_theme_has_its_own_colours() -> None:
    themes: list[tuple[Scheme, Palette]] = [("light", LIGHT), ("dark", DARK)]
    for theme, known in themes:
        found = colours(theme)
        assert (found["--card"], found["--text"], found["--accent"]) == (known.card, known.text, known.accent)
        assert f'fill="{known.card}"' in draw_board(scene_of("three"), 0, theme=theme)
    assert colours("dark")["--tea"] != colours("light")["--tea"]
    assert colours("dark")["--cube-text"] == colours("light")["--cube-text"]


@pytest.mark.parametrize("size", [(1200, 630), (600, 400), (720, 960), (390, 844)])
def test_everything_is_drawn_inside_the_picture(size: tuple[int, int]) -> None:
    width, height = size
    root = ET.fromstring(draw_board(scene_of("six"), 300, width=width, height=height))
    assert (root.get("width"), root.get("height")) == (str(width), str(height))
    strip = f"{SVG}g[@class='strip']"
    placed = [
        each.attrib for path in (strip, f"{strip}/{SVG}g[@class='seat']") for each in root.findall(f"{path}/{SVG}text")
    ]
    keys = [
        re.findall(r"-?[\d.]+", key.get("transform", "")) for key in root.findall(f"{strip}/{SVG}g[@class='legend']/*")
    ]
    assert len(placed) > 20
    for x, y in [*((text["x"], text["y"]) for text in placed), *keys]:
        assert 0 < float(x) < width
        assert 0 < float(y) < height


@pytest.mark.parametrize(
    ("value", "text"), [(14, "14"), (-0.5, "-0.5"), (-0.001, "0"), (2.128, "2.13"), (100.0, "100")]
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


def test_text_that_is_too_long_ends_in_an_ellipsis() -> None:
    assert wrapped("one two three", 60, 10, 2) == ["one two", "three"]
    assert wrapped("one two three", 60, 10, 1) == ["one two…"]
    assert wrapped("extraordinarily", 60, 10, 1) == ["extraordi…"]
    assert wrapped("", 60, 10, 1) == [""]


PLIES = [0, 0, 1, 2, 2, 2, 4]


@pytest.mark.parametrize(
    ("name", "frame"),
    [(None, 0), ("0", 1), ("0.1", 0), ("1", 2), ("2", 5), ("2.1", 3), ("2.9", 5), ("3", 6), ("4", 6), ("99", 6)],
)
def test_a_name_of_a_position_is_a_frame(name: str | None, frame: int) -> None:
    assert frame_at(name, PLIES) == frame


def test_every_frame_has_a_name_that_leads_to_it() -> None:
    names = ply_names(PLIES)
    assert names == ["0.1", "0", "1", "2.1", "2.2", "2", "4"]
    assert [frame_at(name, PLIES) for name in names] == [*range(len(PLIES))]


@pytest.mark.parametrize("name", ["", "x", "-1", "1.", ".5", "1.2.3", "1e3", " 1", "\u0663"])
def test_an_invalid_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^ply: expected a number such as 57 or 57\.3, found"):
        frame_at(name, PLIES)
