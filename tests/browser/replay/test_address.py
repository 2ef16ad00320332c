"""Links to a replay: each choice is a step in the browser history, and the address alone restores everything."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

Visit = Callable[[str], Page]
MATCH = "four.000001"


def opened(visit: Visit, query: str = "") -> Page:
    page = visit(f"/replay?match={MATCH}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


@pytest.mark.slow("every choice of the address")
def test_each_choice_is_a_step_back_in_the_browser_history(visit: Visit, requested: list[str]) -> None:
    page = opened(visit, "&ply=40&theme=dark")
    check_steps(page, requested)
    check_theme(page)
    check_view(page)
    check_copy(page)
    check_moving(page)


def check_steps(page: Page, requested: list[str]) -> None:
    """Each choice adds a step to the history, and no request is repeated."""
    page.get_by_role("button", name="View").click()
    page.get_by_label("Hide what is yet to come").check()
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Here").click()
    expect(page).to_have_url(re.compile(r"ply=40&.*spoilers=off&panel=here$"))
    asked = len(requested)
    page.go_back()
    expect(page.get_by_role("tab", name="Events")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".transport .count")).not_to_contain_text("/")
    page.go_back()
    expect(page.locator(".transport .count")).to_contain_text("/")
    page.go_forward()
    expect(page.locator(".transport .count")).not_to_contain_text("/")
    assert not [address for address in requested[asked:] if "/api/" in address or "_dash" in address]


def check_moving(page: Page) -> None:
    """Moving through the match adds no step to the history."""
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("ply=4[1-9]"))
    page.go_back()
    expect(page).not_to_have_url(re.compile("view=2"))


def check_view(page: Page) -> None:
    """Choose a seat's view; the address includes it."""
    page.locator("#replay-view").click()
    page.get_by_role("radio", name="knew").nth(1).click()
    expect(page).to_have_url(re.compile("view=2"))
    expect(page.locator("#replay-view")).to_have_text(re.compile("^As "))
    expect(page.locator("#replay-view")).to_be_focused()
    page.locator("#replay-view").click()
    expect(page.get_by_role("radio", name="knew").nth(1)).to_be_checked()
    page.keyboard.press("Escape")
    expect(page.locator("#replay-scrubber")).to_have_attribute("aria-valuetext", re.compile("ply 40"))


def test_a_view_that_cannot_be_loaded_leaves_the_page_as_it_is(player: Visit, refusals: list[str]) -> None:
    refusals.append("net::ERR_FAILED")
    page = opened(player, "&ply=40")
    page.route("**/api/replay/*?view=2", lambda route: route.abort())
    page.locator("#replay-view").click()
    page.get_by_role("radio", name="knew").nth(1).check()
    expect(page.get_by_role("alert").filter(has_text="fetch")).to_be_visible()
    expect(page).not_to_have_url(re.compile("view="))
    expect(page.locator("#replay-view")).to_have_text("View")


@pytest.mark.slow("an answer that comes late")
def test_only_the_requested_view_is_shown(visit: Visit) -> None:
    page = opened(visit, "&ply=40&view=2")
    held: list[Route] = []
    page.route(re.compile(rf"/api/replay/{MATCH}$"), lambda route: held.append(route))  # noqa: PLW0108 - no built-in
    page.locator("#replay-view").click()
    with page.expect_request(re.compile(rf"/api/replay/{MATCH}$")):
        page.get_by_role("radio", name="Everything").check()
    page.go_back()
    expect(page).to_have_url(re.compile("view=2"))
    with page.expect_response(re.compile(rf"/api/replay/{MATCH}$")):
        held[0].continue_()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("ply=4[0-9]"))
    expect(page.locator("#replay-view")).to_have_text(re.compile("^As "))


def check_theme(page: Page) -> None:
    """Choose a theme without reloading; the address includes it."""
    scheme = page.locator("html")
    expect(scheme).to_have_attribute("data-mantine-color-scheme", "dark")
    board = page.locator(".replay-board")
    dark = board.evaluate("board => { window.sameDocument = true; return getComputedStyle(board).backgroundColor; }")
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(scheme).to_have_attribute("data-mantine-color-scheme", "light")
    expect(page).to_have_url(re.compile("theme=light"))
    expect(board).not_to_have_css("background-color", dark)
    assert page.evaluate("window.sameDocument")


def check_copy(page: Page) -> None:
    """One click copies the link."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
