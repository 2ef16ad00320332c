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
"""The second press comes before the page has answered to the first."""


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def chips(page: Page) -> Locator:
    return page.locator(".filter-chips .chip")


def choose(page: Page, label: str, *options: str) -> None:
    page.get_by_role("textbox", name=label, exact=True).click()
    for option in options:
        page.get_by_role("option", name=option, exact=True).click()
    page.keyboard.press("Escape")


def test_back_undoes_one_filter_after_the_other_whatever_an_input_repeats_late(visit: Visit) -> None:
    page = visit("/matches")
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    choose(page, "Player", "greedy", "envoy")
    expect(chips(page)).to_have_text(["Player: greedy remove", "Player: envoy remove"])
    choose(page, "Tournament", "three")
    expect(page.locator("#matches-count")).to_have_text("12 matches")
    assert query(page) == {"tournament": ["three"], "player": ["greedy", "envoy"]}
    page.go_back()
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    expect(chips(page)).to_have_text(["Player: greedy remove", "Player: envoy remove"])
    page.go_back()
    expect(chips(page)).to_have_count(0)
    assert query(page) == {}
    page.evaluate(FORWARD_TWICE)
    expect(page.locator("#matches-count")).to_have_text("12 matches")
    expect(chips(page)).to_have_count(3)
    page.evaluate("dash_clientside.set_props({ filter: 'tournament' }, { value: [] })")  # what Back had set it to
    page.evaluate(SETTLED, LOOKS_SETTLED)
    assert query(page) == {"tournament": ["three"], "player": ["greedy", "envoy"]}
    expect(chips(page)).to_have_count(3)


def test_a_list_that_is_late_leaves_count_and_address_alone(visit: Visit) -> None:
    page = visit("/matches")
    page.route("**/api/matches?tournament=three*", lambda _: None)  # never answered
    with page.expect_request("**/api/matches?tournament=three*"):
        choose(page, "Tournament", "three")
    with page.expect_response("**/api/matches?start=0*"):
        page.go_back()
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    page.unroute_all()
    page.evaluate("dash_clientside.set_props('filter-search', { data: '?tournament=three' })")  # Back was quicker
    expect(page.locator("#matches-count")).to_have_text("12 matches")
    assert query(page) == {}


def test_chips_clear_and_back_to_what_the_page_was_opened_with(visit: Visit) -> None:
    page = visit("/?player=trader&player=envoy&seat=1&sort=events")
    page.locator(".filter-toggle").click()
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


def test_the_navigation_carries_the_filter_even_past_pages_without_one(visit: Visit) -> None:
    page = visit("/tournaments?player=trader")
    page.get_by_role("link", name="Glossary", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    page.locator("#navigation").get_by_role("link", name="Matches").click()
    expect(chips(page)).to_have_text(["Player: trader remove"])
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    page.get_by_role("textbox", name="Find").fill("four.00000")
    expect(page).to_have_url(re.compile(r"/matches\?find=four.00000&player=trader$"))
    page.locator("#navigation").get_by_role("link", name="Tournaments").click()
    expect(page).to_have_url(re.compile(r"/tournaments\?player=trader$"))
    page.get_by_role("link", name="Himalaya").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Matches worth seeing")
    expect(page).to_have_url(re.compile(r"/$"))


def test_one_filter_changed_again_is_one_step_back(visit: Visit) -> None:
    page = visit("/glossary")
    page.locator("#navigation").get_by_role("link", name="Matches").click()
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    page.get_by_role("textbox", name="Find").press_sequentially("four.00000", delay=20)
    expect(page.locator("#matches-count")).to_have_text("10 matches")
    page.get_by_role("textbox", name="Find").fill("four.000001")
    expect(page.locator("#matches-count")).to_have_text("1 match")
    page.go_back()
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    expect(page.get_by_role("textbox", name="Find")).to_have_value("")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")


@pytest.mark.every_look
def test_more_filters_unfold(visit: Visit, axe: Axe, looks: Looks) -> None:
    page = visit("/?player=trader&seat=2&result=won")
    toggle = page.locator(".filter-toggle")
    for look in looks(page):
        says = r"More filters \(2\)" if look.size[0] > 900 else r"Filters \(3\)"
        expect(toggle).to_have_text(re.compile(says), use_inner_text=True)
        expect(page.get_by_role("textbox", name="Seat", exact=True)).to_be_hidden()
        toggle.press("Enter")
        expect(toggle).to_have_attribute("aria-expanded", "true")
        expect(page.get_by_role("textbox", name="Seat", exact=True)).to_be_visible()
        assert axe(page, ".filter-bar") == [], look
        assert wide(page) <= look.size[0], look
        toggle.press("Enter")
        expect(toggle).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("size", [(390, 844)])
@pytest.mark.parametrize("theme", ["dark"])
def test_the_menu_of_a_narrow_page(visit: Visit, axe: Axe) -> None:
    page = visit("/intake")
    menu = page.get_by_role("button", name="Intake")
    expect(page.get_by_role("link", name="Glossary")).to_be_hidden()
    menu.press("Enter")
    expect(page.locator("#navigation a")).to_have_count(10)
    expect(page.get_by_role("link", name="Intake")).to_have_attribute("aria-current", "page")
    assert axe(page, "header.header") == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Glossary")).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    page.get_by_role("link", name="Glossary").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    expect(page.get_by_role("link", name="Intake")).to_be_hidden()
