"""The list of matches, the traffic and the outcomes, as a user meets them."""

import json
import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Looks, Served, wide

Visit = Callable[[str], Page]
Axe = Callable[[Page], list[str]]


def first_row(page: Page) -> Locator:
    """Return the first row once it has come; until then one in its place says Loading, and opens nothing."""
    return page.locator('.ag-row[row-index="0"]:has(.match-link)')


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


@pytest.mark.every_look
@pytest.mark.parametrize(
    ("path", "heading", "shows"),
    [
        ("/matches", "Matches", '.ag-row[row-index="0"] .match-link'),
        ("/intake", "Intake", "#intake-sections td"),
        ("/no-such-page", "Page not found", "main a"),
    ],
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


def test_the_grid_sorts_and_filters_on_the_server(visit: Visit) -> None:
    page = visit("/matches")
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    events = first_row(page).locator('[col-id="events"]')
    page.get_by_role("columnheader", name="Events").click()
    expect(page).to_have_url(re.compile(r"\?sort=events$"))
    expect(events).to_have_text(re.compile(r"^\d+$"))
    fewest = events.inner_text()
    page.get_by_role("columnheader", name="Events").click()
    expect(page).to_have_url(re.compile(r"\?sort=-events$"))
    expect(events).to_have_text(re.compile(rf"^(?!{fewest}$)\d+$"))
    assert int(events.inner_text()) > int(fewest)
    page.get_by_role("textbox", name="Tournament").click()
    page.get_by_role("option", name="three").click()
    page.keyboard.press("Escape")
    expect(page.locator("#matches-count")).to_have_text("12 matches")
    expect(page.locator("#matches-csv")).to_have_attribute("href", re.compile(r"^/csv/matches.csv\?tournament=three"))
    page.get_by_role("textbox", name="Find").fill("nothing like it")
    expect(page.locator(".ag-overlay")).to_contain_text("No match fits these filters")
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.locator("#matches-count")).to_have_text("24 matches")
    expect(page).to_have_url(re.compile(r"/matches\?sort=-events$"))


def test_the_lowest_chance_of_a_winner_leads_to_its_ply(visit: Visit, served: Served) -> None:
    with urllib.request.urlopen(f"{served.url}/api/matches?sort=lowest&start=0&stop=1") as answer:
        (row,) = json.load(answer)["rows"]
    page = visit("/matches?sort=lowest")
    cell = first_row(page).locator('[col-id="lowest"]').get_by_role("link")
    expect(cell).to_have_text(f"{100 * row['lowest']:.1f}%")
    expect(cell).to_have_attribute(
        "href", re.compile(rf"^/replay\?match={re.escape(row['match'])}&ply={row['lowest_ply']}&")
    )


def test_filters_and_sort_come_from_the_address_and_hold_for_the_download(visit: Visit) -> None:
    page = visit("/matches?tournament=four&player=trader&result=won&sort=-margin")
    expect(page.get_by_role("columnheader", name="Won by")).to_have_attribute("aria-sort", "descending")
    expect(first_row(page).locator('[col-id="winner"]')).to_have_text(re.compile("trader"))
    expect(first_row(page).locator('[col-id="tournament"]')).to_have_text("four")
    assert query(page) == {"tournament": ["four"], "player": ["trader"], "result": ["won"], "sort": ["-margin"]}
    expect(page.locator("nav [aria-current=page]")).to_have_text("Matches")
    with page.expect_download() as download:
        page.get_by_role("link", name="These matches as CSV").click()
    lines = Path(download.value.path()).read_text("utf-8").splitlines()
    assert len(lines) == 1 + int(page.locator("#matches-count").inner_text().split()[0])
    assert download.value.suggested_filename == "himalaya-matches.csv"


