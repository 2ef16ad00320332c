"""Two drawings of a board held against each other: what in them can be seen, how it looks and where it is."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

__all__ = ["HIDE", "Fact", "differences", "overlaid", "read"]

Fact = dict[str, Any]
READER = (Path(__file__).parent / "facts.js").read_text("utf-8")
NUMBER = re.compile(r"-?\d*\.?\d+")
EXACT = ("thing", "seat", "marker", "at", "said", "tag", "text", "fill", "stroke", "cap", "over", "opacity", "weight")
HIDE = """([drawing, part, visibility]) => {
    const all = [...document.querySelectorAll(`${drawing} ${part}`)];
    const shown = all.find((element) => element.getBoundingClientRect().width);
    if (shown) shown.style.visibility = visibility;
    return shown !== undefined;
}"""


def read(page: Page, selector: str) -> list[Fact]:
    facts: list[Fact] = page.locator(selector).evaluate(READER)
    return facts


def overlaid(page: Page, drawn: Callable[[float, float], str]) -> list[Fact]:
    """Lay a drawing of a board, made for its width and height, over the page, and read it there."""
    room = page.locator(".board-drawing").evaluate("board => [board.clientWidth, board.clientHeight]")
    page.evaluate(
        """([board, width, height]) => {
            const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${board}</svg>`;
            const holder = document.createElement("div");
            holder.id = "python";
            holder.style.cssText = "position: fixed; inset: 0; font-family: Inter";
            holder.append(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
            document.getElementById("python")?.remove();
            document.body.append(holder);
        }""",
        [drawn(*room), *room],
    )
    return read(page, "#python > svg")


def differences(one: list[Fact], other: list[Fact]) -> list[str]:
    """Say in what two drawings differ; nothing if they do not."""
    left: dict[str, list[Fact]] = {}
    for fact in other:
        left.setdefault(label(fact), []).append(fact)
    missing = []
    for fact in one:
        same = left.get(label(fact), [])
        twin = next((each for each in same if alike(each, fact)), None)
        if twin:
            same.remove(twin)
        else:
            missing.append(fact)
    rest = [fact for facts in left.values() for fact in facts]
    return [f"only in one: {fact}" for fact in missing] + [f"only in the other: {fact}" for fact in rest]


def label(fact: Fact) -> str:
    return "|".join(fact[key] for key in EXACT)


def alike(a: Fact, b: Fact) -> bool:
    return (
        a["numbers"] == pytest.approx(b["numbers"], abs=1.5)
        and a["dashes"] == pytest.approx(b["dashes"], abs=0.2)
        and NUMBER.sub("#", a["outline"]) == NUMBER.sub("#", b["outline"])
        and [*map(float, NUMBER.findall(a["outline"]))]
        == pytest.approx([*map(float, NUMBER.findall(b["outline"]))], abs=0.2)
    )
