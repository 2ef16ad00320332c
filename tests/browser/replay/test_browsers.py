"""The replay in other browsers and settings: translated pages, keyboards without Latin letters."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

Visit = Callable[[str], Page]
MATCH = "four.000001"
TRANSLATED = """() => {
    const walk = document.createTreeWalker(document.querySelector("#replay"), NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    for (const text of texts.filter((each) => each.data.trim())) {
        const [outside, inside] = [document.createElement("font"), document.createElement("font")];
        inside.textContent = text.data;
        outside.append(inside);
        text.replaceWith(outside);
    }
}"""
"""Replaces each text as the translation of Chrome does."""
TEXTS = """() => [...document.querySelectorAll("#replay *:not(font, [role=listbox] *)")]
    .filter((each) => each.textContent && ![...each.children].some((child) => child.tagName !== "FONT"))
    .map((each) => each.textContent)"""
PRESS = """([key, code, shift]) => document.dispatchEvent(
    new KeyboardEvent("keydown", { key, code, shiftKey: shift, bubbles: true, cancelable: true }))"""


def opened(visit: Visit, query: str = "") -> Page:
    return visit(f"/replay?match={MATCH}{query}")


def stepped(page: Page) -> list[str]:
    """Return all texts of the page after twenty steps."""
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".transport .count b")).to_have_text("20")
    expect(page.locator(".replay-time input[type=range]")).to_have_attribute("aria-valuetext", re.compile("^Event 20 "))
    expect(page).to_have_url(re.compile("ply=18"))
    texts: list[str] = page.evaluate(TEXTS)
    return texts


@pytest.mark.parametrize("panel", ["events", "rounds"])
def test_a_translated_page_follows_the_match(player: Visit, panel: str) -> None:
    page = opened(player, f"&ply=0&panel={panel}")
    expected = stepped(page)
    page.keyboard.press("Home")
    page.evaluate(TRANSLATED)
    assert stepped(page) == expected


NEW_TEXTS = """() => {
    window.newTexts = 0;
    const count = (records) => { for (const { addedNodes } of records) window.newTexts += addedNodes.length; };
    for (const part of document.querySelectorAll(".replay-time, .replay-standings"))
        new MutationObserver(count).observe(part, { childList: true, subtree: true });
}"""


def test_texts_change_in_place_because_new_nodes_cost_frames(player: Visit) -> None:
    page = opened(player, "&ply=0")
    stepped(page)  # fills what was empty
    page.keyboard.press("Home")
    page.evaluate(NEW_TEXTS)
    stepped(page)
    assert page.evaluate("window.newTexts") == 0


E = "\N{CYRILLIC SMALL LETTER IE}"
TRAFFIC = (f"{E} KeyT", "τ KeyT", "ف KeyT", "א KeyT", "T KeyK", "T KeyT")  # the last but one on Dvorak
NOT_TRAFFIC = ("y KeyT", "ť KeyT", "ß Minus", "5 Digit5")


def test_letters_work_on_keyboards_without_latin_letters(player: Visit) -> None:
    page = opened(player, "&ply=20")
    traffic = page.get_by_role("button", name="Traffic")
    for nth, pressed in enumerate(TRAFFIC):
        page.evaluate(PRESS, [*pressed.split(), False])
        expect(traffic).to_have_attribute("aria-pressed", "false" if nth % 2 else "true")
    for pressed in NOT_TRAFFIC:
        page.evaluate(PRESS, [*pressed.split(), False])
    expect(traffic).to_have_attribute("aria-pressed", "false")
    page.evaluate(PRESS, ["؟", "Slash", True])
    expect(page.get_by_role("dialog", name="Shortcuts")).to_be_visible()


def test_w_works_on_a_hebrew_keyboard(player: Visit) -> None:
    page = opened(player, "&ply=20")
    page.evaluate(PRESS, [",", "KeyW", False])  # Dvorak
    expect(page.locator(".replay-entry")).to_be_hidden()
    page.evaluate(PRESS, ["'", "KeyW", False])
    expect(page.locator(".replay-entry")).to_be_visible()
