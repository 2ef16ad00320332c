"""The filter bar: inputs, chips, address, Back and Forward, and links that carry the filter to other pages."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LOOKS_SETTLED, SETTLED, Looks, wide

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]
FORWARD_TWICE = """() => new Promise((done) => {
    const before = location.search;
    const again = () => (location.search === before ? setTimeout(again) : done(history.forward()));
    history.forward();
    again();
})"""
"""Presses twice, the second time before the page has reacted to the first press."""


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def chips(page: Page) -> Locator:
    return page.locator(".filter-chips .chip")


def choose(page: Page, label: str, *options: str) -> None:
    page.get_by_role("textbox", name=label, exact=True).click()
    for option in options:
        page.get_by_role("option", name=option, exact=True).click()
    page.keyboard.press("Escape")


@pytest.mark.slow("every kind of filter")
def test_filters_unfold_become_chips_and_are_undone_by_back(visit: Visit, axe: Axe, looks: Looks) -> None:
    page = visit("/?player=trader&player=envoy&seat=1&sort=events")
    check_unfolding(page, axe, looks)
    check_chips(page)
    check_back_and_forward(page)
    check_navigation(page)


def check_unfolding(page: Page, axe: Axe, looks: Looks) -> None:
    """Open every hidden part, in each look, and leave it open."""
    toggle, seat = page.locator(".filter-toggle"), page.get_by_role("textbox", name="Seat", exact=True)
    for look in looks(page):
        says = r"More filters \(1\)" if look.size[0] > 900 else r"Filters \(3\)"
        expect(toggle).to_have_text(re.compile(says), use_inner_text=True)
        expect(seat).to_be_hidden()
        toggle.press("Enter")
        expect(toggle).to_have_attribute("aria-expanded", "true")
        expect(seat).to_be_visible()
        assert axe(page, ".filter-bar") == [], look
        assert wide(page) <= look.size[0], look
        toggle.press("Enter")
        expect(toggle).to_have_attribute("aria-expanded", "false")
    page.set_viewport_size({"width": 1440, "height": 900})
    toggle.click()


def check_chips(page: Page) -> None:
    """Remove one chip, remove all of them, and return to the initial filter."""
    page.get_by_role("button", name="Player: trader remove").press("Enter")
    expect(chips(page)).to_have_text(["Player: envoy remove", "Seat: 1 remove"])
    expect(chips(page).first).to_be_focused()
    expect(page).to_have_url(re.compile(r"/matches\?player=envoy&seat=1&sort=events$"))
    expect(page.locator("#matches-count")).not_to_have_text(re.compile("^24"))
    page.get_by_role("button", name="Clear").click()
    expect(chips(page)).to_have_count(0)
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    assert query(page) == {"sort": ["events"]}
    page.go_back()
    expect(page.locator("#matches-count")).not_to_have_text(re.compile("^24"))
    expect(chips(page)).to_have_count(2)
    page.go_back()
    opened_with = ["Player: trader remove", "Player: envoy remove", "Seat: 1 remove"]
    expect(chips(page)).to_have_text(opened_with)
    expect(page.locator(".filter-toggle")).to_have_attribute("aria-expanded", "true")


def check_back_and_forward(page: Page) -> None:
    """Undo filters one by one and redo them, even if an input sends its former value late."""
    page.get_by_role("button", name="Clear").click()
    check_one_filter_is_one_step(page)
    choose(page, "Player", "greedy", "envoy")
    expect(chips(page)).to_have_text(["Player: greedy remove", "Player: envoy remove"])
    choose(page, "Tournament", "three")
    expect(page.locator("#matches-count")).to_have_text("12 matches")
    both = {"tournament": ["three"], "player": ["greedy", "envoy"], "sort": ["events"]}
    assert query(page) == both
    page.go_back()
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    expect(chips(page)).to_have_text(["Player: greedy remove", "Player: envoy remove"])
    page.go_back()
    expect(chips(page)).to_have_count(0)
    assert query(page) == {"sort": ["events"]}
    page.evaluate(FORWARD_TWICE)
    expect(page.locator("#matches-count")).to_have_text("12 matches")
    expect(chips(page)).to_have_count(3)
    page.evaluate("dash_clientside.set_props({ filter: 'tournament' }, { value: [] })")  # Back had set this value
    page.evaluate(SETTLED, LOOKS_SETTLED)
    assert query(page) == both
    expect(chips(page)).to_have_count(3)


@pytest.mark.slow("two answers that come in another order")
def test_a_list_that_is_late_leaves_count_and_address_alone(visit: Visit) -> None:
    page = visit("/matches")
    page.route("**/api/matches?tournament=three*", lambda _: None)  # the request is never answered
    with page.expect_request("**/api/matches?tournament=three*"):
        choose(page, "Tournament", "three")
    with page.expect_response("**/api/matches?start=0*"):
        page.go_back()
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    page.unroute_all()
    page.evaluate("dash_clientside.set_props('filter-search', { data: '?tournament=three' })")  # comes after Back
    expect(page.locator("#matches-count")).to_have_text("12 matches")
    assert query(page) == {}


def check_navigation(page: Page) -> None:
    """The navigation links keep the filter, even across a page without filters; the list of tournaments lists all."""
    page.get_by_role("button", name="Help").click()
    page.get_by_role("link", name="Glossary", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    page.locator("#navigation").get_by_role("link", name="Tournaments").click()
    expect(page).to_have_url(re.compile(r"/tournaments\?player=greedy&player=envoy$"))
    expect(chips(page)).to_have_count(2)
    expect(page.locator("nav [aria-current=page]")).to_have_text("Tournaments")
    page.get_by_role("link", name="Himalaya").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Watch board games, and see why they were won")
    expect(page).to_have_url(re.compile(r"/$"))


def check_one_filter_is_one_step(page: Page) -> None:
    """Change one filter of the list several times: Back undoes all of these changes together."""
    find = page.get_by_role("textbox", name="Find")
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    find.press_sequentially("four.00000", delay=20)
    expect(page.locator("#matches-count")).to_have_text("10 matches")
    find.fill("four.000001")
    expect(page.locator("#matches-count")).to_have_text("1 match")
    page.go_back()
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    expect(find).to_have_value("")
