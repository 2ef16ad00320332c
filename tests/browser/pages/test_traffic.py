"""The tab Where?: maps of one selection, of winners against losers, and of two selections; layers and tables."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.browser.conftest import Looks, wide

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]
BUSY = """() => {
    const later = window.setTimeout;
    window.setTimeout = (what, pause, ...rest) => later(what, pause || 2000, ...rest);
}"""
"""Delays the page's next steps by two seconds."""


def on_map(page: Page) -> Locator:
    found = page.locator(".figure-card[data-figure=map]")
    expect(found).to_have_attribute("data-state", "drawn")
    expect(found).not_to_have_attribute("aria-busy", "true")
    return found


@pytest.mark.every_look
def test_the_map_follows_its_filters_and_shows_differences_layers_and_figures(
    visit: Visit, axe: Axe, looks: Looks
) -> None:
    page = visit("/analysis/where?player=nobody")
    expect(page.get_by_text("No finished match fits these filters").last).to_be_visible()
    page.get_by_role("button", name="Clear", exact=True).first.click()
    check_map(page)
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    page.set_viewport_size({"width": 1440, "height": 900})
    check_it_stays_in_place(page)
    check_winners_against_losers(page)


def check_map(page: Page) -> None:
    found = on_map(page)
    expect(found.locator(".place circle")).to_have_count(20)
    expect(found.locator("figcaption")).to_contain_text("arrivals")
    expect(page.locator("#traffic-places td").first).to_be_visible()
    headings = page.locator("main :is(h1, h2, h3, h4)").filter(visible=True)
    levels = headings.evaluate_all("all => all.map(({ tagName }) => Number(tagName[1]))")
    assert levels[0] == 1
    assert max(after - before for before, after in pairwise(levels)) == 1


def check_it_stays_in_place(page: Page) -> None:
    """Other selections and layers do not move the map."""
    before = on_map(page).locator(".map svg").first.bounding_box()
    assert before
    for choice in ("Two selections", "Stupas", "Arrivals and journeys", "All"):
        page.get_by_text(choice, exact=True).first.click()
        expect(page.get_by_role("radio", name=choice, exact=True)).to_be_checked()
        assert on_map(page).locator(".map svg").first.bounding_box() == before, choice


def check_winners_against_losers(page: Page) -> None:
    """Differences have signs; another layer is chosen, and Back returns to the first."""
    found = on_map(page)
    page.get_by_text("Winners against losers").click()
    expect(page).to_have_url(re.compile(r"\?show=winners$"))
    expect(found.locator("figcaption")).to_contain_text(re.compile(r"winners \(24 seats\) minus losers \(60 seats\)"))
    expect(found.locator(".place .count").filter(has_text=re.compile("^[+−]"))).not_to_have_count(0)
    page.get_by_text("Delegations", exact=True).click()
    expect(page).to_have_url(re.compile(r"\?show=winners&layer=delegations$"))
    expect(found.locator(".region-number")).to_have_count(8)
    page.go_back()
    expect(found.locator(".region-number")).to_have_count(0)
    expect(page.locator("#traffic-places th").first).to_have_text("Village")


@pytest.mark.slow("filters and a second selection")
def test_the_map_follows_its_filters_and_those_of_a_second_selection(visit: Visit, axe: Axe) -> None:
    page = visit("/analysis/where")
    check_filters_and_picture(page)
    check_two_selections(page, axe)


