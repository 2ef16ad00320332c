"""Two matches of the same luck beside each other: they go through the calendar together, and part somewhere."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

Visit = Callable[[str], Page]
Axe = Callable[[Page], list[str]]
POSITION = ("n", "o", "u", "d", "c", "h", "s", "p", "k", "w", "q")


def scene(page: Page, match: str) -> dict[str, Any]:
    base = re.sub(r"^(https?://[^/]+).*", r"\1", page.url)
    with urllib.request.urlopen(f"{base}/api/replay/{match}") as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def first_difference(one: dict[str, Any], other: dict[str, Any]) -> int:
    pairs = zip(one["frames"], other["frames"], strict=False)
    return next(at for at, (a, b) in enumerate(pairs) if any(a.get(key) != b.get(key) for key in POSITION))


def numbers(page: Page, half: int) -> list[str]:
    return page.locator(".board-half").nth(half).locator(".village-number").all_inner_texts()


def test_a_match_of_the_same_luck_is_chosen_and_parts_somewhere(visit: Visit, axe: Axe) -> None:
    page = visit("/replay?match=four.000000")
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("button", name="four.000001").click()
    captions = page.locator(".twin-caption")
    expect(captions).to_have_count(2)
    expect(captions.nth(1)).to_contain_text("four.000001")
    expect(page).to_have_url(re.compile("with=four.000001"))
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("button", name="Go to the first difference").click()
    parts = first_difference(scene(page, "four.000000"), scene(page, "four.000001"))
    expect(page.locator("#replay-scrubber")).to_have_value(str(parts))
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.go_back()
    expect(captions.nth(1)).to_be_hidden()


def test_both_boards_end_with_their_own_influence(visit: Visit) -> None:
    page = visit("/replay?match=four.000000&with=four.000002")
    page.keyboard.press("End")
    for half, match in enumerate(("four.000000", "four.000002")):
        figures = ["–".join(map(str, row)) for row in scene(page, match)["frames"][-1]["f"]]
        expect(page.locator(".twin-caption").nth(half).locator(".figures")).to_have_text(figures)
    assert numbers(page, 0) == numbers(page, 1)


def test_a_match_that_is_not_there_is_named(visit: Visit, refusals: list[str]) -> None:
    refusals.append("status of 404")
    page = visit("/replay?match=four.000000&with=nobody")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("status").filter(has_text="There is no match nobody")).to_be_visible()


def test_matches_of_other_luck_are_not_offered(visit: Visit) -> None:
    page = visit("/replay?match=four.000000")
    page.get_by_role("button", name="Compare").click()
    offered = page.locator("#replay-compare-menu .menu-row b")
    expect(offered).to_have_count(3)
    assert sorted(offered.all_inner_texts()) == ["four.000001", "four.000002", "four.000003"]
