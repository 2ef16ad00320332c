"""The Analysis page: figures appear one by one, with findings, data, pictures, and links to their matches."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, Request, Route, ViewportSize, expect

from tests.browser.conftest import REVIEWED, Looks, wide

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]


def card(page: Page, name: str) -> Locator:
    return page.locator(f'.figure-card[data-figure="{name}"]')


def drawn(page: Page, name: str) -> Locator:
    """Return a figure's card once it is visible and drawn under the current filter."""
    found = card(page, name)
    found.scroll_into_view_if_needed()
    expect(found).to_have_attribute("data-state", re.compile("drawn|empty"))
    expect(found).not_to_have_attribute("aria-busy", "true")
    return found


@pytest.mark.every_look
def test_the_overview_is_short_and_each_finding_leads_to_its_figure(visit: Visit, axe: Axe, looks: Looks) -> None:
    page = visit("/analysis?tournament=four")
    for name in ("win-share", "decisive-round", "head-to-head"):
        drawn(page, name)
    findings = page.locator(".findings a")
    expect(findings).to_have_count(5)
    expect(findings.first).to_contain_text(re.compile(r"^Share of matches won.* wins "))
    expect(findings.nth(1)).to_contain_text("What sets winners apart")
    expect(page.get_by_text("No finished match that fits these filters")).to_have_count(0)
    expect(findings.filter(has_text=re.compile(r"\.$"))).to_have_count(5)
    assert page.evaluate("document.documentElement.scrollHeight") <= 4000
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    page.set_viewport_size({"width": 1440, "height": 900})
    said = findings.last.locator("span").inner_text()
    findings.last.click()
    expect(drawn(page, "seat-effect").locator("figcaption")).to_have_text(said)
    expect(page).to_have_url(re.compile(r"/analysis/seat/seat-effect\?tournament=four$"))


def test_a_figure_out_of_sight_says_nothing_under_another_filter_until_it_is_loaded(visit: Visit) -> None:
    page = visit("/analysis?tournament=four")
    before = drawn(page, "head-to-head").locator("figcaption").inner_text()
    page.mouse.wheel(0, -5000)
    expect(card(page, "head-to-head")).not_to_be_in_viewport()
    page.get_by_role("button", name="Clear", exact=True).first.click()
    expect(card(page, "head-to-head")).not_to_have_attribute("data-state", re.compile(""))
    expect(card(page, "head-to-head").locator("figcaption")).to_be_empty()
    page.evaluate("() => { window.print = () => document.body.setAttribute('data-printed', '') }")
    page.keyboard.press("Control+p")
    expect(page.locator("body[data-printed]")).to_be_attached()
    expect(card(page, "head-to-head").locator("figcaption")).not_to_have_text(re.compile(f"^$|{re.escape(before)}"))


def test_a_figure_is_drawn_again_under_a_filter_that_it_was_drawn_for_before(visit: Visit) -> None:
    page = visit("/analysis?tournament=four")
    before = drawn(page, "head-to-head").locator("figcaption").inner_text()
    page.mouse.wheel(0, -5000)
    expect(card(page, "head-to-head")).not_to_be_in_viewport()
    page.get_by_role("button", name="Clear", exact=True).first.click()
    expect(card(page, "head-to-head").locator("figcaption")).to_be_empty()
    page.go_back()
    expect(page).to_have_url(re.compile("tournament=four"))
    expect(page.locator("#analysis-lead")).to_contain_text(": 12 finished")
    expect(drawn(page, "head-to-head").locator("figcaption")).to_have_text(before)


TWO_CLICKS: Final = (
    ("Where?", "Arrivals in villages", "villages"),
    ("Why?", "Order discs: never delivered", "orders"),
    ("Does the seat matter?", "", "seat-effect"),
)


def test_what_a_designer_asks_is_two_clicks_away(visit: Visit) -> None:
    page = visit("/analysis")
    for question, title, name in TWO_CLICKS:
        page.get_by_role("navigation", name="Analysis").get_by_role("link", name=question).click()
        if title:
            page.get_by_role("navigation", name="Figures on this question").get_by_role("link", name=title).click()
        expect(drawn(page, name)).to_have_attribute("data-state", "drawn")
        expect(page).to_have_url(re.compile(f"/{name}$|/seat$"))
        page.get_by_role("navigation", name="Analysis").get_by_role("link", name="Overview").click()


def test_the_menu_of_a_figure_works_by_keyboard(visit: Visit, axe: Axe) -> None:
    page = visit("/analysis/seat?tournament=four")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown = drawn(page, "seat-effect")
    menu, copy = shown.get_by_label("Save Seat advantage"), shown.get_by_role("button", name="Copy address")
    menu.press("Enter")
    expect(copy).to_be_visible()
    assert axe(page, ".figure-menu") == []
    page.keyboard.press("Escape")
    expect(copy).to_be_hidden()
    expect(menu).to_be_focused()
    page.keyboard.press("Space")
    for _ in range(5):
        page.keyboard.press("Tab")
    expect(copy).to_be_focused()
    page.keyboard.press("Enter")
    expect(copy).to_be_hidden()
    address = page.evaluate("navigator.clipboard.readText()")
    assert address.endswith("/analysis/seat/seat-effect?tournament=four")


