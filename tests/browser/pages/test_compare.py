"""The Compare page: choosing two sides, the verdict over all comparisons, and figures of both sides."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Looks, wide

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]


def drawn(page: Page, name: str) -> Locator:
    found = page.locator(f'.figure-card[data-figure="{name}"]')
    found.scroll_into_view_if_needed()
    expect(found).to_have_attribute("data-state", "drawn")
    expect(found).not_to_have_attribute("aria-busy", "true")
    return found


@pytest.mark.slow("a page of figures like Who wins?")
@pytest.mark.every_look
def test_sides_are_chosen_compared_and_kept_in_the_address(visit: Visit, axe: Axe, looks: Looks) -> None:
    page = visit("/analysis/compare?side=nobody&side=trader")
    expect(page.locator("#compare-verdict")).to_contain_text("Fewer than two of these players have matches")
    page.get_by_role("textbox", name="Players to compare").click()
    page.get_by_role("option", name="random").click()
    expect(page.locator("#compare-verdict")).to_contain_text("Too few seeds to judge the two sides.")
    expect(drawn(page, "apart").locator(".ytick")).to_have_text(re.compile("trader over"))
    with page.expect_download() as download:
        drawn(page, "apart").get_by_label("Save How far apart").click()
        page.get_by_role("link", name="How far apart, as CSV").click()
    lines = Path(download.value.path()).read_text("utf-8").splitlines()
    assert lines[0].startswith("player,other,ground,groups,side_difference,")
    assert len(lines) == 2
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look


@pytest.mark.slow("more sides, and sides of another kind")
def test_three_players_and_tournaments_are_compared(visit: Visit) -> None:
    page = visit("/analysis/compare?side=trader&side=random")
    page.get_by_role("textbox", name="Players to compare").click()
    page.get_by_role("option", name="pilgrim").click()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"side=trader&side=random&side=pilgrim$"))
    expect(page.locator("#compare-verdict")).to_contain_text("corrected for 3 pairs")
    expect(drawn(page, "apart").locator(".ytick")).to_have_count(3)
    expect(drawn(page, "influence-by-round").locator(".legendtext")).to_have_text(["pilgrim", "random", "trader"])
    assert page.locator(".figure-card").count() == 2  # other figures of players are on other tabs
    expect(page.get_by_role("link", name="Who wins?").last).to_have_attribute(
        "href", "/analysis/who?player=trader&player=random&player=pilgrim"
    )
    page.get_by_text("Tournaments", exact=True).last.click()
    expect(page).to_have_url(re.compile(r"/analysis/compare\?by=tournament$"))
    expect(page.locator("#compare-lead")).to_contain_text("four, three")
    expect(page.locator("#compare-verdict")).to_have_text(re.compile("have no matches with the same opponents"))
    shown = drawn(page, "win-share")
    expect(shown.locator(".ytick").filter(has_text="trader · three")).to_have_count(1)
    shown.get_by_text("Show data").click()
    link = shown.get_by_role("link", name="trader · three")
    expect(link).to_have_attribute("href", "/matches?player=trader&tournament=three")


def test_the_current_tab_is_in_sight_on_a_phone(visit: Visit) -> None:
    page = visit("/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/analysis/compare")
    expect(page.get_by_role("navigation", name="Analysis").get_by_text("Compare")).to_be_in_viewport(ratio=1)
