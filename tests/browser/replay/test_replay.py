"""The replay page: every way to move through a match, and the page at its end."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Looks, wide

Visit = Callable[[str], Page]
MATCH = "four.000001"
SCRUBBER = "#replay-scrubber"


def opened(visit: Visit, query: str = "") -> Page:
    page = visit(f"/replay?match={MATCH}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def at(page: Page) -> int:
    return int(page.locator(SCRUBBER).input_value())


def last(page: Page) -> int:
    return int(page.locator(SCRUBBER).get_attribute("max") or 0)


def asked(page: Page, path: str) -> bytes:
    with urllib.request.urlopen(re.sub(r"^(https?://[^/]+).*", r"\1", page.url) + path) as answer:
        return answer.read()


def log_of(page: Page) -> list[dict[str, Any]]:
    return [json.loads(line) for line in asked(page, f"/api/matches/{MATCH}").splitlines()]


def test_keys_clicks_and_letters_move_through_a_match_without_chances(page: Page, player: Visit):
    nothing = {"not_valued": "not checked", "model": None, "chances": []}
    page.route("**/chances", lambda route: route.fulfill(json=nothing))
    lists: dict[str, list[Any]] = {name: [] for name in ("moments", "changes", "split", "judgements")}
    page.route("**/review**", lambda route: route.fulfill(json={**nothing, **lists, "story": None}))
    opened(player)
    expect(page.locator(".chances-note")).to_contain_text("not checked")
    check_no_new_elements(page)
    page.keyboard.press("Home")
    check_keys(page)
    check_key_events(page)


def check_keys(page: Page) -> None:
    rounds = [line["round"] for line in log_of(page)]
    places = {"event 1": 1, "round 1": rounds.index(1), "the end": len(rounds) - 1, "the start": 0}
    for keys, lands in (
        (["ArrowRight", "ArrowRight", "ArrowLeft"], "event 1"),
        (["Home"], "the start"),
        (["Shift+ArrowRight"], "round 1"),
        (["Shift+ArrowRight", "Shift+ArrowLeft"], "round 1"),
        (["End"], "the end"),
    ):
        for key in keys:
            page.keyboard.press(key)
        assert at(page) == places[lands], keys


def check_key_events(page: Page) -> None:
    """N and P jump between key events if there are no win probabilities; letter shortcuts can be turned off."""
    page.keyboard.press("Home")
    page.keyboard.press("n")
    first = at(page)
    expect(page.locator(".caption")).to_contain_text("delivers")
    page.keyboard.press("n")
    second = at(page)
    assert second > first
    page.keyboard.press("p")
    assert at(page) == first
    page.keyboard.press("?")
    page.get_by_label("Letters, Space and ? work as shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("n")
    assert at(page) == first
    page.keyboard.press("ArrowRight")
    assert at(page) == first + 1


@pytest.mark.slow("another way to read a match")
def test_play_runs_as_fast_as_before_and_the_address_follows(player: Visit):
    check_playing(opened(player, "&ply=9999"))
    page = opened(player, "&ply=30")
    expect(page.locator("#replay-speed")).to_have_value("16")
    check_address(page)


def back(page: Page, ply: str) -> None:
    """Navigate back to a ply as Dash would; Dash is not started on this page."""
    page.evaluate(
        """address => {
            history.replaceState(null, "", address);
            document.getElementById("replay").dispatchEvent(new Event("back", { cancelable: true }));
        }""",
        f"?match={MATCH}&ply={ply}",
    )


def check_playing(page: Page) -> None:
    """Playback stops at the right places, and keeps its speed."""
    assert at(page) == last(page)
    last_ply = log_of(page)[-1]["ply"]
    expect(page.get_by_role("alert")).to_have_text(f"There is no ply 9999: ply {last_ply}, the last one, is shown.")
    page.locator("#replay-speed").select_option("16")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_function(f"() => document.querySelector('{SCRUBBER}').value > 5")
    assert at(page) < last(page)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def check_address(page: Page) -> None:
    """The address follows the playhead, can name an event of a ply, and reports unknown events."""
    plies = [line["ply"] for line in log_of(page)]
    assert at(page) == len(plies) - 1 - plies[::-1].index(30), "a ply alone means the position after it"
    ply = next(ply for ply in plies if plies.count(ply) > 3)
    back(page, f"{ply}.2")
    assert at(page) == plies.index(ply) + 1
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(rf"&ply={ply}\.3$"))
    for name, frame, words in (
        ("abc", 0, "“abc” is not the number of a ply, so the start of the match is shown."),
        (f"{ply}.99", len(plies) - 1 - plies[::-1].index(ply), f"Ply {ply} has no event 99: its last one is shown."),
    ):
        back(page, name)
        expect(page.get_by_role("alert")).to_have_text(words)
        assert at(page) == frame
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("alert")).to_have_count(0)


def check_no_new_elements(page: Page) -> None:
    """A click on the list goes there; no elements are created after the first drawing."""
    count = "document.querySelectorAll('#replay *').length"
    before = page.evaluate(count)
    row = page.get_by_role("listbox", name="Events").get_by_role("option").nth(2)
    words = row.locator(".event-text").inner_text()
    row.click()
    expect(page.locator(".caption")).to_have_text(words)
    expect(page.locator(".event-now .event-text")).to_have_text(words)
    for frame in (400, 17, 230, last(page)):
        page.locator(SCRUBBER).fill(str(frame))
    page.locator(".event-list").evaluate("list => list.scrollTo(0, 900)")
    assert page.evaluate(count) == before


@pytest.mark.slow("another page between two matches")
def test_leaving_and_coming_back_starts_at_the_beginning(visit: Visit) -> None:
    page = opened(visit, "&ply=50")
    page.get_by_role("link", name="Imports").click()
    expect(page.locator("#replay")).to_have_count(0)
    page.get_by_role("link", name="Matches").click()
    page.get_by_role("link", name=re.compile(r"^(four|three)\.\d+")).first.click()
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    assert at(page) == 0


@pytest.mark.slow("a page without a player")
def test_an_unknown_match_is_named_and_has_no_player(visit: Visit):
    page = visit("/replay?match=nobody")
    expect(page.get_by_text("There is no match nobody in this database.")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("All 24 matches"))).to_be_visible()
    expect(page.locator(".replay-early, #replay")).to_have_count(0)


@pytest.mark.every_look
def test_a_replay_is_accessible_in_the_app_as_a_board_and_as_text(
    visit: Visit, axe: Callable[..., list[str]], looks: Looks
):
    page = opened(visit, "&ply=60")
    page.get_by_role("button", name="As text").click()
    text = page.get_by_role("region", name="Position as text")
    scene = json.loads(asked(page, f"/api/replay/{MATCH}"))
    for caption, rows in (("Players", scene["seats"]), ("Villages", scene["board"]["nodes"])):
        expect(text.get_by_role("table", name=caption).get_by_role("row")).to_have_count(len(rows) + 1)
    expect(text.get_by_role("row", name=scene["seats"][0]["name"]).first).to_be_visible()
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
    page.set_viewport_size({"width": 1440, "height": 900})
    check_layout(page)


def check_layout(page: Page) -> None:
    """Actions for a match are next to its whole name and the page links, or above the board on a narrow page."""

    def edges(place: str) -> dict[str, float]:
        box = page.locator(place).last.bounding_box()
        assert box is not None
        return {"left": box["x"], "right": box["x"] + box["width"], "top": box["y"], "bottom": box["y"] + box["height"]}

    expect(page.locator(".replay-title > .meta")).to_have_text(
        re.compile(r"^Himalaya \(Tilsit 2004\) · 4 players, \d+ rounds$")
    )
    heading = page.get_by_role("heading", level=1)
    heading.evaluate("heading => { heading.textContent = 'tournament-of-a-name-of-40-letters.000001'; }")
    for width in (1920, 1440, 1280, 920, 640, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert heading.evaluate("it => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight"), width
        assert edges(".replay-title")["right"] < edges(".replay-bar > .actions")["left"], width
    for width in (1920, 1440, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        title, actions, pages = edges(".replay-title"), edges(".replay-bar > .actions"), edges("#navigation a")
        assert pages["right"] < title["left"] < title["right"] < actions["left"], width
        assert title["right"] - title["left"] > 90, width
        assert actions["right"] < edges("#scheme")["left"], width
    for width in (1200, 1100, 920):
        page.set_viewport_size({"width": width, "height": 900})
        assert edges("header.header")["bottom"] <= edges(".replay-bar")["top"] < edges(".replay-board")["top"], width
