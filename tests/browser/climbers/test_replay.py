"""The replay of climbers: the tower in the browser, compared with the server's drawing; turned, from above, clicked."""

import json
import re
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboards.boards.tower import TowerScene
from dashboards.charts.theme import Scheme
from dashboards.replay.reviews import review_document
from himalaya_core.files import read_lines
from himalaya_core.replay import Replay
from tests.browser.conftest import BEGUN, GOLDEN, Looks, Served, in_each_look, wide
from tests.browser.drawings import SCRUBBER, Fact, check_frames, check_what_is_forgotten, differences, read, stepped
from tests.dashboards.boards.asking import structure

Visit = Callable[[str], Page]
PRESS_AND_READ = "button => { button.click(); return document.querySelector('.heights').innerText; }"
"""Clicks a button and reads the text in the same step, as it must be updated synchronously."""
SOME_PARTS = (
    ".face-N",
    ".face-x-N",
    ".face-y-N",
    ".face-seam",
    ".tower-climber",
    ".tower-disc",
    ".tower-moved",
    ".tower-was",
)


MARKED = """([seats, last]) => {
    const width = document.querySelector(".timeline-still").clientWidth;
    const lane = [...document.querySelectorAll(".timeline-still .mark")].slice(0, seats + 1);
    return lane.flatMap((path, seat) => [...path.getAttribute("d").matchAll(/M([\\d.]+)/g)].map((found) =>
        Math.round(((Number(found[1]) + ([3.8, 3.4][seat] ?? 0) - 7) / (width - 14)) * last)));
}"""
"""Reads the frames at which the first lane, that of key moments, has marks; a circle and a square begin at the left."""


@pytest.fixture(scope="module")
def served(games: Served) -> Served:
    return games


def opened(visit: Visit, players: int, query: str = "") -> Page:
    page = visit(f"/replay?match=climbers-{players}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def scene_of(served: Served, players: int) -> TowerScene:
    with urllib.request.urlopen(f"{served.url}/api/replay/climbers-{players}") as answer:
        scene: TowerScene = json.load(answer)
        return scene


def busiest(scene: TowerScene) -> int:
    """Return the index of a frame with a moved block, and with discs and climbers on blocks."""
    worth = [
        (frame["m"] >= 0) * (sum(disc[0] >= 0 for disc in frame["d"]) > 0) * sum(map(bool, frame["c"]))
        for frame in scene["frames"]
    ]
    return worth.index(max(worth))


@pytest.mark.slow("both drawings of the tower")
@in_each_look
def test_both_drawings_agree_and_omissions_are_found(player: Visit, served: Served, theme: Scheme) -> None:
    players = 5 if theme == "light" else 3
    page = opened(player, players)
    scene = scene_of(served, players)
    check_frames(page, ".replay-tower", scene, (0,), theme, least=0)  # before the tower is built
    check_frames(page, ".replay-tower", scene, (20, busiest(scene), len(scene["frames"]) - 1), theme, least=60)
    if players == 5:
        check_what_is_forgotten(page, ".replay-tower", scene, busiest(scene), SOME_PARTS)


def test_the_tower_turns_shows_events_and_reaches_and_counts_traffic(player: Visit, served: Served) -> None:
    page = opened(player, 5)
    scene = scene_of(served, 5)
    check_turning(page, scene)
    check_events(page, scene)
    check_reach(page, scene)
    check_traffic(page, scene)


def check_turning(page: Page, scene: TowerScene) -> None:
    """Turn the tower by keys, buttons and dragging; this must create no elements."""
    stepped(page, busiest(scene))
    count = "document.querySelectorAll('#replay *').length"
    before, made = read(page, ".replay-tower"), page.evaluate(count)
    tower = page.get_by_role("group", name="Tower: the arrow keys turn and tilt it")
    at = page.locator(SCRUBBER).input_value()
    ways: list[Callable[[], None]] = [
        lambda: tower.press("ArrowLeft"),
        lambda: tower.press("ArrowUp"),
        lambda: page.get_by_role("button", name="Turn right").click(),
    ]
    for way in ways:
        way()
        page.evaluate("new Promise(requestAnimationFrame)")
        after = read(page, ".replay-tower")
        assert differences(before, after) != []
        assert tops(before) == tops(after)
        before = after
    drag(page, tower)
    assert differences(before, read(page, ".replay-tower")) != []
    expect(page.get_by_label("Chosen")).to_have_value("")
    assert page.locator(SCRUBBER).input_value() == at
    assert page.evaluate(count) == made
    page.get_by_role("button", name="Shortcuts").click()
    expect(page.get_by_role("dialog")).to_contain_text("turn and tilt the tower")
    page.get_by_role("button", name="Close").click()


def tops(facts: list[Fact]) -> set[str]:
    return {fact["thing"] for fact in facts if fact["thing"][:1] == "t"}


def drag(page: Page, tower: Locator) -> None:
    box = tower.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 120, box["y"] + box["height"] / 2 + 10, steps=4)
    page.mouse.up()
    page.evaluate("new Promise(requestAnimationFrame)")


