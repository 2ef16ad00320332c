"""Two matches of the same seed next to each other: they move through the calendar together, and diverge."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Served

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]
POSITION = ("n", "o", "u", "d", "c", "h", "s", "p", "k", "w", "q")


def scene(base: str, match: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{base}/api/replay/{match}") as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def first_difference(one: dict[str, Any], other: dict[str, Any]) -> int:
    pairs = zip(one["frames"], other["frames"], strict=False)
    return next(at for at, (a, b) in enumerate(pairs) if any(a.get(key) != b.get(key) for key in POSITION))


def numbers(page: Page, half: int) -> list[str]:
    return page.locator(".board-half").nth(half).locator(".village-number").all_inner_texts()


@pytest.mark.slow("two matches side by side")
def test_a_match_on_the_same_seed_is_chosen_and_diverges_somewhere(visit: Visit, axe: Axe, served: Served) -> None:
    page = visit("/replay?match=four.000000")
    page.get_by_role("button", name="Side by side").click()
    offered = page.locator("#replay-compare-menu .menu-row b")  # matches of other seeds are not offered
    expect(offered).to_have_count(3)
    assert sorted(offered.all_inner_texts()) == ["four.000001", "four.000002", "four.000003"]
    page.get_by_role("button", name="four.000001").click()
    captions = page.locator(".twin-caption")
    expect(captions).to_have_count(2)
    expect(captions.nth(1)).to_contain_text("four.000001")
    expect(page).to_have_url(re.compile("with=four.000001"))
    page.get_by_role("button", name="Side by side").click()
    page.get_by_role("button", name="Go to the first difference").click()
    parts = first_difference(scene(served.url, "four.000000"), scene(served.url, "four.000001"))
    expect(page.locator("#replay-scrubber")).to_have_value(str(parts))
    assert axe(page, "#replay") == []
    page.get_by_role("button", name="Close the comparison").click()
    expect(captions.nth(1)).to_be_hidden()
    page.get_by_role("button", name="Side by side").click()
    expect(page.locator("#replay-compare-menu")).not_to_contain_text("Compared with")
    page.keyboard.press("Escape")
    page.go_back()
    expect(captions.nth(1)).to_be_visible()


def cut(scene: dict[str, Any], frames: int) -> dict[str, Any]:
    """Return the scene of a match cut off at that point."""
    per_frame = {key: scene[key][:frames] for key in ("frames", "rounds", "plies", "when")}
    moments = [moment for moment in scene["moments"] if moment["at"] < frames]
    visits = [visit for visit in scene["visits"] if visit[0] < frames]
    rounds = [each for each in scene["summaries"] if each["end"] < frames]
    return {**scene, **per_frame, "moments": moments, "visits": visits, "summaries": rounds, "lanes": []}


@pytest.mark.slow("matches of other lengths")
def test_a_match_that_stops_earlier_is_no_difference(player: Visit, page: Page, served: Served) -> None:
    whole = scene(served.url, "four.000000")
    lengths = {"four.000000": 100, "four.000001": len(whole["frames"]), "four.000002": 60, "four.000003": 100}
    answers = {match: {**cut(whole, frames), "match": match} for match, frames in lengths.items()}
    page.route("**/api/replay/four.*", lambda route: route.fulfill(json=answers[route.request.url.split("/")[-1]]))
    player("/replay?match=four.000000")
    says = {
        "four.000001": r"No difference up to the end of this match, .* ply .*; the other continues\.",
        "four.000002": r"No difference up to the end of the other, .* ply .*; this match continues\.",
        "four.000003": r"Both matches are identical to the end\.",
    }
    for match, words in says.items():
        page.get_by_role("button", name="Side by side").click()
        page.get_by_role("button", name=match).click()
        page.get_by_role("button", name="Side by side").click()
        expect(page.get_by_role("status").filter(has_text=f"Compared with {match}")).to_have_text(
            re.compile(rf"^Compared with {match}\. {words}$")
        )
        page.keyboard.press("Escape")


@pytest.mark.slow("without spoilers, panel by panel")
def test_later_events_are_not_revealed(player: Visit, served: Served) -> None:
    parts = first_difference(scene(served.url, "four.000000"), scene(served.url, "four.000001"))
    page = player("/replay?match=four.000000&with=four.000001&spoilers=off")
    flags = page.locator(".bookmark-flags")
    menu = page.locator("#replay-compare-menu")
    page.get_by_role("button", name="Side by side").click()
    expect(menu).to_contain_text("Compared with four.000001. Identical up to here.")
    expect(menu.locator(".menu-row")).to_have_count(3)
    expect(menu).not_to_contain_text("won")
    expect(menu.get_by_role("button", name="Go to the first difference")).to_be_hidden()
    assert not flags.get_attribute("d")
    page.locator("#replay-scrubber").fill(str(parts))
    expect(menu).to_contain_text("First difference: ")
    expect(menu.get_by_role("button", name="Go to the first difference")).to_be_visible()
    assert flags.get_attribute("d")


def test_both_boards_end_with_their_own_influence(player: Visit, served: Served) -> None:
    page = player("/replay?match=four.000000&with=four.000002")
    page.keyboard.press("End")
    for half, match in enumerate(("four.000000", "four.000002")):
        figures = ["–".join(map(str, row)) for row in scene(served.url, match)["frames"][-1]["f"]]
        expect(page.locator(".twin-caption").nth(half).locator(".figures")).to_have_text(figures)
    assert numbers(page, 0) == numbers(page, 1)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".twin-caption").nth(1).scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator(".transport .caption")).to_be_in_viewport(ratio=1)
    expect(page.locator("#replay-scrubber")).not_to_be_in_viewport(ratio=0.5)


@pytest.mark.slow("a match that is not there")
def test_a_match_that_is_not_there_is_named(player: Visit, refusals: list[str]) -> None:
    refusals.append("status of 404")
    page = player("/replay?match=four.000000&with=nobody")
    page.get_by_role("button", name="Side by side").click()
    expect(page.get_by_role("status").filter(has_text="There is no match nobody")).to_be_visible()