def check_filters_and_picture(page: Page) -> None:
    """The map and its CSV follow the filters; the picture's file name includes them."""
    before = on_map(page).locator("figcaption").inner_text()
    player = page.get_by_role("textbox", name="Player").first
    expect(page.locator(".mantine-Input-input").filter(has=player)).not_to_have_css("outline-style", "solid")
    player.click()
    expect(page.locator(".mantine-Input-input").filter(has=player)).to_have_css("outline-style", "solid")
    page.get_by_role("option", name="random").first.click()
    expect(on_map(page).locator("figcaption")).not_to_have_text(before)
    page.get_by_role("button", name="More filters").first.click()
    page.get_by_role("slider", name="First round").first.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"/analysis/where\?player=random&from=1$"))
    csv = re.compile(r"player=random&from=1.*&what=arri")
    expect(page.locator("#traffic-places-csv")).to_have_attribute("href", csv)
    for ending, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as download:
            on_map(page).get_by_label("Save On the map").click()
            on_map(page).get_by_role("button", name=f"On the map, as {ending.upper()}").click()
        assert re.fullmatch(rf"himalaya-caravan-map-.*random-from-1.*\.{ending}", download.value.suggested_filename)
        assert Path(download.value.path()).read_bytes().startswith(start)


def check_two_selections(page: Page, axe: Axe) -> None:
    """The second selection has its own filters."""
    page.get_by_text("Two selections", exact=True).click()
    second = page.get_by_role("search", name="Filters of the second selection")
    expect(second).to_be_visible()
    second.get_by_role("textbox", name="Table size").click()
    page.get_by_role("option", name="3 players").last.click()
    expect(page).to_have_url(re.compile(r"b\.players=3"))
    expect(on_map(page).locator("figcaption")).to_contain_text("random, from 1 (12 seats) minus 3 players (36 seats)")
    assert axe(page, "[role=search][aria-label='Filters of the second selection']") == []


@pytest.mark.slow("an answer that comes late")
def test_an_answer_that_comes_as_back_is_pressed_does_not_undo_it(visit: Visit) -> None:
    page = visit("/analysis/where")
    held: list[Route] = []

    def sets_the_layer(request: Request) -> bool:
        said = request.post_data or ""
        return "traffic-layer.value" in said and "layer=delegations" in said

    def hold_what_sets_the_layer(route: Route) -> None:
        if sets_the_layer(route.request):
            held.append(route)
        else:
            route.continue_()

    page.route("**/_dash-update-component*", hold_what_sets_the_layer)
    with page.expect_request(sets_the_layer):
        page.get_by_text("Delegations", exact=True).click()
    expect(on_map(page).locator(".region-number")).to_have_count(8)
    page.evaluate(BUSY)
    page.go_back()
    with page.expect_response(held[0].request.url):
        held[0].continue_()
    expect(on_map(page).locator(".region-number")).to_have_count(0)
    expect(page).to_have_url(re.compile("/analysis/where$"))
    page.close()  # the page's clock was replaced, so the page can't be reused


@pytest.mark.slow("the figures next to the map")
def test_plotly_is_loaded_for_a_figure_next_to_the_map_and_not_for_the_map(visit: Visit) -> None:
    page = visit("/analysis/where?tournament=four")
    expect(page.locator(".figure-card .map svg").first).to_be_visible()
    assert page.evaluate("!window.Plotly")
    page.get_by_role("link", name="Next Arrivals in villages").click()
    found = page.locator('.figure-card[data-figure="villages"]')
    expect(found).to_have_attribute("data-state", "drawn")
    expect(found.locator(".main-svg").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/analysis/where/villages\?tournament=four$"))


@pytest.mark.slow("a figure out of sight")
def test_a_figure_out_of_sight_is_not_busy_for_ever_once_the_colours_change(visit: Visit) -> None:
    page = visit("/analysis/compare?by=tournament")
    expect(page.locator(".figure-card[data-figure=win-share]")).to_have_attribute("data-state", "drawn")
    card = page.locator(".figure-card").last
    asked = f'"figure":"{card.get_attribute("data-figure")}"'
    held: list[Route] = []

    def hold_the_figure(route: Route) -> None:
        if asked in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route("**/_dash-update-component*", hold_the_figure)
    card.scroll_into_view_if_needed()
    expect(card).to_have_attribute("aria-busy", "true")
    page.evaluate("scrollTo(0, 0)")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    expect(card).not_to_have_attribute("aria-busy", "true")
    page.unroute("**/_dash-update-component*")
    card.scroll_into_view_if_needed()
    expect(card).to_have_attribute("data-state", "drawn")
