"""Clicks on the board, and the time window on the timeline."""

import json
import re
import urllib.request
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboards.boards.scene import ply_names
from tests.browser.conftest import WITHOUT_DASH, Looks, wide

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]
MATCH = "four.000001"
SCRUBBER = "#replay-scrubber"
WHERE = {
    "n": ".village[data-thing='{}'] > .village-number",
    "l": ".link-group[data-thing='{}'] > .link-hit",
    "a": ".council[data-thing='{}'] > .area-name",
    "u": ".stupa[data-thing='{}'] > path >> nth=0",
    "d": ".order[data-thing='{}'] > .order-pays",
}


def opened(visit: Visit, query: str = "") -> Page:
    page = visit(f"/replay?match={MATCH}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def asked(page: Page, path: str) -> bytes:
    with urllib.request.urlopen(re.sub(r"^(https?://[^/]+).*", r"\1", page.url) + path) as answer:
        return answer.read()


def scene_of(page: Page) -> dict[str, Any]:
    return json.loads(asked(page, f"/api/replay/{MATCH}"))


def log_of(page: Page) -> list[dict[str, Any]]:
    return [json.loads(line) for line in asked(page, f"/api/matches/{MATCH}").splitlines()]


def at(page: Page) -> int:
    return int(page.locator(SCRUBBER).input_value())


def go(page: Page, frame: int) -> None:
    page.locator(SCRUBBER).fill(str(frame))


def touching(scene: dict[str, Any], thing: str) -> list[dict[str, Any]]:
    return [moment for moment in scene["moments"] if thing in moment.get("on", ())]


def listed(page: Page) -> list[str]:
    return page.locator(".here-list li:visible .here-text").all_inner_texts()


def middle_of(page: Page, frame: int) -> tuple[float, float]:
    """Return the position of a frame on the strip of rounds."""
    box = page.locator(".timeline-strip").bounding_box()
    top = int(page.locator(SCRUBBER).get_attribute("max") or 0)
    assert box is not None
    return box["x"] + 7 + frame / top * (box["width"] - 14), box["y"] + box["height"] / 2


def brush(page: Page, start: int, end: int) -> None:
    """Drag over the strip of rounds in small steps, like a user."""
    page.mouse.move(*middle_of(page, start))
    page.mouse.down()
    page.mouse.move(*middle_of(page, end), steps=6)
    page.mouse.up()


def window_chosen(page: Page) -> tuple[int, int]:
    """Return the first and last event of the window in the address."""
    expect(page).to_have_url(re.compile("[?&]from=.*&to="))
    names = ply_names([line["ply"] for line in log_of(page)])
    query = parse_qs(urlsplit(page.url).query)
    return names.index(query["from"][0]), names.index(query["to"][0])


def visits_in_log(log: list[dict[str, Any]], start: int, end: int) -> tuple[Counter[int], Counter[frozenset[int]]]:
    villages: Counter[int] = Counter()
    roads: Counter[frozenset[int]] = Counter()
    for line in log[start : end + 1]:
        if line["type"] == "caravan_placed":
            villages[line["data"]["village"]] += 1
        elif line["type"] == "moved":
            villages[line["data"]["to"]] += 1
            roads[frozenset((line["data"]["from"], line["data"]["to"]))] += 1
    return villages, roads


def expect_traffic(page: Page, start: int, end: int) -> None:
    """Check that discs, roads and text on the board agree with the log's events of a window."""
    scene, (villages, roads) = scene_of(page), visits_in_log(log_of(page), start, end)
    expect(page.locator(".traffic-told")).to_contain_text(f"{villages.total()} visits from event {start} to {end}")
    numbers = page.locator(".map-live .count-number").all_text_contents()
    assert [int(number) for number in numbers] == [villages[node["n"]] for node in scene["board"]["nodes"]]
    drawn = page.locator(".link-group").evaluate_all("links => links.map(link => Number(link.dataset.visits))")
    assert drawn == [roads[frozenset((link["a"], link["b"]))] for link in scene["board"]["links"]]


def things_on_the_board(scene: dict[str, Any]) -> tuple[int, list[str]]:
    """Return a frame late in the match, and one piece of each kind that has events by then."""
    frame = len(scene["frames"]) * 2 // 3
    now = scene["frames"][frame]
    node = next(index for index, owner in enumerate(now["u"]) if owner >= 0)
    order = next(disc for disc in now["o"] if disc >= 0)
    road = Counter(visit[3] for visit in scene["visits"] if visit[3] >= 0).most_common(1)[0][0]
    area = next(area["n"] for area, row in zip(scene["board"]["areas"], now["d"], strict=True) if sum(row))
    number = scene["board"]["nodes"][node]["n"]
    return frame, [f"n{number}", f"l{road}", f"a{area}", f"u{number}", f"d{order}"]


def test_things_are_picked_by_mouse_and_keyboard_and_show_what_happened_to_them(player: Visit) -> None:
    page = opened(player)
    check_clicks(page)
    check_letting_go(page)
    check_keyboard(page)
    check_summary(page)
    met_and_lifted(page)
    check_whole_traffic(page)


def check_clicks(page: Page) -> None:
    """A clicked piece shows its events, and each is a link."""
    scene = scene_of(page)
    frame, things = things_on_the_board(scene)
    for thing in things:
        go(page, frame)
        page.locator(WHERE[thing[0]].format(thing)).click()
        expect(page.get_by_label("Chosen")).to_have_value(thing)
        told = touching(scene, thing)
        assert listed(page) == [moment["text"] for moment in told]
        for number in {0, len(told) // 2, len(told) - 1}:
            page.locator(".here-event").nth(number).click()
            expect(page.locator(".caption")).to_have_text(told[number]["text"])
            assert at(page) >= told[number]["at"]
            expect(page.locator(".here-event").nth(number)).to_have_attribute("aria-current", "true")
        expect(page.locator(f"[data-picked][data-thing='{thing}']").first).to_be_attached()


def met_and_lifted(page: Page) -> None:
    road = page.locator(".link-group[data-thing='l3']")
    (x, y), (right, down) = road.locator(".link-hit").evaluate(
        """line => {
            const ends = [["x1", "y1"], ["x2", "y2"]].map(([x, y]) =>
                new DOMPoint(line[x].baseVal.value, line[y].baseVal.value).matrixTransform(line.getScreenCTM()));
            const [dx, dy] = [ends[1].x - ends[0].x, ends[1].y - ends[0].y];
            const length = Math.hypot(dx, dy);
            return [[(ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2], [-dy / length, dx / length]];
        }"""
    )
    for beside in (-6.5, 6.5):
        page.mouse.move(x + beside * right, y + beside * down)
        expect(road).to_have_attribute("data-hovered", "")
        page.mouse.move(1, 1)
        expect(page.locator("[data-hovered]")).to_have_count(0)
    page.mouse.click(x + 6.5 * right, y + 6.5 * down)
    expect(page.get_by_label("Chosen")).to_have_value("l3")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Chosen")).to_have_value("")


def check_letting_go(page: Page) -> None:
    """A second click or Escape deselects the piece; land can be clicked, too."""
    village = page.locator(WHERE["n"].format("n9"))
    page.keyboard.press("Escape")
    village.click()
    expect(page.locator(".village[data-picked]")).to_have_count(1)
    expect(page).to_have_url(re.compile("thing=n9"))
    village.click()
    expect(page.locator("[data-picked]")).to_have_count(0)
    expect(page.locator(".here-empty")).to_contain_text("Click something on the board, or choose it here")
    village.click()
    expect(page.locator(".village[data-picked]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("[data-picked]")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("thing="))
    scene = scene_of(page)
    area = next(area for area in scene["board"]["areas"] if area["corners"])
    shape = page.locator(f"polygon.area[data-thing='a{area['n']}']")
    x, y = shape.evaluate(
        """shape => {
            const all = [...Array(900).keys()].map(i => {
                const box = shape.getBoundingClientRect();
                return [box.x + (i % 30 + 0.5) / 30 * box.width, box.y + (Math.floor(i / 30) + 0.5) / 30 * box.height];
            });
            return all.find(([x, y]) => document.elementFromPoint(x, y) === shape);
        }"""
    )
    page.mouse.click(x, y)
    expect(page.get_by_label("Chosen")).to_have_value(f"a{area['n']}")
    assert page.locator(".area-picked").get_attribute("d")


def check_keyboard(page: Page) -> None:
    """Select a piece and visit its events, by keyboard only."""
    scene = scene_of(page)
    page.get_by_role("tab", name="Here").focus()
    page.keyboard.press("Enter")
    chosen = page.get_by_label("Chosen")
    for _ in range(30):
        page.keyboard.press("Tab")
        if chosen.evaluate("select => select === document.activeElement"):
            break
    page.keyboard.type(scene["names"]["n7"], delay=0)
    expect(chosen).to_have_value("n7")
    expect(page.locator(".village[data-picked]")).to_have_attribute("data-thing", "n7")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".caption")).to_have_text(touching(scene, "n7")[0]["text"])


def check_summary(page: Page) -> None:
    """The summary has the number of visits in the log, and names owner and leader."""
    scene, log = scene_of(page), log_of(page)
    frame, (village, road, _, stupa, _) = things_on_the_board(scene)
    names = [seat["name"] for seat in scene["seats"]]
    villages, roads = visits_in_log(log, 0, len(log))
    link, now = scene["board"]["links"][int(road[1:])], scene["frames"][frame]
    owner = names[now["u"][[node["n"] for node in scene["board"]["nodes"]].index(int(stupa[1:]))]]
    go(page, frame)
    page.get_by_role("tab", name="Here").click()
    for thing, words in (
        (village, f"{villages[int(village[1:])]} visit"),
        (village, f"{scene['names'][stupa]}: {owner}."),
        (road, f"{roads[frozenset((link['a'], link['b']))]} visit"),
        (stupa, f"Owner: {owner}."),
        *(
            (f"a{area['n']}", f"{names[seat]} leads: {names[seat]} {row[seat]}" if seat >= 0 else "No leader")
            for area, seat, row in zip(scene["board"]["areas"], now["l"], now["d"], strict=True)
        ),
    ):
        page.get_by_label("Chosen").select_option(thing)
        expect(page.locator(".here-summary")).to_contain_text(words)


@pytest.mark.slow("traffic in many windows")
@pytest.mark.every_look
def test_traffic_is_counted_in_a_window_of_time(player: Visit, axe: Axe, looks: Looks) -> None:
    page = opened(player)
    check_traffic(page)
    check_window(page)
    page.get_by_role("tab", name="Here").click()
    check_typed_window(page)
    page.get_by_role("button", name="Table").click()
    for look in looks(page):
        for part in (".replay-panels", ".replay-board"):
            assert axe(page, part) == [], look
        assert wide(page) <= look.size[0], look


def check_whole_traffic(page: Page) -> None:
    expect(page.locator(".count-number").first).to_be_hidden()
    page.get_by_role("button", name="Traffic").click()
    expect_traffic(page, 0, len(log_of(page)) - 1)
    expect(page.locator(".count-number").first).to_be_visible()


def check_traffic(page: Page) -> None:
    """Traffic agrees with the log, for the whole match and for a window."""
    check_whole_traffic(page)
    brush(page, 60, 180)
    start, end = window_chosen(page)
    assert abs(start - 60) <= 1
    assert abs(end - 180) <= 1
    expect_traffic(page, start, end)
    page.get_by_role("button", name="Table").click()
    tables = page.get_by_role("region", name="Traffic as text")
    villages, _ = visits_in_log(log_of(page), start, end)
    for number, visits in villages.items():
        expect(tables.get_by_role("row", name=f"Village {number} {visits}", exact=True)).to_be_visible()
    page.get_by_label("of player").select_option("2")
    theirs = [visit for visit in scene_of(page)["visits"] if visit[1] == 1 and start <= visit[0] <= end]
    expect(page.locator(".traffic-told")).to_contain_text(f"{len(theirs)} visit")
    page.get_by_label("of player").select_option(index=0)


def check_window(page: Page) -> None:
    """Drag a window, adjust it and clear it."""
    expect(page.locator(".window-band")).to_be_visible()
    first, ending = window_chosen(page), parse_qs(urlsplit(page.url).query)["to"][0]
    assert abs(first[0] - 60) <= 1
    brush(page, first[1], 240)
    expect(page).not_to_have_url(re.compile(f"to={re.escape(ending)}(&|$)"))
    second = window_chosen(page)
    assert second[0] == first[0]
    assert abs(second[1] - 240) <= 1
    page.get_by_role("button", name="Show the whole match").click()
    expect(page.locator(".window-band")).to_be_hidden()
    expect(page).not_to_have_url(re.compile("[?&](from|to)="))
    brush(page, 60, 180)
    page.mouse.dblclick(*middle_of(page, 120))
    expect(page.locator(".window-band")).to_be_hidden()
    expect(page).not_to_have_url(re.compile("[?&](from|to)="))


def check_typed_window(page: Page) -> None:
    """Type a window; the address restores the window and the selected piece."""
    page.get_by_label("Chosen").select_option("l3")
    start, end = page.get_by_label("From event"), page.get_by_label("to event")
    start.fill("90")
    start.press("Enter")
    end.fill("150")
    end.press("Enter")
    expect_traffic(page, 90, 150)
    before = page.locator(".window-band").get_attribute("style")
    page.reload()
    expect_traffic(page, 90, 150)
    expect(page.locator(".window-band")).to_have_attribute("style", before or "")
    expect(page.get_by_label("Chosen")).to_have_value("l3")
    assert page.locator(".link-picked").get_attribute("d")


def check_rounds(page: Page) -> None:
    """A click on a round goes there; the playhead can be dragged by its flag."""
    rounds = [line["round"] for line in log_of(page)]
    start = rounds.index(4)
    page.mouse.click(*middle_of(page, start + 5))
    expect(page.locator(SCRUBBER)).to_have_value(str(start))
    brush(page, start, start + 50)
    assert abs(at(page) - start - 50) <= 1
    expect(page.locator(".window-band")).to_be_hidden()


def test_rounds_the_wheel_and_flags_of_bookmarks_move_the_playhead(player: Visit, page: Page) -> None:
    words = {"id": "a", "match": MATCH, "ply": "60", "label": "A late turn", "tags": [], "created_at": "2026-11-21"}
    page.route("**/api/bookmarks?*", lambda route: route.fulfill(json={"bookmarks": [words], "tags": []}))
    opened(player)
    plies = [line["ply"] for line in log_of(page)]
    frame = len(plies) - 1 - plies[::-1].index(60)
    check_rounds(page)
    check_wheel(page)
    expect(page.locator(".bookmark-flags")).to_have_attribute("d", re.compile("^M"))
    x, y = middle_of(page, frame)
    page.mouse.move(x + 4, y)
    expect(page.locator(".timeline-hint")).to_have_text("A late turn")
    page.mouse.down()
    page.mouse.up()
    expect(page.locator(SCRUBBER)).to_have_value(str(frame))
    page.locator("#replay-view").click()
    page.get_by_label("Hide what is yet to come").check()
    page.keyboard.press("Escape")
    go(page, 20)
    page.mouse.move(x + 4, y)
    expect(page.locator(".timeline-hint")).to_be_hidden()


def check_wheel(page: Page) -> None:
    """The wheel steps through the match, but over the board it scrolls the page if the page is scrollable."""
    go(page, 0)
    page.locator(".replay-map").hover(force=True)
    for _ in range(3):
        page.mouse.wheel(0, 100)
    expect(page.locator(SCRUBBER)).to_have_value("3")
    page.mouse.wheel(0, -100)
    expect(page.locator(SCRUBBER)).to_have_value("2")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".replay-map").hover(force=True)
    scrolled = page.evaluate("scrollY")
    page.mouse.wheel(0, 100)
    a_frame_later = "() => new Promise(done => requestAnimationFrame(() => done(scrollY)))"
    assert any(page.evaluate(a_frame_later) > scrolled for _ in range(600)), "the page did not scroll"
    assert at(page) == 2
    page.locator(".timeline-plot").hover(force=True)
    page.mouse.wheel(0, 100)
    expect(page.locator(SCRUBBER)).to_have_value("3")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.evaluate("scrollTo(0, 0)")


@pytest.mark.slow("another way through the board")
def test_a_swipe_steps_and_a_tap_picks(browser: Browser, served: Any) -> None:
    context = browser.new_context(base_url=served.url, viewport={"width": 390, "height": 844}, has_touch=True)
    context.add_init_script(WITHOUT_DASH)
    page = context.new_page()
    page.goto(f"/replay?match={MATCH}&ply=40")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    page.locator(WHERE["n"].format("n9")).tap()
    expect(page.locator(".village[data-picked]")).to_have_attribute("data-thing", "n9")
    before = at(page)
    box = page.locator(".replay-map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = context.new_cdp_session(page)

    def swipe(by: int) -> None:
        for step in range(6):
            kind = "touchMove" if step else "touchStart"
            points = [{"x": x - by / 2 + by * step / 5, "y": y + step}]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(-160)
    expect(page.locator(SCRUBBER)).to_have_value(str(before + 1))
    swipe(160)
    swipe(160)
    expect(page.locator(SCRUBBER)).to_have_value(str(before - 1))
    expect(page.locator(".village[data-picked]")).to_have_attribute("data-thing", "n9")
    context.close()


@pytest.mark.slow("without spoilers, panel by panel")
def test_without_spoilers_the_board_reveals_nothing_later(player: Visit) -> None:
    page = opened(player, "&thing=n7&panel=here&spoilers=off&layer=traffic")
    scene = scene_of(page)
    for frame in (50, 100):  # within the initial length of the timeline, which grows with the match
        go(page, frame)
        so_far = [moment["text"] for moment in touching(scene, "n7") if moment["at"] <= frame]
        expect(page.locator(".here-list li:visible")).to_have_count(len(so_far))
        assert listed(page) == so_far
        expect(page.locator(".here-summary")).to_contain_text("so far")
        expect_traffic(page, 0, frame)
        expect(page.get_by_label("to event")).to_have_attribute("max", str(frame))
        cut = page.locator(".timeline-still").evaluate(
            "still => still.getBoundingClientRect().right - parseFloat(still.style.clipPath.split(' ')[1])"
        )
        assert abs(cut - middle_of(page, frame)[0]) < 1
        page.mouse.move(middle_of(page, frame + 20)[0], middle_of(page, 0)[1] + 60)
        expect(page.locator(".timeline-hint")).to_be_hidden()
        page.mouse.move(middle_of(page, frame - 20)[0], middle_of(page, 0)[1] + 60)
        expect(page.locator(".timeline-hint")).to_be_visible()
