"""The replay works before Dash is loaded, and is kept when Dash starts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

Visit = Callable[[str], Page]
MATCH = "four.000001"
SCRUBBER = "#replay-scrubber"
WAIT_FOR_THE_MATCH = """{
    const set = window.setTimeout;
    window.setTimeout = (run, after, ...more) => (after === 1500 ? 0 : set(run, after, ...more));
}"""
"""Prevents Dash from starting after 1500 ms, however slow the machine is."""


def held(page: Page) -> list[Route]:
    """Hold back Dash's renderer."""
    waiting: list[Route] = []
    page.route("**/dash_renderer*", lambda route: waiting.append(route))  # noqa: PLW0108 -- Playwright marks it
    return waiting


def goes_on(page: Page, waiting: list[Route]) -> None:
    """Let Dash's renderer load after it was requested."""
    expect(page.locator("script[src*=dash_renderer]")).to_have_count(1)
    while not waiting:
        page.evaluate("0")  # lets Playwright process the request
    waiting[0].continue_()


def test_a_match_can_be_stepped_through_before_and_after_dash_loads(page: Page):
    waiting = held(page)
    chances: list[Route] = []
    page.route(f"**/api/replay/{MATCH}/chances", lambda route: chances.append(route))  # noqa: PLW0108 -- Playwright marks it
    page.add_init_script(WAIT_FOR_THE_MATCH)
    page.goto(f"/replay?match={MATCH}", wait_until="commit")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    page.locator("body").press("End")
    last = page.locator(SCRUBBER).get_attribute("max") or ""
    expect(page.locator(".event-now", has_text=last)).to_be_in_viewport()
    scrolled = page.locator(".event-list").evaluate("list => (list.scrollTop -= 120)")
    while not chances:
        page.evaluate("0")
    chances[0].continue_()
    expect(page.locator(SCRUBBER)).to_have_attribute("aria-valuetext", re.compile("Chances:"))
    expect(page.locator("header.header")).to_have_count(0)
    page.locator("#replay").evaluate("root => { root.wasHere = true; }")
    goes_on(page, waiting)
    expect(page.locator("#replay-place > #replay")).to_have_attribute("data-ready", "true")
    expect(page.locator("main")).to_have_count(1)
    expect(page.locator("header.header")).to_be_visible()
    assert page.locator("#replay").evaluate("root => root.wasHere")
    assert scrolled > 0
    assert page.locator(".event-list").evaluate("list => list.scrollTop") == scrolled
    expect(page.locator(SCRUBBER)).to_have_value(last)
    page.locator("body").press("Home")
    expect(page.locator(SCRUBBER)).to_have_value("0")
    expect(page).to_have_title(f"{MATCH} · Himalaya")
    times = page.evaluate("""() => {
        const found = (part) => performance.getEntriesByType("resource").find((each) => each.name.includes(part));
        return [found("/api/replay/").responseEnd, found("dash_renderer").startTime];
    }""")
    assert times == sorted(times), "Dash is fetched when the board is there"
    page.close()


@pytest.mark.slow("typing while Dash is loaded")
def test_input_typed_while_dash_loads_is_kept(page: Page):
    waiting = held(page)
    page.goto(f"/replay?match={MATCH}", wait_until="commit")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    page.keyboard.press("b")
    label = page.get_by_role("tabpanel", name="Bookmarks").get_by_label("Label")
    expect(label).to_be_focused()
    page.keyboard.type("A good ")
    goes_on(page, waiting)
    expect(page.locator("#replay-place > #replay")).to_have_attribute("data-ready", "true")
    page.keyboard.type("idea")
    expect(label).to_have_value("A good idea")


@pytest.mark.slow("another page while Dash is loaded")
def test_the_early_player_gives_way_to_another_page(page: Page):
    waiting = held(page)
    page.goto(f"/replay?match={MATCH}", wait_until="commit")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    page.evaluate("history.replaceState(null, '', '/intake')")
    goes_on(page, waiting)
    expect(page.locator("#_pages_content h1")).to_have_text("Imports")
    expect(page.locator("#replay")).to_have_count(0)


@pytest.mark.slow("a match that is late")
def test_dash_loads_even_if_the_match_does_not(page: Page):
    waiting: list[Route] = []
    page.route("**/api/replay/**", lambda route: waiting.append(route))  # noqa: PLW0108 -- Playwright marks it
    page.goto(f"/replay?match={MATCH}")
    expect(page.locator("header.header")).to_be_visible()
    waiting[0].continue_()
    expect(page.locator("#replay-place > #replay")).to_have_attribute("data-ready", "true")