def check_events(page: Page, scene: TowerScene) -> None:
    """Click on a climber, a block and a block's top: each lists its events."""
    stepped(page, len(scene["frames"]) - 1)
    frame = scene["frames"][-1]
    seat = next(seat for seat, cell in enumerate(frame["c"]) if cell)
    for thing in (f"c{seat}", f"b{scene['layings'][-1][0]}", f"t{scene['layings'][-1][0]}"):
        page.locator(f"[data-thing={thing}]:not([display=none])").last.dispatch_event("click")
        expect(page.get_by_label("Chosen")).to_have_value(thing)
        told: list[Any] = [moment for moment in scene["moments"] if thing in moment.get("on", ())]
        assert page.locator(".here-list .here-text").all_inner_texts() == [moment["text"] for moment in told]
        expect(page.locator(".tower-picked[d]").first).to_be_attached()


def check_reach(page: Page, scene: TowerScene) -> None:
    """Highlight where a player can climb now, and after a move."""
    at = next(at for at, frame in enumerate(scene["frames"]) if len(scene["reaches"][frame["r"][1]]) > 2)
    stepped(page, at)
    expect(page.locator(".tower-reach:not([display=none])")).to_have_count(0)
    expect(page.get_by_role("button", name="After a move")).to_be_hidden()
    page.get_by_label("Reach of").select_option("1")
    page.evaluate("new Promise(requestAnimationFrame)")
    reached = page.locator(".tower-reach:not(.tower-opened, [display=none])")
    marked = reached.count()
    assert marked >= len(scene["reaches"][scene["frames"][at]["r"][1]])
    page.get_by_role("button", name="After a move").click()
    expect(page.locator(".tower-opened:not([display=none])").first).to_be_visible()
    expect(reached).to_have_count(marked)
    expect(page).to_have_url(re.compile(r"match=climbers-5&ply=[\d.]+&.*reach=2&opens=on"))
    stepped(page, 0)
    expect(page.locator(".tower-opened:not([display=none])")).to_have_count(0)


def check_traffic(page: Page, scene: TowerScene) -> None:
    """Check the number of climbers' visits shown on each square."""
    page.get_by_role("button", name="Traffic").click()
    visits = Counter(number for _, _, number, _ in scene["visits"])
    expect(page.locator(".traffic-told")).to_contain_text(f"{len(scene['visits'])} visits")
    drawn = page.locator(".tower-above [data-visits]").evaluate_all(
        "all => all.map(each => Number(each.dataset.visits))"
    )
    assert drawn == [visits[node["n"]] for node in scene["board"]["nodes"]]


def test_key_moments_are_marked_in_the_turn_that_they_name(page: Page, player: Visit, served: Served) -> None:
    lines, scene = list(read_lines(GOLDEN / "climbers-3.jsonl")), scene_of(served, 3)
    review = review_document(Replay.read(lines[: len(scene["frames"])]), None)
    model = {"name": review["model"]["name"], "calibration_error": review["model"]["quality"]["calibration_error"]}
    page.route("**/api/replay/climbers-3/chances", lambda route: route.fulfill(json={**review, "model": model}))
    page.route("**/api/replay/climbers-3/review", lambda route: route.fulfill(json=review))
    opened(player, 3)
    moments = [*review["moments"], *review["changes"]]
    expect(page.locator(".moments [data-seq]")).to_have_count(len(moments))
    named = [int(each["text"].split(", ")[0].removeprefix("Turn ")) for each in moments]
    marked = page.evaluate(MARKED, [len(scene["seats"]), len(scene["frames"]) - 1])
    assert sorted(scene["rounds"][frame] for frame in marked) == sorted(named)