@pytest.mark.slow("all that a figure offers")
@pytest.mark.every_look
def test_figures_have_findings_data_pictures_and_links_to_their_matches(page: Page, axe: Axe, looks: Looks) -> None:
    check_findings_before_plotly(page)
    check_data_and_pictures(page)
    page.goto("/analysis/why/endings?tournament=four")
    bars = drawn(page, "endings").locator(".bars .point path")
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    expect(page.locator(".figure-card[aria-busy]")).to_have_count(0)  # drawing a figure moves the figures below it
    bars.first.scroll_into_view_if_needed()
    box = bars.first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(r"/matches\?tournament=four&player=\w+&result=won$"))


def check_findings_before_plotly(page: Page) -> None:
    held: list[Route] = []
    page.route("**/plotly.min*", lambda route: held.extend([route]), times=1)
    page.goto("/analysis?tournament=four")
    expect(page.get_by_role("heading", level=1)).to_have_text("Analysis")
    first = card(page, "win-share")
    expect(first.locator("figcaption")).to_contain_text("95% CI")
    expect(first).to_have_attribute("data-state", "drawn")
    expect(first.locator(".main-svg")).to_have_count(0)
    first.get_by_text("What the columns mean").click()
    expect(first.get_by_role("definition").filter(has_text="How often the player wins")).to_be_visible()
    entry = first.get_by_role("link", name="All about this figure: Share of matches won")
    expect(entry).to_have_attribute("href", "/docs/reference/figures.html#win-share")
    held[0].continue_()
    expect(first.locator(".ytick").first).to_be_visible()


def check_data_and_pictures(page: Page) -> None:
    """A chart is also available as a table and as a picture with its finding."""
    first = drawn(page, "win-share")
    first.get_by_text("Show data").click()
    row = first.locator("tbody tr").first
    expect(row.locator("td").first).to_have_text(re.compile("trader|pilgrim|envoy|random"))
    expect(first.locator("th").get_by_role("link", name="Share won")).to_have_attribute("href", "/glossary#win_share")
    name = row.locator("td").first.inner_text()
    expect(row.get_by_role("link")).to_have_attribute("href", f"/matches?tournament=four&player={name}")
    pictures = {}
    for ending in ("svg", "png"):
        with page.expect_download() as download:
            first.get_by_label("Save Share of matches won").click()
            first.get_by_role("button", name=f"Share of matches won, as {ending.upper()}").click()
        assert download.value.suggested_filename == f"himalaya-caravan-win-share-tournament-four.{ending}"
        pictures[ending] = Path(download.value.path()).read_bytes()
    assert pictures["png"].startswith(b"\x89PNG")
    assert int.from_bytes(pictures["png"][16:20], "big") >= 2000
    assert "Share of matches won" in pictures["svg"].decode()
    assert "95% CI" in pictures["svg"].decode()


@pytest.mark.slow("figures of reviewed matches")
def test_chances_are_drawn_of_the_matches_that_are_reviewed(visit: Visit) -> None:
    page = visit("/analysis/chances?tournament=four")
    expect(page.locator("#analysis-valued")).to_contain_text(f"Valued: {REVIEWED} of 12 matches")
    expect(drawn(page, "plan-costs").locator("figcaption")).to_contain_text("Own plans bring ")
    expect(card(page, "plan-costs").locator(".point, .scatterlayer path").first).to_be_attached()
    page.get_by_role("link", name="Next When the winner became favourite for good").click()
    expect(drawn(page, "decided-by-chances")).to_have_attribute("data-state", "drawn")


def asked(request: Request) -> str:
    """Return the name of the figure whose data a URL requests, if any."""
    body: dict[str, Any] = json.loads(request.post_data or "{}") if "_dash-update" in request.url else {}
    output = str(body.get("output"))
    return str(body["inputs"][0]["value"]["figure"]) if output.endswith(".answer") else ""


SHORT: Final[ViewportSize] = {"width": 1440, "height": 560}
"""Shows two figures of the overview."""
MOVING = """() => document.getAnimations().filter((each) => each instanceof CSSAnimation).map((each) => {
    const card = each.effect.target.closest("[data-figure]");
    return card ? card.dataset.figure : each.effect.target.outerHTML.slice(0, 80);
})"""


SEEN = """() => [...document.querySelectorAll(".figure-card")]
    .filter((card) => card.getBoundingClientRect().top < innerHeight).map((card) => card.dataset.figure)"""


