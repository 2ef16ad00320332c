"""A position drawn by the browser and by the server: both show the same shapes and colours."""

import json
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboards.boards.map import MapScene
from dashboards.charts.theme import Scheme
from tests.browser.conftest import Served
from tests.browser.drawings import check_frames, check_what_is_forgotten, drawn_apart, stepped

Visit = Callable[[str], Page]
SOME_PARTS = (
    *(".area", ".link-ice", ".link-casing", ".area-name", ".badge", ".badge-count", ".badge-crown", ".trail", ".piece"),
    *(".village-wall", ".village-rim", ".village-number", ".stupa path", ".cube rect", ".cube-letter", ".order-pays"),
    *(".piece-ring", ".marker-back", ".marker-letter", ".marker .seat-fill"),
)


@pytest.fixture(scope="module")
def served(games: Served) -> Served:
    return games


def scene_of(served: Served, match: str) -> MapScene:
    with urllib.request.urlopen(f"{served.url.rstrip('/')}/api/replay/{match}") as answer:
        scene: MapScene = json.load(answer)
        return scene


def busiest(scene: MapScene) -> set[int]:
    """Return frames that together show everything: the first, the last, and the one with most pieces of each kind."""
    frames = scene["frames"]
    counts: list[Callable[[Any], int]] = [
        lambda frame: sum(map(len, frame["n"])),
        lambda frame: sum(order >= 0 for order in frame["o"]),
        lambda frame: sum(map(len, frame["t"])),
        lambda frame: len(frame.get("k", ())),
        lambda frame: sum(toward > 0 for toward in frame.get("w", ())),
        lambda frame: len(frame["c"]) - len({*frame["c"]}),
    ]
    most = {max(range(len(frames)), key=lambda at, count=count: count(frames[at])) for count in counts}
    return most | {0, len(frames) - 1}


@pytest.mark.parametrize(
    ("match", "theme"),
    [("three", "light"), pytest.param("six", "dark", marks=pytest.mark.soak("compares a second match shape by shape"))],
)
def test_both_drawings_agree(player: Visit, served: Served, match: str, theme: Scheme) -> None:
    page = player(f"/replay?match={match}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    scene = scene_of(served, match)
    check_frames(page, ".replay-map", scene, sorted(busiest(scene)), theme)


@pytest.mark.slow("a drawing at many positions")
def test_the_drawing_shows_the_position(player: Visit, served: Served) -> None:
    page = player("/replay?match=three")
    scene = scene_of(served, "three")
    frame = len(scene["frames"]) - 1
    stepped(page, frame)
    position = scene["frames"][frame]
    facts = drawn_apart(page, scene, frame, "light")
    texts = {
        thing: [fact["text"] for fact in facts if fact["thing"] == thing and fact["text"]] for thing in scene["names"]
    }
    for node, letters, disc in zip(scene["board"]["nodes"], position["n"], position["o"], strict=True):
        assert texts[f"n{node['n']}"] == [str(node["n"]), *letters]
        if disc >= 0:
            assert texts[f"d{disc}"] == [str(scene["discs"][disc]["pays"]), *scene["discs"][disc]["demand"]]
    for area, counts in zip(scene["board"]["areas"], position["d"], strict=True):
        assert texts[f"a{area['n']}"] == [f"REGION {area['n']}", *(str(count) for count in counts if count)]


@pytest.mark.slow("leaves out each part of the board")
def test_omissions_of_either_drawing_are_found(player: Visit, served: Served) -> None:
    page = player("/replay?match=v.6.1")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    scene = scene_of(served, "v.6.1")
    frame = max(range(len(scene["frames"])), key=lambda at: kinds_lying(scene["frames"][at]))
    check_what_is_forgotten(page, ".replay-map", scene, frame, SOME_PARTS)


def kinds_lying(frame: Any) -> int:
    """Return how many kinds of movable pieces a frame has."""
    lying = [any(frame["n"]), max(frame["o"]) >= 0, max(frame["u"]) >= 0, max(map(len, frame["t"])) > 1]
    return sum([*lying, any(map(any, frame["d"])), max(frame["l"]) >= 0, bool(frame.get("k")), frame["x"] > 0])
