"""The list of matches, and opening a replay from it and returning."""

import json
import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Looks, Served, wide

Visit = Callable[[str], Page]
Axe = Callable[[Page], list[str]]


def first_row(page: Page) -> Locator:
    """Return the first row once loaded; until then a placeholder row says Loading."""
    return page.locator('.ag-row[row-index="0"]:has(.match-link)')


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


@pytest.mark.every_look
def test_the_list_of_matches_is_sorted_filtered_and_opens_a_replay(
    visit: Visit, axe: Axe, looks: Looks, served: Served
) -> None:
    page = visit("/matches?sort=lowest")
    check_lowest_chance(page, served)
    check_skip_link(page)
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    page.set_viewport_size({"width": 1440, "height": 900})
    check_sorting(page)
    check_no_match(page)
    check_csv(page)
    check_replay_of_a_row(page, served)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"status": 503, "json": {"message": "The database is busy."}}, "The database is busy."),
        ({"status": 502, "body": "<p>Bad gateway</p>"}, "The server answered 502."),
        ({"status": 200, "body": "<p>Sign in</p>"}, "The server's answer cannot be read; try again in a moment."),
    ],
    ids=["refused", "no server behind the proxy", "another page"],
)
def test_an_error_is_shown_in_words(
    visit: Visit, page: Page, refusals: list[str], answer: dict[str, Any], message: str
) -> None:
    refusals.append(f"status of {answer['status']}")
    page.route("**/api/matches?*", lambda route: route.fulfill(**answer))
    expect(visit("/matches").locator("#problem")).to_have_text(message)


def check_lowest_chance(page: Page, served: Served) -> None:
    """The link of a winner's lowest win probability opens that ply."""
    with urllib.request.urlopen(f"{served.url}/api/matches?sort=lowest&start=0&stop=1") as answer:
        (row,) = json.load(answer)["rows"]
    expect(page.get_by_role("heading", level=1)).to_have_text("Matches")
    cell = first_row(page).locator('[col-id="lowest"]').get_by_role("link")
    expect(cell).to_have_text(f"{100 * row['lowest']:.1f}%")
    address = re.compile(rf"^/replay\?match={re.escape(row['match'])}&ply={row['lowest_ply']}&")
    expect(cell).to_have_attribute("href", address)


def check_skip_link(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def check_sorting(page: Page) -> None:
    """A click on a column header sorts by it; another click reverses the order."""
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    events = first_row(page).locator('[col-id="events"]')
    page.get_by_role("columnheader", name="Events").click()
    expect(page).to_have_url(re.compile(r"\?sort=events\b"))
    expect(page.get_by_role("columnheader", name="Events")).to_have_attribute("aria-sort", "ascending")
    expect(events).to_have_text(re.compile(r"^\d+$"))
    fewest = events.inner_text()
    page.get_by_role("columnheader", name="Events").click()
    expect(page).to_have_url(re.compile(r"\?sort=-events\b"))
    expect(events).to_have_text(re.compile(rf"^(?!{fewest}$)\d+$"))
    assert int(events.inner_text()) > int(fewest)


def check_no_match(page: Page) -> None:
    page.get_by_role("textbox", name="Find").fill("nothing like it")
    expect(page.locator(".ag-overlay")).to_contain_text("No match fits these filters")
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    expect(page).to_have_url(re.compile(r"/matches\?sort=-events\b"))


def check_csv(page: Page) -> None:
    """The CSV contains the filtered matches."""
    page.get_by_role("textbox", name="Tournament").click()
    page.get_by_role("option", name="three").click()
    page.keyboard.press("Escape")
    expect(page.locator("#matches-count")).to_have_text("12 matches")
    expect(page.locator("#matches-csv")).to_have_attribute("href", re.compile(r"^/csv/matches.csv\?tournament=three"))
    with page.expect_download() as download:
        page.get_by_role("link", name="These matches as CSV").click()
    assert len(Path(download.value.path()).read_text("utf-8").splitlines()) == 13
    assert download.value.suggested_filename == "himalaya-caravan-matches-tournament-three.csv"


def check_replay_of_a_row(page: Page, served: Served) -> None:
    """A row opens its replay, which links to the next match of the list and back to the row."""
    with urllib.request.urlopen(f"{served.url}/api/matches?tournament=three&sort=-events&start=0&stop=12") as answer:
        names = [row["match"] for row in json.load(answer)["rows"]]
    first_row(page).locator('[col-id="line_up"]').press("Enter")
    listed = re.escape("list=tournament%3Dthree%26sort%3D-events")
    expect(page).to_have_url(re.compile(rf"/replay\?match={re.escape(names[0])}&ply=0&{listed}"))
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    facts = page.locator(".origin-facts")
    expect(facts.get_by_role("link", name="three")).to_be_visible()
    expect(facts).to_have_text(
        re.compile(r"^Tournament.*Seed.*Default options.*Loaded \d+ \w+ \d{4} \(UTC\).*Follows the rules.*Board")
    )
    way = page.get_by_role("navigation", name="Matches of the list")
    expect(way).to_contain_text("1 of 12")
    expect(way.get_by_role("link", name="Previous")).to_have_count(0)
    way.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile(rf"match={re.escape(names[1])}&ply=0&{listed}"))
    expect(way).to_contain_text("2 of 12")
    way.get_by_role("link", name="Back to the list").click()
    expect(page).to_have_url(re.compile(r"/matches\?tournament=three&sort=-events$"))
    row = page.locator(f".ag-row:has(.match-link:text-is('{names[1]}'))")
    expect(row).to_be_in_viewport(ratio=1)
    expect(row.locator("[col-id=match]")).to_be_focused()


