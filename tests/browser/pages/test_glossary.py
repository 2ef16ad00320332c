"""The glossary, as a user meets it: looked through, and reached from the head of a column."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Looks, wide

Visit = Callable[[str], Page]
Axe = Callable[[Page], list[str]]


@pytest.mark.every_look
def test_the_glossary_opens_and_is_looked_through(visit: Visit, axe: Axe, looks: Looks) -> None:
    page = visit("/glossary")
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    expect(page.locator("#glossary-count")).to_have_text(re.compile(r"^\d\d+ metrics$"))
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    page.get_by_role("textbox", name="Find").fill("jackknife rating")
    expect(page.locator("#glossary-count")).to_have_text("1 metric")
    expect(page.locator("#rating")).to_be_visible()
    expect(page.locator("#played")).to_be_hidden()
    for look in looks(page):
        expect(page.locator(".glossary-contents nav a:visible")).to_have_text(
            ["Rating (Elo)"] if look.size[0] > 900 else []
        )
    page.reload()
    expect(page.locator("#glossary-count")).to_have_text("1 metric")
    page.get_by_role("textbox", name="Find").fill("zzz")
    expect(page.locator("#glossary-count")).to_have_text("No metric contains these words. Try fewer.")


def test_the_head_of_a_column_leads_to_its_meaning(visit: Visit) -> None:
    page = visit("/tournament?tournament=four")
    page.locator("#tournament-standing").get_by_role("link", name="Share won").click()
    expect(page).to_have_url(re.compile("/glossary#win_share$"))
    expect(page.locator("#win_share")).to_be_in_viewport()
    expect(page.locator("#win_share")).to_have_class(re.compile("entry-named"))
    page.locator("#win_share").get_by_role("link", name="Share of matches won", exact=True).click()
    expect(page).to_have_url(re.compile("#figure-win-share$"))
    expect(page.locator("#figure-win-share")).to_be_in_viewport()