def hold_figures(page: Page) -> tuple[list[Route], Callable[[int], None]]:
    """Hold requests for figures; return the list of them, and a function that waits for a given number."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if asked(route.request):
            held.append(route)
        else:
            route.continue_()

    def all_held(count: int) -> None:
        while len(held) < count:
            page.evaluate("0")  # lets Playwright process pending requests

    page.route("**/_dash-update-component*", hold)
    return held, all_held


@pytest.mark.slow("answers that are late")
def test_visible_figures_load_immediately_and_failures_are_shown(page: Page) -> None:
    held, all_held = hold_figures(page)
    page.clock.install()
    with page.expect_request(lambda request: asked(request) == "win-share"):
        page.goto("/analysis/compare?by=tournament")
    expect(page.locator(".figure-card[aria-busy]").nth(2)).to_be_attached()
    seen = page.evaluate(SEEN)
    all_held(len(seen))
    # figures below the window are not requested yet
    assert [asked(route.request) for route in held] == seen
    awaited = page.locator(".figure-card[aria-busy]").evaluate_all("cards => cards.map(card => card.dataset.figure)")
    moving = page.evaluate(MOVING)
    assert "win-share" in moving
    assert set(moving) <= set(awaited)
    assert len(awaited) < page.locator(".figure-card").count()
    held[0].continue_()
    expect(card(page, "apart")).to_have_attribute("data-state", "empty")
    page.clock.fast_forward(31_000)
    first = card(page, "win-share")
    expect(first).to_have_attribute("data-state", "failed")
    expect(first.locator("figcaption")).to_have_text("The server has not answered yet.")
    failed = page.locator('.figure-card[data-state="failed"]')
    given_up = failed.count()
    with page.expect_request(lambda request: asked(request) == "win-share"):
        first.get_by_role("button", name="Try again").click()
    while asked(held[-1].request) != "win-share":
        page.evaluate("0")
    assert failed.count() == given_up, "it waits for no other to be given up"
    held[-1].continue_()
    expect(first).to_have_attribute("data-state", "drawn")
    page.close()


@pytest.mark.slow("another page while figures are awaited")
def test_another_page_under_the_filter_does_not_wait_for_the_figures_of_the_one_that_was_left(page: Page) -> None:
    held, all_held = hold_figures(page)
    pages: list[Route] = []
    page.set_viewport_size(SHORT)
    page.goto("/analysis?player=trader")
    all_held(2)
    page.route("**/_dash-update-component*", lambda route: hold_page(route, pages))
    page.get_by_role("navigation", name="Analysis").get_by_role("link", name="Where?").click()
    while not pages:
        page.evaluate("0")
    for route in held:
        route.continue_()
    expect(card(page, "decisive-round")).to_have_attribute("data-state", "drawn")
    assert len(held) == 2, "nothing more is asked for a page that was left"
    pages[0].continue_()
    all_held(3)
    assert asked(held[2].request) == "map"
    held[2].continue_()
    expect(card(page, "map")).to_have_attribute("data-state", "drawn")
    expect(card(page, "map")).to_have_attribute("data-search", "?player=trader")


def hold_page(route: Route, held: list[Route]) -> None:
    """Hold back requests for a page."""
    if "_pages_content" in str(route.request.post_data):
        held.append(route)
    else:
        route.fallback()


@pytest.mark.slow("further figures")
def test_figures_follow_the_filter_also_to_another_question(visit: Visit) -> None:
    page = visit("/analysis?tournament=none")
    expect(page.get_by_text("No finished match fits these filters").first).to_be_visible()
    expect(card(page, "win-share")).to_be_hidden()
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.locator("#analysis-lead")).to_contain_text(": 24 finished matches")
    before = drawn(page, "win-share").locator("figcaption").inner_text()
    page.get_by_role("textbox", name="Table size").click()
    page.get_by_role("option", name="3 players").click()
    expect(page.locator("#analysis-lead")).to_contain_text(": 12 finished matches")
    expect(card(page, "win-share").locator("figcaption")).not_to_have_text(before)
    expect(page).to_have_url(re.compile(r"\?players=3$"))
    card(page, "win-share").get_by_label("Save Share of matches won").click()
    for format_, address in (("CSV", "/csv/win-share.csv?players=3"), ("JSON", "/api/figures/win-share?players=3")):
        link = card(page, "win-share").get_by_role("link", name=f"Share of matches won, as {format_} data")
        expect(link).to_have_attribute("href", address)
    page.get_by_role("link", name="How narrowly players were eliminated").click()
    expect(drawn(page, "eliminations").locator("figcaption")).to_contain_text("No player was eliminated")


def test_old_addresses_of_analysis_keep_their_filter_and_their_place(visit: Visit) -> None:
    page = visit("/traffic?player=trader#figure-villages")
    expect(page).to_have_url(re.compile(r"/analysis/where/villages\?player=trader$"))
    page.evaluate("history.pushState({}, '', '/outcomes?player=trader')")
    page.evaluate("window.dispatchEvent(new CustomEvent('_dashprivate_pushstate'))")
    expect(page).to_have_url(re.compile(r"/analysis\?player=trader$"))
    tabs = page.get_by_role("navigation", name="Analysis")
    expect(tabs.locator('[aria-current="page"]')).to_have_text("Overview")
    tabs.get_by_role("link", name="Where?").click()
    expect(page).to_have_url(re.compile(r"/analysis/where\?player=trader$"))
