"""The replay of summit: the mountain in the browser, compared with the server's drawing, and its reaction to clicks."""

import json
import urllib.request
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboards.boards.track import TrackScene
from dashboards.charts.theme import Scheme
from tests.browser.conftest import Looks, Served, in_each_look, wide
from tests.browser.drawings import check_frames, check_what_is_forgotten, stepped

Visit = Callable[[str], Page]
SOME_PARTS = (
    *(".sky", ".cloud", ".firs", ".rock-0", ".rock-snow", ".rock-shade", ".route", ".slide-landslide", ".slide-head"),
    *(".field-plain", ".field-camp", ".field-flake", ".field-number", ".field-name", ".summit-flag", ".trail", ".pawn"),
    *(".climber-letter", ".sherpa-letter", ".piece-ring", ".yeti-body", ".die-pips", ".die-back", ".card-number"),
    *(".card-back", ".table-head", ".table-foot"),
)


@pytest.fixture(scope="module")
def served(games: Served) -> Served:
    return games


def opened(visit: Visit, players: int, query: str = "") -> Page:
    page = visit(f"/replay?match=summit-{players}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def scene_of(served: Served, players: int) -> TrackScene:
    with urllib.request.urlopen(f"{served.url}/api/replay/summit-{players}") as answer:
        scene: TrackScene = json.load(answer)
        return scene


def busiest(scene: TrackScene) -> set[int]:
    """Return frames that together show everything: the first, the last, and those with most movement."""
    moves = [len(frame["t"]) + len(frame["k"]) for frame in scene["frames"]]
    chases = [sum(way == "y" for *_, way in frame["t"]) for frame in scene["frames"]]
    return {0, moves.index(max(moves)), chases.index(max(chases)), len(moves) - 1}


@pytest.mark.slow("both drawings of the mountain")
@in_each_look
def test_both_drawings_agree(player: Visit, served: Served, theme: Scheme) -> None:
    players = 5 if theme == "light" else 2
    page = opened(player, players)
    scene = scene_of(served, players)
    check_frames(page, ".replay-track", scene, sorted(busiest(scene)), theme, least=120)


@pytest.mark.slow("leaves out each part of the board")
def test_omissions_of_either_drawing_are_found(player: Visit, served: Served) -> None:
    page = opened(player, 5)
    scene = scene_of(served, 5)
    frame = max(
        range(len(scene["frames"])), key=lambda at: (len(scene["frames"][at]["k"]) > 2) * len(scene["frames"][at]["t"])
    )
    check_what_is_forgotten(page, ".replay-track", scene, frame, SOME_PARTS)


@pytest.mark.every_look
def test_the_mountain_follows_the_slider_and_shows_what_happened(
    player: Visit, served: Served, axe: Callable[..., list[str]], looks: Looks
) -> None:
    page = opened(player, 5)
    scene = scene_of(served, 5)
    page.get_by_role("button", name="As text").click()
    count = "document.querySelectorAll('#replay *').length"
    before = page.evaluate(count)
    for at in (17, len(scene["frames"]) // 2, len(scene["frames"]) - 1):
        stepped(page, at)
        frame = scene["frames"][at]
        figures = page.locator("[data-measure]").all_inner_texts()
        assert [int(text) for text in figures] == [value for row in frame["f"] for value in row]
        climbers = page.locator("[data-thing^='c']").evaluate_all("all => all.map(each => Number(each.dataset.at))")
        assert climbers == frame["c"]
        for seat, who in enumerate(scene["seats"]):
            row = page.get_by_role("table", name="Players").get_by_role("row", name=who["name"])
            cells = row.get_by_role("cell")
            expect(cells.nth(0)).to_have_text(str(frame["c"][seat]))
            expect(cells.nth(1)).to_have_text(", ".join(map(str, sorted(frame["s"][seat]))))
        yeti = page.get_by_role("row", name="Yeti on").get_by_role("cell")
        expect(yeti).to_have_text(str(frame["b"]))
        ending = scene["endings"][frame["e"]]
        expect(page.locator(".ending")).to_have_text(f"{ending['head']}: {ending['text']}")
    assert page.evaluate(count) == before
    page.get_by_role("button", name="As text").click()
    check_events(page, scene)
    check_traffic(page, scene)
    page.get_by_role("button", name="As text").click()
    for look in looks(page):
        for part in (".replay-panels", ".replay-board", "#replay-words"):
            assert axe(page, part) == [], look
        assert wide(page) <= look.size[0], look


def check_events(page: Page, scene: TrackScene) -> None:
    """A click on a field, slide, climber or the Yeti lists its events."""
    stepped(page, len(scene["frames"]) // 2)
    slide = Counter(link for *_, link in scene["visits"] if link >= 0).most_common(1)[0][0]
    for thing, part in (
        ("n10", ".field[data-thing=n10] > .field-number"),
        (f"l{slide}", f".link-group[data-thing=l{slide}] > .slide-head"),
        ("y0", ".yeti > .yeti-body"),
        ("c1", "[data-thing=c1] > .climber-letter"),
    ):
        page.locator(part).click()
        expect(page.get_by_label("Chosen")).to_have_value(thing)
        told: list[Any] = [moment for moment in scene["moments"] if thing in moment.get("on", ())]
        assert page.locator(".here-list .here-text").all_inner_texts() == [moment["text"] for moment in told]
        if told:
            page.locator(".here-event").last.click()
            expect(page.locator(".caption")).to_have_text(told[-1]["text"])


def check_traffic(page: Page, scene: TrackScene) -> None:
    """Traffic on the board agrees with the moves."""
    page.get_by_role("button", name="Traffic").click()
    page.get_by_label("of player").select_option("2")
    visits = [visit for visit in scene["visits"] if visit[1] == 1]
    fields = Counter(field for _, _, field, _ in visits if field >= 0)
    expect(page.locator(".traffic-told")).to_contain_text(f"{fields.total()} visits")
    numbers = page.locator(".track-live .count-number").all_text_contents()
    assert [int(number) for number in numbers] == [fields[node["n"]] for node in scene["board"]["nodes"]]
    slides = Counter(link for *_, link in visits)
    drawn = page.locator(".link-group").evaluate_all("links => links.map(link => Number(link.dataset.visits))")
    assert drawn == [slides[index] for index in range(len(scene["board"]["links"]))]
