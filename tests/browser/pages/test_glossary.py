"""The glossary: opened and searched."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Looks, wide

Visit = Callable[[str], Page]
Axe = Callable[[Page], list[str]]


@pytest.mark.slow("a page that is mostly text")
@pytest.mark.every_look
def test_the_glossary_is_looked_through_and_fetches_no_scripts_of_lists_and_figures(
    visit: Visit, axe: Axe, looks: Looks, requested: list[str]
) -> None:
    page = visit("/glossary")
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    expect(page.locator("#glossary-count")).to_have_text(re.compile(r"^\d\d+ metrics$"))
    check_search(page, axe, looks)
    assert not [address for address in requested if "ag_grid" in address or "plotly" in address]


def check_search(page: Page, axe: Axe, looks: Looks) -> None:
    """Search narrows entries and contents, updates the address, and may find nothing."""
    page.get_by_role("textbox", name="Find").fill("jackknife rating")
    expect(page.locator("#glossary-count")).to_have_text("1 metric")
    expect(page.locator("#rating")).to_be_visible()
    expect(page.locator("#played")).to_be_hidden()
    for look in looks(page):
        expect(page.locator(".glossary-contents nav a:visible")).to_have_text(
            ["Rating (Elo)"] if look.size[0] > 900 else []
        )
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    expect(page).to_have_url(re.compile(r"/glossary\?find=jackknife.+rating$"))
    page.get_by_role("textbox", name="Find").fill("zzz")
    expect(page.locator("#glossary-count")).to_have_text("No metric contains these words. Try fewer.")
