"""The list of tournaments and the page of one, as a user meets them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Looks, wide

Visit = Callable[[str], Page]
Axe = Callable[[Page], list[str]]


@pytest.mark.every_look
def test_the_list_opens_and_a_heading_sorts_it(visit: Visit, axe: Axe, looks: Looks) -> None:
    page = visit("/tournaments?tournament=four&tournament=three")
    expect(page.locator("#tournaments-lead")).to_have_text("2 caravan tournaments with 24 matches, all finished.")
    expect(page.locator(".listing .row-link")).to_have_count(2)
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    names = page.locator(".listing .row-link")
    page.get_by_role("link", name="Table size", exact=True).click()
    expect(names).to_have_text(["three", "four"])
    expect(page.get_by_role("columnheader", name="Table size")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("link", name="Table size", exact=True).click()
    expect(names).to_have_text(["four", "three"])
    page.go_back()
    expect(names).to_have_text(["three", "four"])
    expect(page).to_have_url(re.compile(r"tournament=four&tournament=three&sort=sizes$"))


@pytest.mark.every_look
def test_a_tournament_opens_and_all_its_parts_follow_a_filter(visit: Visit, axe: Axe, looks: Looks) -> None:
    page = visit("/tournament?tournament=four")
    expect(page.get_by_role("heading", level=1)).to_have_text("four")
    expect(page.locator("#tournament-lead")).to_have_text("12 finished matches")
    expect(page.locator("#tournament-cross .cell")).to_have_count(12)
    expect(page.locator("#tournament-rests code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    expect(page.locator("#tournament-telling a").first).to_be_attached()
    expect(page.locator("#figure-ratings")).to_have_attribute("data-state", "drawn")
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    expect(page.locator("#tournament-standing tbody tr")).to_have_count(4)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("textbox", name="Player", exact=True).click()
    page.get_by_role("option", name="trader").click()
    expect(page.locator("#tournament-standing tbody tr")).to_have_count(1)
    expect(page.locator("#tournament-standing-csv")).to_have_attribute(
        "href", "/csv/win-share.csv?tournament=four&player=trader"
    )
    expect(page.locator("#tournament-rests td").first).to_have_text("trader")
    page.keyboard.press("Escape")
    link = page.locator("#tournament-telling a").first
    name = link.inner_text()
    link.click()
    expect(page).to_have_url(re.compile(rf"/replay\?match={re.escape(name)}&ply=[1-9]\d*"))
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")


def test_a_row_leads_to_its_tournament_and_a_cell_to_its_matches(visit: Visit) -> None:
    page = visit("/tournaments")
    page.get_by_role("link", name="three", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("three")
    cell = page.locator("#tournament-cross .cell a").first
    cell.focus()
    said = page.locator(".cross-said")
    expect(said).to_have_text(re.compile(r"finished ahead of .* 95% interval .* \(corrected p"))
    first, other = re.findall(r"^(\w+) finished ahead of (\w+)", said.inner_text())[0]
    cell.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Matches")
    expect(page.locator("#matches-count")).to_have_text("12 matches")
    expect(page).to_have_url(re.compile(rf"/matches\?game=caravan&tournament=three&player={first}&with={other}$"))