@pytest.mark.slow("further pages in every look")
@pytest.mark.every_look
@pytest.mark.parametrize(
    ("path", "heading", "shows"),
    [("/intake", "Imports", "#intake-sections td"), ("/no-such-page", "Page not found", "main a")],
)
def test_a_page_opens(
    visit: Visit, axe: Axe, looks: Looks, refusals: list[str], path: str, heading: str, shows: str
) -> None:
    refusals.append("status of 404" if path == "/no-such-page" else "nothing else")
    page = visit(path)
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.locator(shows).first).to_be_visible()
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look


@pytest.mark.slow("each way that opens a row")
def test_a_row_opens_the_replay_by_click_key_and_link(visit: Visit) -> None:
    page = visit("/matches")
    name = first_row(page).locator(".match-link").inner_text()
    cell = first_row(page).locator('[col-id="line_up"]')
    for opens in (cell.click, lambda: cell.press("Enter"), first_row(page).locator(".match-link").click):
        opens()
        expect(page).to_have_url(re.compile(rf"/replay\?match={re.escape(name)}&ply=0&list=sort%3Dmatch"))
        page.go_back()
        expect(first_row(page).locator("[col-id=match].ag-cell-focus")).to_be_focused()


@pytest.mark.slow("a slow machine")
def test_the_row_returned_to_gets_the_focus_however_late_it_is_drawn(page: Page, visit: Visit) -> None:
    page.add_init_script("""
        const frame = window.requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (run) => frame(() => setTimeout(() => run(performance.now()), 1500));
    """)
    visit("/matches")
    first_row(page).locator('[col-id="line_up"]').click()
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    page.go_back()
    expect(first_row(page).locator("[col-id=match].ag-cell-focus")).to_be_focused()
    page.close()


@pytest.mark.slow("a focus that goes elsewhere meanwhile")
def test_the_row_returned_to_does_not_take_the_focus_again_once_it_is_lost(visit: Visit) -> None:
    name = first_row(visit("/matches")).locator(".match-link").inner_text()
    page = visit(f"/matches?sort=events#match={name}")
    expect(page.locator("[col-id=match].ag-cell-focus")).to_be_focused()
    page.keyboard.press("Shift")
    page.evaluate("document.activeElement.blur()")  # a click on the banner has the same effect
    page.evaluate("() => new Promise((after) => setTimeout(after, 200))")  # lets the page check the focus four times
    assert page.evaluate("document.activeElement.tagName") == "BODY"


@pytest.mark.slow("an answer that comes late")
def test_a_list_left_behind_changes_nothing(visit: Visit) -> None:
    page = visit("/replay?match=four.000001&ply=60")
    held: list[Route] = []
    page.route("**/api/matches?*", lambda route: held.extend([route]), times=1)
    with page.expect_request("**/api/matches?*"):
        page.get_by_role("link", name="Matches", exact=True).click()
    grid = page.evaluate_handle("dash_ag_grid.getApiAsync('matches-grid')")
    rows = grid.evaluate_handle("grid => grid.getGridOption('datasource')")
    page.go_back()
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    with page.expect_response("**/api/matches?*"):
        held[0].continue_()
    rows.evaluate("rows => rows.getRows({ startRow: 0, endRow: 9, sortModel: [{ colId: 'events', sort: 'asc' }] })")
    page.evaluate("dash_clientside.shell.keepInAddress('?sort=events', '/matches')")
    page.wait_for_load_state("networkidle")
    expect(page).to_have_url(re.compile(r"/replay\?match=four\.000001&ply=60$"))
    expect(page.locator("#problem")).to_be_empty()
