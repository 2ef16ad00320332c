"""Bookmarks in the browser: set at the playhead, jump, change, remove, restore and search."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Looks, Served

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]
MATCH = "four.000001"
API = "/api/bookmarks"
SCRUBBER = "#replay-scrubber"


@pytest.fixture
def ask(served: Served) -> Iterator[Callable[..., Any]]:
    """Yield a function that calls the API; remove all bookmarks after the test."""

    def send(method: str, path: str = API, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        request = urllib.request.Request(served.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    yield send
    for bookmark in send("GET")["bookmarks"]:
        send("DELETE", f"{API}/{bookmark['id']}")


@pytest.fixture
def marked(ask: Callable[..., Any]) -> list[Any]:
    """Create three bookmarks: one for a match and two for its plies."""
    said: list[dict[str, Any]] = [
        {"match": MATCH, "ply": "60", "label": "A late turn", "tags": ["turning point", "storm"]},
        {"match": MATCH, "ply": "12", "label": "An early lead", "tags": ["lead"]},
        {"match": MATCH, "label": "Close to the end", "tags": ["storm"]},
    ]
    return [ask("POST", API, each) for each in said]


def opened(visit: Visit, query: str = "&panel=bookmarks") -> Page:
    page = visit(f"/replay?match={MATCH}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def panel(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Bookmarks")


def labels(page: Page) -> Locator:
    return panel(page).locator(".bookmark:not([hidden]) .bookmark-label")


@pytest.mark.slow("another way to a bookmark")
def test_key_b_bookmarks_the_event_at_the_playhead_or_the_whole_match(player: Visit, ask: Callable[..., Any]) -> None:
    page = opened(player, "&ply=60&panel=bookmarks")
    expect(panel(page)).to_contain_text("press B")
    page.get_by_role("tab", name="Events").click()
    words = page.locator(".caption").inner_text()
    page.keyboard.press("b")
    label = panel(page).get_by_label("Label")
    expect(label).to_be_focused()
    assert words in label.input_value()
    page.keyboard.press("Tab")
    page.keyboard.type("storm, turning point")
    page.keyboard.press("Enter")
    expect(panel(page).get_by_role("status")).to_contain_text("Bookmarked")
    expect(panel(page).get_by_role("button", name="Bookmark this moment")).to_be_focused()
    (kept,) = ask("GET")["bookmarks"]
    assert (kept["match"], kept["ply"], kept["tags"]) == (MATCH, "60", ["storm", "turning point"])
    assert words in kept["label"]
    assert "panel=bookmarks" in page.url
    panel(page).get_by_role("button", name="Bookmark this moment").click()
    panel(page).get_by_label("Label").fill("Worth a look")
    panel(page).get_by_label("The whole match").check()
    panel(page).get_by_role("button", name="Save").click()
    expect(labels(page).filter(has_text="Worth a look")).to_be_visible()
    (whole,) = [each for each in ask("GET")["bookmarks"] if each["label"] == "Worth a look"]
    assert whole["ply"] is None


@pytest.mark.slow("every part of the panel")
def test_bookmarks_are_listed_linked_and_changed_accessibly(
    player: Visit, marked: list[Any], ask: Callable[..., Any], axe: Axe, looks: Looks
) -> None:
    page = opened(player)
    check_jumps(page, ask)
    check_changes(page, marked, ask)
    for look in looks(page):
        assert axe(page, ".replay-panels") == [], look


def check_jumps(page: Page, ask: Callable[..., Any]) -> None:
    """Bookmarks are listed in the order of the match, and jump there."""
    expect(labels(page)).to_have_text(["Close to the end", "An early lead", "A late turn"])
    panel(page).get_by_role("button", name="A late turn").first.click()
    expect(page.locator(".where")).to_contain_text("ply 60")
    expect(panel(page).locator("[aria-current=true] .bookmark-label")).to_have_text("A late turn")
    page.wait_for_url("**ply=60*")
    before = ask("GET")
    panel(page).get_by_role("button", name="Edit the bookmark A late turn").click()
    panel(page).get_by_label("Label").fill("No")
    page.keyboard.press("Escape")  # Escape leaves the bookmark unchanged
    expect(panel(page).get_by_label("Label")).to_be_hidden()
    expect(panel(page).get_by_role("button", name="Edit the bookmark A late turn")).to_be_focused()
    assert ask("GET") == before


def check_changes(page: Page, marked: list[Any], ask: Callable[..., Any]) -> None:
    """Change a bookmark, remove it, and restore it with Undo."""
    panel(page).get_by_role("button", name="Edit the bookmark An early lead").click()
    expect(panel(page).get_by_label("Tags", exact=True)).to_have_value("lead, ")
    panel(page).get_by_label("Label").fill("A lead that lasts")
    panel(page).get_by_role("button", name="Add the tag storm").click()
    panel(page).get_by_role("button", name="Save").click()
    expect(labels(page)).to_have_text(["Close to the end", "A lead that lasts", "A late turn"])
    expect(panel(page).get_by_role("button", name="Edit the bookmark A lead that lasts")).to_be_focused()
    (kept,) = [each for each in ask("GET")["bookmarks"] if each["id"] == marked[1]["id"]]
    assert (kept["label"], kept["ply"], kept["tags"]) == ("A lead that lasts", "12", ["lead", "storm"])

    panel(page).get_by_role("button", name="Remove the bookmark A lead that lasts").click()
    expect(labels(page)).to_have_text(["Close to the end", "A late turn"])
    undo = panel(page).get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    assert {each["label"] for each in ask("GET")["bookmarks"]} == {"Close to the end", "A late turn"}
    page.keyboard.press("Enter")
    expect(labels(page)).to_have_text(["Close to the end", "A lead that lasts", "A late turn"])
    (back,) = [each for each in ask("GET")["bookmarks"] if each["label"] == "A lead that lasts"]
    assert (back["ply"], back["tags"]) == ("12", ["lead", "storm"])


@pytest.mark.slow("bookmarks that are yet to come")
@pytest.mark.usefixtures("marked")
def test_without_spoilers_later_bookmarks_are_hidden(player: Visit) -> None:
    page = opened(player, "&panel=bookmarks&spoilers=off&ply=30")
    expect(labels(page)).to_have_text(["An early lead"])
    page.keyboard.press("End")
    expect(labels(page)).to_have_text(["Close to the end", "An early lead", "A late turn"])


@pytest.fixture
def refused(player: Visit, page: Page, refusals: list[str]) -> Callable[[int, str], Page]:
    """Open the match with all writes refused; the browser logs these refusals as errors."""

    def refuse(status: int, says: str) -> Page:
        refusals.append(f"status of {status}")

        def answer(route: Route) -> None:
            is_known = route.request.headers.get("authorization") == "Bearer himalaya_yes"
            if route.request.method == "GET" or is_known:
                route.continue_(headers={**route.request.headers, "authorization": ""})
            else:
                route.fulfill(status=status, json={"message": says})

        page.route(f"**{API}*", answer)
        return opened(player)

    return refuse


@pytest.mark.slow("every part of the panel")
@pytest.mark.parametrize(
    ("status", "says"),
    [
        (503, "w.duckdb: cannot be written to"),
        (422, "label: expected no control characters"),
    ],
)
def test_a_refusal_is_shown_and_input_is_kept(refused: Callable[[int, str], Page], status: int, says: str) -> None:
    page = refused(status, says)
    page.keyboard.press("b")
    panel(page).get_by_label("Label").fill("Mine")
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).get_by_role("status")).to_contain_text(says)
    expect(panel(page).get_by_label("Label")).to_be_visible()
    expect(panel(page).get_by_label("Label")).to_have_value("Mine")
    expect(panel(page).get_by_label("Token")).to_be_hidden()


@pytest.mark.slow("a server with tokens")
def test_a_needed_token_is_requested_once(refused: Callable[[int, str], Page], ask: Callable[..., Any]) -> None:
    page = refused(401, "expected a token")
    for label in ("First", "Second"):
        page.locator(".caption").click()
        page.keyboard.press("b")
        panel(page).get_by_label("Label").fill(label)
        panel(page).get_by_role("button", name="Save").click()
        if label == "First":
            expect(panel(page).get_by_role("status")).to_contain_text("expected a token")
            panel(page).get_by_label("Token").fill("himalaya_yes")
            panel(page).get_by_role("button", name="Go on").click()
        expect(labels(page).filter(has_text=label)).to_be_visible()
    assert len(ask("GET")["bookmarks"]) == 2
    assert page.evaluate("sessionStorage.getItem('himalaya.token')") == "himalaya_yes"


@pytest.mark.slow("an answer that comes late")
def test_a_list_from_before_a_bookmark_was_set_does_not_take_it_away(page: Page, ask: Callable[..., Any]) -> None:
    assert ask("GET")["total"] == 0
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held or route.request.method != "GET":
            route.continue_()
        else:
            held.append(route)

    page.route(f"**{API}*", hold_the_first)
    page.goto(f"/replay?match={MATCH}&panel=bookmarks")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    page.keyboard.press("b")
    panel(page).get_by_label("Label").fill("Soon")
    panel(page).get_by_role("button", name="Save").click()
    expect(labels(page)).to_have_text(["Soon"])
    with page.expect_request(f"**{API}*"):  # the list is requested again
        held[0].fulfill(json={"bookmarks": [], "tags": [], "total": 0})
    expect(panel(page).get_by_role("status")).to_contain_text("Bookmarked")
    expect(labels(page)).to_have_text(["Soon"])


# --- The list of all bookmarks, and the list of matches


@pytest.mark.slow("a list without bookmarks")
def test_an_empty_list_says_how_to_fill_it(visit: Visit, ask: Callable[..., Any]) -> None:
    assert ask("GET")["total"] == 0
    expect(visit("/replay").locator(".bookmarks-card")).to_contain_text("No bookmarks yet. Open a match")


@pytest.mark.slow("the list of all bookmarks")
@pytest.mark.usefixtures("marked")
def test_bookmarks_are_searched_by_words_and_tags_in_the_address(visit: Visit) -> None:
    page = visit("/replay?q=yak")
    expect(page.locator(".bookmarks-card")).to_contain_text("No bookmark fits.")
    page.get_by_role("link", name="Show all").click()
    expect(page.locator(".bookmarks-label")).to_have_text(["Close to the end", "An early lead", "A late turn"])
    page.get_by_label("Find bookmarks").fill("late storm")
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay?q=late+storm")
    expect(page.locator(".bookmarks-label")).to_have_text(["A late turn"])
    page.go_back()
    expect(page.locator(".bookmarks-label")).to_have_count(3)
    page.get_by_role("group", name="Tags in use").get_by_role("link", name="storm").click()
    page.wait_for_url("**/replay?tag=storm")
    expect(page.locator(".bookmarks-label")).to_have_text(["Close to the end", "A late turn"])
    page.get_by_role("link", name="A late turn").click()
    page.wait_for_url(f"**/replay?match={MATCH}&ply=60")
    expect(page.locator(".where")).to_contain_text("ply 60")


@pytest.mark.slow("the list of matches under a tag")
@pytest.mark.usefixtures("marked")
def test_the_list_of_matches_can_be_filtered_by_tag(visit: Visit) -> None:
    page = visit("/?tag=storm")
    expect(page.locator("#matches-count")).to_have_text("1 match")
    expect(page.get_by_role("link", name=MATCH)).to_be_visible()


@pytest.mark.slow("the list of bookmarks in every look")
@pytest.mark.every_look
@pytest.mark.usefixtures("marked")
def test_bookmarks_are_accessible(visit: Visit, axe: Callable[..., list[str]], looks: Looks) -> None:
    page = opened(visit)
    expect(labels(page)).to_have_count(3)
    for look in looks(page):
        assert axe(page, ".replay-panels") == [], look
    page.keyboard.press("b")
    expect(panel(page).get_by_label("Label")).to_be_focused()
    for look in looks(page):
        assert axe(page, ".replay-panels") == [], look
    visit("/replay?tag=storm")
    for look in looks(page):
        assert axe(page) == [], look
