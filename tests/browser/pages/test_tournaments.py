"""The list of tournaments and a tournament's page, with its report and its colour scheme."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Looks, wide

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]


@pytest.mark.slow("another list")
@pytest.mark.every_look
def test_the_list_is_sorted_a_row_leads_to_its_tournament_and_a_cell_to_its_matches(
    visit: Visit, axe: Axe, looks: Looks
) -> None:
    page = visit("/tournaments?tournament=four&tournament=three")
    expect(page.locator("#tournaments-lead")).to_have_text(
        "2 tournaments of Himalaya (Tilsit 2004) with 24 matches, all finished."
    )
    expect(page.locator(".listing .row-link")).to_have_count(2)
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    page.set_viewport_size({"width": 1440, "height": 900})
    check_sorting(page)
    page.get_by_role("link", name="three", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("three")
    expect(page).to_have_title("three · Himalaya")
    check_cell(page)


def check_sorting(page: Page) -> None:
    """A click on a column header sorts by it, then in reverse; Back undoes that."""
    names = page.locator(".listing .row-link")
    page.get_by_role("link", name="Table size", exact=True).click()
    expect(names).to_have_text(["three", "four"])
    expect(page.get_by_role("columnheader", name="Table size")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("link", name="Table size", exact=True).click()
    expect(names).to_have_text(["four", "three"])
    page.go_back()
    expect(names).to_have_text(["three", "four"])
    expect(page).to_have_url(re.compile(r"tournament=four&tournament=three&sort=sizes$"))


def check_cell(page: Page) -> None:
    """A cell of the pairs table shows an explanation on focus, and links to its matches."""
    cell = page.locator("#tournament-cross .cell a").first
    cell.focus()
    said = page.locator(".cross-said")
    expect(said).to_have_text(re.compile("finished ahead of .* 95% CI .* \\(corrected p"))
    first, other = re.findall(r"^(\w+) finished ahead of (\w+)", said.inner_text())[0]
    address = f"/matches?game=caravan&tournament=three&player={first}&with={other}"
    expect(cell).to_have_attribute("href", address)


@pytest.mark.slow("many figures on one page")
@pytest.mark.every_look
def test_a_tournament_has_a_standing_before_figures_a_menu_of_reports_and_a_filter(
    page: Page, axe: Axe, looks: Looks
) -> None:
    check_standing(page)
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    page.emulate_media(color_scheme="light")
    check_report_menu(page, axe)
    page.set_viewport_size({"width": 1440, "height": 900})
    check_filter(page)


@pytest.mark.slow("a report that is made, and a scheme that stays")
def test_a_report_is_made_heads_lead_to_meanings_and_a_scheme_stays_chosen(
    visit: Visit,
) -> None:
    page = visit("/tournament?tournament=four")
    check_report(page)
    check_heads(page)
    check_scheme(page)


def check_standing(page: Page) -> None:
    """The page has the standings and the evidence, and leads to the tournament's figures, which it does not repeat."""
    page.goto("/tournament?tournament=four")
    expect(page.get_by_role("heading", level=1)).to_have_text("four")
    expect(page.locator("#tournament-lead")).to_have_text("12 finished matches")
    expect(page.locator("#tournament-standing tbody tr")).to_have_count(4)
    expect(page.locator("#tournament-cross-said")).to_contain_text("Head to head")
    expect(page.locator("#tournament-cross .cell")).to_have_count(12)
    expect(page.locator("#tournament-rests code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    address = re.compile(r"^/replay\?match=four\.\d+&ply=[1-9]\d*")
    expect(page.locator("#tournament-telling a").first).to_have_attribute("href", address)
    expect(page.locator(".figure-card")).to_have_count(0)
    ratings = page.get_by_role("link", name="Ratings", exact=True)
    expect(ratings).to_have_attribute("href", re.compile(r"^/analysis/who/ratings\?.*tournament=four$"))


def check_filter(page: Page) -> None:
    """All parts of the page follow a filter."""
    page.get_by_role("textbox", name="Player", exact=True).click()
    page.get_by_role("option", name="trader").click()
    expect(page.locator("#tournament-standing tbody tr")).to_have_count(1)
    address = "/csv/win-share.csv?tournament=four&player=trader"
    expect(page.locator("#tournament-standing-csv")).to_have_attribute("href", address)
    expect(page.locator("#tournament-rests td").first).to_have_text("trader")
    page.keyboard.press("Escape")


def check_report_menu(page: Page, axe: Axe) -> None:
    """The menu works by keyboard and fits a narrow page; a report is cancelled."""
    page.set_viewport_size({"width": 390, "height": 844})
    button = page.get_by_role("button", name="Report", exact=True)
    button.press("ArrowDown")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("End")
    expect(page.get_by_role("menuitem", name="Workbook")).to_be_focused()
    assert axe(page, "#report-menu") == []
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(page.get_by_role("menu")).to_be_hidden()
    button.press("Enter")
    panel = page.get_by_role("menu").bounding_box()
    assert panel is not None
    assert panel["x"] >= 0
    assert panel["x"] + panel["width"] <= 390
    page.get_by_role("menuitem", name="Document").click()
    expect(page.get_by_role("progressbar", name="Report")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "DELETE") as answer:
        page.get_by_role("button", name="Cancel").click()
    assert answer.value.json()["status"] == "cancelled"
    expect(button).to_be_focused()
    expect(page.get_by_role("progressbar", name="Report")).to_be_hidden()
    expect(page.get_by_role("status").filter(has_text="The report was cancelled")).to_be_attached()


def check_report(page: Page) -> None:
    """A report is created for the page's filter and downloaded; `test_report.py` checks its content."""
    page.get_by_role("button", name="Report", exact=True).press("Enter")
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Web page").click()
    assert download.value.suggested_filename == "himalaya-four.html"
    assert "<h1>four</h1>" in Path(download.value.path()).read_text("utf-8")
    expect(page.get_by_role("status").filter(has_text="The report is ready")).to_be_attached()
    expect(page.get_by_role("link", name="Download himalaya-four.html")).to_be_visible()
    page.keyboard.press("Escape")


def check_heads(page: Page) -> None:
    """A column header links to its definition, and the definition to the figure."""
    page.locator("#tournament-standing").get_by_role("link", name="Share won").click()
    expect(page).to_have_url(re.compile("/glossary#win_share$"))
    expect(page.locator("#win_share")).to_be_in_viewport()
    expect(page.locator("#win_share")).to_have_class(re.compile("entry-named"))
    page.locator("#win_share").get_by_role("link", name="Share of matches won", exact=True).click()
    expect(page).to_have_url(re.compile(r"/analysis/who/win-share\?game=caravan$"))
    expect(page.locator("#figure-win-share")).to_be_in_viewport()


def check_scheme(page: Page) -> None:
    """A chosen colour scheme also applies to figures, and is remembered."""
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    page.locator("#figure-win-share").scroll_into_view_if_needed()
    expect(page.locator("#figure-win-share .ytick text").first).to_have_css("fill", "rgb(236, 238, 244)")
    page.goto("/intake", wait_until="commit")
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