def test_a_row_opens_the_replay_by_click_key_and_link(visit: Visit) -> None:
    page = visit("/matches")
    name = first_row(page).locator(".match-link").inner_text()
    cell = first_row(page).locator('[col-id="line_up"]')
    for opens in (cell.click, lambda: cell.press("Enter"), first_row(page).locator(".match-link").click):
        opens()
        expect(page).to_have_url(re.compile(rf"/replay\?match={re.escape(name)}&ply=0&list=sort%3Dmatch"))
        page.go_back()
        expect(first_row(page).locator("[col-id=match].ag-cell-focus")).to_be_focused()


def test_the_row_one_comes_back_to_has_the_focus_however_late_it_is_drawn(page: Page, visit: Visit) -> None:
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


def test_the_row_one_comes_back_to_takes_no_focus_from_who_goes_elsewhere(visit: Visit) -> None:
    name = first_row(visit("/matches")).locator(".match-link").inner_text()
    page = visit(f"/matches?sort=events#match={name}")
    expect(page.locator("[col-id=match].ag-cell-focus")).to_be_focused()
    page.keyboard.press("Shift")
    page.evaluate("document.activeElement.blur()")  # as a click on the banner does
    page.evaluate("() => new Promise((after) => setTimeout(after, 200))")  # four looks of the page at who has it
    assert page.evaluate("document.activeElement.tagName") == "BODY"


def test_a_replay_leads_through_the_list_it_was_opened_from_and_back_to_the_row(visit: Visit, served: Served) -> None:
    with urllib.request.urlopen(f"{served.url}/api/matches?sort=-events&start=0&stop=24") as answer:
        names = [row["match"] for row in json.load(answer)["rows"]]
    page = visit(f"/replay?match={names[-1]}&ply=0&spoilers=off&list=sort%3D-events")
    facts = page.locator(".origin-facts")
    expect(facts.get_by_role("link", name=names[-1].partition(".")[0])).to_be_visible()
    expect(facts).to_have_text(
        re.compile(r"^Tournament.*Seed.*Default options.*Loaded \d+ \w+ \d{4} \(UTC\).*Follows the rules.*Board")
    )
    way = page.get_by_role("navigation", name="Matches of the list")
    expect(way).to_contain_text("24 of 24")
    expect(way.get_by_role("link", name="Next")).to_have_count(0)
    way.get_by_role("link", name="Previous").click()
    expect(page).to_have_url(re.compile(rf"match={re.escape(names[-2])}&ply=0&list=sort%3D-events&spoilers=off"))
    expect(way).to_contain_text("23 of 24")
    way.get_by_role("link", name="Back to the list").click()
    expect(page).to_have_url(re.compile(r"/matches\?sort=-events$"))
    row = page.locator(f".ag-row:has(.match-link:text-is('{names[-2]}'))")
    expect(row).to_be_in_viewport(ratio=1)
    expect(row.locator("[col-id=match]")).to_be_focused()


def test_a_list_that_was_left_changes_nothing(visit: Visit) -> None:
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


def test_filters_that_no_tournament_fits_say_so(visit: Visit, axe: Axe) -> None:
    page = visit("/tournaments?player=nobody")
    expect(page.get_by_text("No tournament fits these filters").last).to_be_visible()
    assert axe(page) == []


def test_the_colour_scheme_stays_chosen(visit: Visit) -> None:
    page = visit("/tournament?tournament=four")
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    page.locator("#figure-ratings").scroll_into_view_if_needed()  # a chart is drawn once its card is in the window
    label = page.locator("#figure-ratings .ytick text").first
    expect(label).to_have_css("fill", "rgb(236, 238, 244)")
    page.goto("/intake", wait_until="commit")
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")


def test_the_keyboard_skips_to_the_page_and_the_navigation_marks_it(visit: Visit) -> None:
    page = visit("/matches")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.get_by_role("link", name="Intake", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Intake")
    expect(page.locator("nav [aria-current=page]")).to_have_text("Intake")
    expect(page).to_have_title("Intake · Himalaya")
