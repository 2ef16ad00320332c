"""Arrows and circles drawn on a board by mouse, finger and keyboard, and kept by a study."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Served

Visit = Callable[[str], Page]
Point = tuple[float, float]
MIDDLE = """thing => {
    const elements = [...document.querySelectorAll(`.board-sheet [data-thing="${thing}"]`)];
    const { left, top, width, height } = elements.map(each => each.getBoundingClientRect()).find(box => box.width > 0);
    return [left + width / 2, top + height / 2];
}"""
SHAPES = """[...document.querySelectorAll(".mark-group")].map(({ dataset, lastElementChild: last }) =>
    [dataset.colour ?? "", last.matches(".mark-head") ? "arrow" : last.tagName].join(" "))"""
ON_TOP = """[...document.querySelectorAll(".board-sheet [data-thing]")].flatMap(each => {
    const { left, top, width, height } = each.getBoundingClientRect();
    const point = [left + width / 2, top + height / 2];
    return width && document.elementFromPoint(...point)?.closest("[data-thing]") === each ? [point] : [];
})"""
"""Places at which each thing in sight is on top."""
MATCH = "cup.000001"


@pytest.fixture(scope="module")
def served(games: Served) -> Served:
    return games


def middle(page: Page, thing: str) -> Point:
    x, y = page.evaluate(MIDDLE, thing)
    return x, y


def drag(page: Page, start: Point, end: Point, *keys: str) -> None:
    for key in keys:
        page.keyboard.down(key)
    page.mouse.move(*start)
    page.mouse.down(button="right")
    page.mouse.move(*end, steps=3)
    page.mouse.up(button="right")
    for key in keys:
        page.keyboard.up(key)


def shapes(page: Page, *expected: str) -> None:
    """Compare the drawn shapes, which appear in the next frame."""
    expect(page.locator(".mark-group")).to_have_count(len(expected))
    page.evaluate("new Promise(requestAnimationFrame)")
    assert sorted(page.evaluate(SHAPES)) == sorted(expected)


def test_the_right_button_draws_in_four_colours_and_the_same_again_erases(player: Visit) -> None:
    page = player(f"/replay?match={MATCH}&ply=60")
    here, there = middle(page, "n1"), middle(page, "n20")
    drag(page, here, there)
    drag(page, there, here, "Shift")
    drag(page, here, here, "Alt")
    drag(page, there, there, "Control", "Alt")
    shapes(page, "green arrow", "red arrow", "blue circle", "yellow circle")
    drag(page, here, there)
    drag(page, here, here, "Shift")  # the same circle in another colour
    shapes(page, "red arrow", "red circle", "yellow circle")
    page.keyboard.press("ArrowRight")
    shapes(page)
    page.keyboard.press("ArrowLeft")
    shapes(page, "red arrow", "red circle", "yellow circle")
    page.mouse.click((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)  # a click on a drawn arrow erases it
    shapes(page, "red circle", "yellow circle")
    page.get_by_role("button", name="Draw", exact=True).click()
    page.get_by_role("button", name="Clear", exact=True).click()
    shapes(page)
    expect(page.locator("[data-picked]")).to_have_count(0)  # drawing selects nothing


def test_a_circle_on_a_region_is_its_outline(player: Visit) -> None:
    page = player(f"/replay?match={MATCH}&ply=60")
    middle_of_region = middle(page, "a3")
    drag(page, middle_of_region, middle_of_region)
    shapes(page, "green polygon")
    area = page.locator(".area[data-thing=a3]")
    inside, outside = page.locator(".mark-line").bounding_box(), area.bounding_box()
    assert inside
    assert outside
    assert 0.7 * outside["width"] < inside["width"] < outside["width"]
    assert page.locator(".mark-line").evaluate("line => line.points.length") == area.evaluate("it => it.points.length")


def test_a_finger_and_the_keyboard_draw_once_the_toggle_is_on(player: Visit, axe: Callable[..., list[str]]) -> None:
    page = player(f"/replay?match={MATCH}&ply=60")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Draw", exact=True).click()
    page.get_by_role("radio", name="blue").check()
    touch = page.context.new_cdp_session(page)
    start, end = middle(page, "n3"), middle(page, "n14")
    for name, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
        finger = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": name, "touchPoints": finger})
    shapes(page, "blue arrow")
    expect(page.locator(".where")).to_contain_text("ply 60")  # a drawing finger does not step
    tools = page.get_by_role("group", name="Draw")
    tools.get_by_role("radio", name="yellow").check()
    tools.get_by_label("Around, or from").select_option("n6")
    tools.get_by_role("button", name="Draw").press("Enter")
    shapes(page, "blue arrow", "yellow circle")
    assert axe(page, ".replay-board") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_study_keeps_what_was_drawn(player: Visit) -> None:
    page = player(f"/replay?match={MATCH}&ply=60&panel=study")
    drag(page, middle(page, "n3"), middle(page, "n6"), "Shift")
    panel = page.get_by_role("tabpanel", name="Study")
    panel.get_by_role("button", name="New study from this position").click()
    drag(page, middle(page, "n8"), middle(page, "n8"), "Alt")
    expect(panel.locator(".study-shapes li")).to_have_count(2)
    expect(panel.locator(".study-shapes li").last).to_contain_text("Blue circle around Village 8")
    with page.expect_response("**/reading") as answered:
        panel.get_by_role("button", name="Save").click()
    kept = answered.value.json()
    drawn = [{"start": "n3", "end": "n6", "colour": "red"}, {"start": "n8", "end": None, "colour": "blue"}]
    assert kept["chapters"][0]["shapes"] == drawn
    shapes(page, "red arrow", "blue circle")
    page.request.delete(f"/api/studies/{kept['id']}")


@pytest.mark.parametrize("match", ["ropes.000001", "walls.000001"])
def test_tracks_and_towers_are_drawn_on_too(player: Visit, match: str) -> None:
    page = player(f"/replay?match={match}&ply=12")
    points = page.evaluate(ON_TOP)
    drag(page, points[0], points[-1], "Alt")
    shapes(page, "blue arrow")
    drawn = page.locator(".mark-line").evaluate("line => [line.x1, line.x2].map(end => end.baseVal.value)")
    page.set_viewport_size({"width": 1000, "height": 700})  # it follows its things
    expect(page.locator(".mark-group")).to_have_count(1)
    page.get_by_role("button", name="Draw", exact=True).click()
    after = page.locator(".mark-line").evaluate("line => [line.x1, line.x2].map(end => end.baseVal.value)")
    assert after != drawn
    points = page.evaluate(ON_TOP)
    page.mouse.move(*points[-1])
    page.mouse.down()
    page.mouse.move(*points[0], steps=3)
    page.mouse.up()
    shapes(page, "blue arrow", "green arrow")
