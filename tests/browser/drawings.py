"""A board drawn by the browser and by the server: compares visible parts, their appearance and position."""

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from dashboards.boards.engine import run
from dashboards.boards.picture import AnyScene, only, scheme_of
from dashboards.charts.theme import Scheme

__all__ = [
    "SCRUBBER",
    "Fact",
    "check_frames",
    "check_what_is_forgotten",
    "differences",
    "drawn_apart",
    "read",
    "stepped",
]

Fact = dict[str, Any]
SCRUBBER = "#replay-scrubber"
READER = (Path(__file__).parent / "facts.js").read_text("utf-8")
NUMBER = re.compile(r"-?\d*\.?\d+")
EXACT = ("thing", "seat", "marker", "at", "said", "tag", "text", "fill", "stroke", "cap", "over", "opacity", "weight")
HIDE = """([drawing, parts]) => {
    const found = parts.map((part) =>
        [...document.querySelectorAll(`${drawing} ${part}`)].find((element) => element.getBoundingClientRect().width));
    const missing = parts.filter((_, at) => !found[at]);
    for (const element of found) if (element) element.style.visibility = "hidden";
    return missing;
}"""


def read(page: Page, selector: str) -> list[Fact]:
    facts: list[Fact] = page.locator(selector).evaluate(READER)
    return facts


def drawn_apart(page: Page, scene: AnyScene, frame: int, theme: Scheme) -> list[Fact]:
    """Place the server's drawing of the board over the page at the same size, and read its parts there."""
    width, height = page.locator(".board-drawing").evaluate("board => [board.clientWidth, board.clientHeight]")
    asked = {"scene": only(scene, frame), "scheme": scheme_of(theme), "width": width, "height": height}
    page.evaluate(
        """([board, width, height]) => {
            const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${board}</svg>`;
            const holder = document.createElement("div");
            holder.id = "apart";
            holder.style.cssText = "position: fixed; inset: 0; font-family: Inter";
            holder.append(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
            document.getElementById("apart")?.remove();
            document.body.append(holder);
        }""",
        [run("board", asked), width, height],
    )
    return read(page, "#apart > svg")


def stepped(page: Page, frame: int) -> None:
    """Go to a frame and wait until the board shows it."""
    page.locator(SCRUBBER).fill(str(frame))


def check_frames(
    page: Page, board: str, scene: AnyScene, frames: Iterable[int], theme: Scheme, least: int = 100
) -> None:
    """Check that both drawings agree in some frames and have at least `least` parts."""
    for frame in frames:
        stepped(page, frame)
        in_browser = read(page, board)
        assert len(in_browser) > least, f"frame {frame}"
        assert differences(in_browser, drawn_apart(page, scene, frame, theme)) == [], f"frame {frame}"


def check_what_is_forgotten(page: Page, board: str, scene: AnyScene, frame: int, parts: Sequence[str]) -> None:
    """Check that a part missing from either drawing is detected, in a frame where all kinds of parts occur."""
    stepped(page, frame)
    in_browser, apart = read(page, board), drawn_apart(page, scene, frame, "light")
    assert differences(in_browser, apart) == []
    for drawing, other in ((board, apart), ("#apart > svg", in_browser)):
        assert page.evaluate(HIDE, [drawing, list(parts)]) == []
        assert len(differences(read(page, drawing), other)) == len(parts)


def differences(one: list[Fact], other: list[Fact]) -> list[str]:
    """Describe the differences between two drawings; empty if there are none."""
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
        near(a["numbers"].values(), b["numbers"].values(), 1.5)
        and near(a["dashes"], b["dashes"], 0.2)
        and NUMBER.sub("#", a["outline"]) == NUMBER.sub("#", b["outline"])
        and near(map(float, NUMBER.findall(a["outline"])), map(float, NUMBER.findall(b["outline"])), 0.2)
    )


def near(some: Iterable[float | None], others: Iterable[float | None], most: float) -> bool:
    """Return whether all numbers are equal within the tolerance; `pytest.approx` is far slower."""
    return all(
        one == other or (one is not None and other is not None and abs(one - other) <= most)
        for one, other in zip_longest(some, others)
    )
