"""A report opened in the browser in every look; `test_tournaments.py` creates one with the button."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DATABASE, Looks, play_and_ingest, run, wide
from tests.copies import copied
from tests.once import once

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    played = once(tmp_path_factory, "served", play_and_ingest)
    database = copied(played / DATABASE, folder)
    run("report", "--tournament", "four", "--out", folder / "four.html", "--db", database)
    return folder / "four.html"


@pytest.mark.slow("a report of all reviewed matches in every look")
@pytest.mark.every_look
def test_a_report_is_readable_and_loads_nothing(browser: Browser, report: Path, axe: Axe, looks: Looks):
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).scheme))
    page.on("console", lambda message: errors.append(message.text))
    page.goto(report.as_uri())
    expect(page.get_by_role("heading", level=1)).to_have_text("four")
    expect(page.get_by_role("img", name="Share of matches won")).to_be_visible()
    page.locator("summary").first.press("Enter")
    expect(page.locator("details[open] table").first).to_be_visible()
    disc = page.locator("#figure-win-share circle").first
    for look in looks(page):
        assert wide(page) <= look.size[0], look
        assert page.evaluate("document.fonts.check('16px Inter')")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(18, 19, 26)" if look.theme == "dark" else "rgb(243, 242, 238)")
        fill = disc.evaluate("(node) => getComputedStyle(node).fill")
        assert fill == ("rgb(240, 180, 41)" if look.theme == "dark" else "rgb(230, 159, 0)")  # the colour of player 1
        page.emulate_media(media="print")
        expect(page.locator("#figure-plan-costs circle").first).to_be_visible()
        assert disc.evaluate("(node) => getComputedStyle(node).fill") == "rgb(230, 159, 0)"
        page.emulate_media(media="screen")
        assert axe(page) == [], look
    assert errors == []
    assert set(asked) <= {"file", "data"}
    context.close()


@pytest.mark.slow("a report that has nothing in it")
def test_a_filter_without_matches_gives_no_report_and_a_message_in_both_places(visit: Visit, axe: Axe):
    page = visit("/tournament?tournament=four&result=nothing")
    expect(page.get_by_text("No finished match fits these filters").last).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Report", exact=True).click()
    page.get_by_role("menuitem", name="Web page").click()
    expect(page.locator(".report-problem")).to_contain_text("no finished match fits the filter (tournament four;")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Report", exact=True)).to_be_focused()