@pytest.mark.slow("a page for each view of the tower")
def test_the_address_keeps_the_view_of_the_tower(player: Visit) -> None:
    page = opened(player, 5, "&ply=14&angle=73.5&tilt=50&seen=above&reach=2")
    above, opened_with = page.get_by_role("button", name="From above"), page.url
    expect(above).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Reach of")).to_have_value("1")
    check_picture(page)
    above.click()
    page.get_by_role("group", name="Tower: the arrow keys turn and tilt it").press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"ply=14&angle=81&tilt=50&reach=2$"))
    turned, address = read(page, ".replay-tower"), page.url
    back(page, opened_with)
    expect(above).to_have_attribute("aria-pressed", "true")
    page.locator(".board-sheet").press("ArrowRight")  # steps through the match: the view from above can't be turned
    expect(page).to_have_url(re.compile(r"ply=1[45](\.\d+)?&angle=73\.5"))
    expect(page).not_to_have_url(re.compile("ply=14&"))
    opened(player, 5, address.partition("climbers-5")[2])
    assert differences(read(page, ".replay-tower"), turned) == []


def back(page: Page, address: str) -> None:
    """Navigate back as Dash would; Dash is not started on this page."""
    page.evaluate(
        """address => {
            history.replaceState(null, "", address);
            document.getElementById("replay").dispatchEvent(new Event("back", { cancelable: true }));
        }""",
        address,
    )


def check_picture(page: Page) -> None:
    """Save a picture while the text view is shown: it has the tower as last seen."""
    heights = page.locator(".tower-above > g:not([display=none]) .above-height").all_text_contents()
    page.get_by_role("button", name="As text").click()
    page.get_by_role("button", name="Save", exact=True).click()
    with page.expect_download() as download:
        page.locator("#replay-save-menu .menu-row").filter(has_text="SVG").click()
    texts = re.findall(r"<text[^>]*>(\d+[TUYRIN])</text>", Path(download.value.path()).read_text("utf-8"))
    assert texts == [text for text in heights if text]
    page.get_by_role("button", name="As text").click()


@pytest.mark.slow("a page for each view of the tower")
def test_the_map_of_heights_is_the_text_too_and_anyone_can_use_it(
    player: Visit, served: Served, axe: Callable[..., list[str]], looks: Looks
) -> None:
    page = opened(player, 3, "&thing=c1&panel=here")
    scene = scene_of(served, 3)
    stepped(page, busiest(scene))
    frame, room = scene["frames"][busiest(scene)], scene["board"]["room"]
    built = structure(scene, frame["b"])
    page.get_by_role("button", name="From above").click()
    shown = page.locator(".tower-above > g:not([display=none]) .above-height").all_text_contents()
    squares = [(room["x"] + x, room["y"] + y) for y in range(room["dy"]) for x in range(room["dx"])]
    tops = {square: built.lies[column[-1][0]][7][0] for square, column in built.columns.items()}
    assert shown == [f"{built.height(square)}{tops[square]}" if square in tops else "" for square in squares]
    page.get_by_role("button", name="As text").click()
    table = page.get_by_role("table", name="Heights and tops, the back of the table first")
    rows = table.locator("tbody tr:visible").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('td:not([hidden])')].map(td => parseInt(td.innerText) || 0))"
    )
    assert [height for row in rows[::-1] for height in row] == [built.height(square) for square in squares]
    for seat, who in enumerate(scene["seats"]):
        row = page.get_by_role("table", name="Players").get_by_role("row", name=who["name"])
        expect(row.get_by_role("cell").first).to_have_text(str(frame["f"][seat][0]))
    expect(page.locator(".here-event").first).to_be_visible()
    for look in looks(page):
        for part in (".replay-panels", ".replay-board", "#replay-words"):
            assert axe(page, part) == [], look
        assert wide(page) <= look.size[0], look


@pytest.mark.slow("without spoilers, game by game")
def test_without_spoilers_the_layout_leaves_no_space_for_later_events(player: Visit) -> None:
    drawings, rows = [], []
    for match in ("climbers-5", "climbers-begun"):
        page = player(f"/replay?match={match}&spoilers=off&ply=0")
        expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
        stepped(page, BEGUN - 1)
        drawings.append(read(page, ".replay-tower"))
        page.get_by_role("button", name="From above").click()
        page.evaluate("new Promise(requestAnimationFrame)")
        drawings.append([fact for fact in read(page, ".replay-tower") if fact["tag"] in {"rect", "text"}])
        rows.append(page.get_by_role("button", name="As text").evaluate(PRESS_AND_READ))
    assert differences(drawings[0], drawings[2]) == []
    assert differences(drawings[1], drawings[3]) == []
    assert rows[0] == rows[1]
    assert re.search(r" (teal|purple|yellow|red|pink), (teal|purple|yellow|red|pink)\b", rows[0]), "who stands where"
