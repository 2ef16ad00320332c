"""A match for six players with every option on the second board: tokens, the end page, and traffic."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Served

Visit = Callable[[str], Page]


@pytest.fixture(scope="module")
def served(games: Served) -> Served:
    return games


def opened(visit: Visit) -> Page:
    page = visit("/replay?match=six")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


@pytest.mark.slow("every option")
def test_six_seats_fit_the_page_and_tokens_appear_on_the_board_and_in_the_text(
    player: Visit, axe: Callable[..., list[str]]
):
    page = opened(player)
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    page.get_by_role("button", name="Traffic").click()
    expect(page.locator(".map-live > g:has(.count-number)")).to_have_count(20)
    above = page.locator('.count-name[y^="-"]')  # counts drawn above every disc
    expect(above.filter(has_text="Village 13")).to_have_count(1)
    page.get_by_role("button", name="Traffic").click()
    expect(page.locator(".marker:visible")).to_have_count(0)
    page.keyboard.press("Shift+ArrowRight")
    page.locator(".event").filter(has_text=re.compile("puts the Yeti|a snowstorm on|opens the market")).first.click()
    expect(page.locator(".marker:visible")).to_have_count(1)
    expect(page.locator(".marker-used")).to_have_count(1)
    page.get_by_role("button", name="As text").click()
    placed = page.get_by_role("table", name="Tokens on the board").get_by_role("cell", name=re.compile("village|road"))
    expect(placed).to_have_count(1)
    page.get_by_role("button", name="As text").click()
    check_end(page, axe)


def check_end(page: Page, axe: Callable[..., list[str]]) -> None:
    """The end of the match is readable on a narrow page."""
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("End")
    expect(page.locator(".verdict-win, .verdict-out").filter(has_text=re.compile(r"\w"))).to_have_count(4)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".replay-standings").evaluate("card => card.scrollWidth <= card.clientWidth")


@pytest.mark.slow("the traffic of another board")
def test_the_traffic_of_the_other_board_is_shown(visit: Visit):
    page = visit("/analysis/where?game=caravan&board=seven-valleys")
    expect(page.get_by_text("1 finished match on board seven-valleys")).to_be_visible()
