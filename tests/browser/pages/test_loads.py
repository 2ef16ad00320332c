"""What a page fetches, and what can be read before all of it is there."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

Visit = Callable[[str], Page]


def test_a_page_without_a_list_fetches_no_grid_until_one_is_shown(visit: Visit, requested: list[str]) -> None:
    page = visit("/glossary")
    assert not [address for address in requested if "ag_grid" in address or "plotly" in address]
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Matches").click()
    expect(page.locator('.ag-row[row-index="0"] .match-link')).to_have_text("four.000000")
    page.get_by_role("columnheader", name="Events").click()
    expect(page.get_by_role("columnheader", name="Events")).to_have_attribute("aria-sort", "ascending")
    assert page.evaluate("performance.getEntriesByType('navigation')[0].name").endswith("/glossary")


def test_findings_are_read_before_plotly_is_there(page: Page) -> None:
    held: list[Route] = []
    page.route("**/plotly.min*", lambda route: held.extend([route]), times=1)
    page.goto("/outcomes?tournament=four")
    card = page.locator('.figure-card[data-figure="win-share"]')
    expect(card.locator("figcaption")).to_contain_text("95% interval")
    expect(card).to_have_attribute("data-state", "drawn")
    expect(card.locator(".main-svg")).to_have_count(0)
    held[0].continue_()
    expect(card.locator(".ytick").first).to_be_visible()


def test_what_is_near_is_counted_and_drawn_when_it_is_seen(visit: Visit) -> None:
    page = visit("/traffic?tournament=four")
    expect(page.locator(".figure-card .map svg").first).to_be_visible()
    card = page.locator('.figure-card[data-figure="villages"]')
    assert page.evaluate("!window.Plotly")
    card.scroll_into_view_if_needed()
    expect(card).to_have_attribute("data-state", "drawn")
    expect(card.locator(".main-svg").first).to_be_visible()


def test_the_standing_is_read_before_the_scripts_of_figures_are_there(page: Page) -> None:
    held: list[Route] = []
    page.route("**/plotly.min*", lambda route: held.extend([route]), times=1)
    page.goto("/tournament?tournament=four")
    expect(page.locator("#tournament-standing tbody tr")).to_have_count(4)
    expect(page.locator("#tournament-cross-said")).to_contain_text("Head to head")
    held[0].continue_()
    ratings = page.locator('.figure-card[data-figure="ratings"]')
    ratings.scroll_into_view_if_needed()
    expect(ratings.locator(".ytick").first).to_be_visible()
