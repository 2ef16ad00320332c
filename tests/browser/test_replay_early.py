"""The player is there before Dash is, and stays when Dash comes."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

Visit = Callable[[str], Page]
MATCH = "four.000001"
SCRUBBER = "#replay-scrubber"


def held(page: Page) -> list[Route]:
    """Hold back Dash's renderer."""
    waiting: list[Route] = []
    page.route("**/dash_renderer*", lambda route: waiting.append(route))  # noqa: PLW0108 -- Playwright marks it
    return waiting


def test_a_match_is_stepped_through_before_dash_is_there_and_goes_on_after(page: Page):
    waiting = held(page)
    page.goto(f"/replay?match={MATCH}", wait_until="commit")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    page.locator("body").press("End")
    last = page.locator(SCRUBBER).get_attribute("max") or ""
    expect(page.locator(".event-now:visible")).to_be_visible()
    scrolled = page.locator(".event-list").evaluate("list => (list.scrollTop -= 120)")
    expect(page.locator("header.header")).to_have_count(0)
    page.locator("#replay").evaluate("root => { root.wasHere = true; }")
    waiting[0].continue_()
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


def test_the_early_player_gives_way_to_another_page(page: Page):
    waiting = held(page)
    page.goto(f"/replay?match={MATCH}", wait_until="commit")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    page.evaluate("history.replaceState(null, '', '/outcomes')")
    waiting[0].continue_()
    expect(page.locator("#_pages_content h1")).to_have_text("Outcomes")
    expect(page.locator("#replay")).to_have_count(0)


def test_a_page_without_a_match_has_no_player(visit: Visit):
    page = visit("/replay?match=nobody-played-this")
    expect(page.locator(".replay-early, #replay")).to_have_count(0)
