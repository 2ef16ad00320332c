"""Pages on paper: light in any colour scheme, with nothing cut, scrolled or left to press."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from pypdf import PdfReader

from dashboards.app import NAVIGATION

Visit = Callable[[str], Page]
PAPER: ViewportSize = {"width": 688, "height": 1000}
"""Size in pixels of the text of an A4 page."""
FURTHER = ("/analysis/where", "/analysis/compare", "/tournament?tournament=four", "/nowhere")
PAGES = (
    *("/analysis", "/matches"),
    *(
        pytest.param(path, marks=pytest.mark.slow("like the pages above"))
        for path in (*(path for _, path in NAVIGATION if path not in ("/analysis", "/matches")), *FURTHER)
    ),
)
FAULTS = """() => [...document.querySelectorAll("main *")].filter((each) => each.checkVisibility()).flatMap((each) => {
    const style = getComputedStyle(each), box = each.getBoundingClientRect(), faults = [];
    const name = `${each.tagName} ${each.className.baseVal ?? each.className} ${each.textContent.trim().slice(0, 30)}`;
    if (each.closest(".visually-hidden, svg svg, .chip-cube") || style.clipPath !== "none" || box.width < 2) return [];
    const ownText = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const [red, green, blue] = style.color.match(/[0-9.]+/g).map(Number);
    if (ownText && !each.closest("svg") && red + green + blue > 480) faults.push("pale: " + name);
    if (box.right > innerWidth + 1) faults.push("beyond the paper: " + name);
    const cuts = !["visible", "clip"].includes(style.overflowX) && !each.matches("input, select, svg *");
    if (cuts && each.scrollWidth > each.clientWidth + 1) faults.push("cut: " + name);
    if (each.matches("button:not(.chip), nav, summary")) faults.push("a control: " + name);
    return faults;
})"""


@pytest.fixture
def on_paper(visit: Visit) -> Callable[[str], Page]:
    def go(path: str) -> Page:
        page = visit(path)
        page.evaluate("() => { window.print = () => document.body.setAttribute('data-printed', '') }")
        page.keyboard.press("Control+p")
        expect(page.locator("body[data-printed]")).to_be_attached()
        page.evaluate("() => void dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        page.set_viewport_size(PAPER)
        return page

    return go


@pytest.mark.parametrize("theme", ["dark"])
@pytest.mark.parametrize("path", PAGES)
def test_paper_is_light_and_whole(on_paper: Visit, path: str, refusals: list[str]) -> None:
    refusals.append("status of 404")
    page = on_paper(path)
    assert page.evaluate(FAULTS) == []
    missing = page.locator(".figure-card:not([data-state])")
    expect(missing).to_have_count(0)
    page.close()


@pytest.mark.parametrize("theme", ["dark"])
def test_a_replay_is_printed_with_board_standings_and_the_whole_timeline(player: Visit) -> None:
    page = player("/replay?match=four.000000&ply=3")
    page.evaluate("() => void dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    assert page.evaluate(FAULTS) == []
    page.close()


def test_the_filter_is_printed_in_words(on_paper: Visit) -> None:
    page = on_paper("/analysis?tournament=four&players=4")
    expect(page.locator(".filter-chips")).to_contain_text("Tournament: four")
    expect(page.locator(".filter-row").first).to_be_hidden()
    page.close()


def text_of(page: Page, file: Path) -> str:
    page.pdf(path=file)
    return "\n".join(each.extract_text() for each in PdfReader(file).pages)


def test_the_list_of_matches_is_printed_as_a_table(visit: Visit, tmp_path: Path) -> None:
    page = visit("/matches")
    rows: Any = page.locator(".ag-center-cols-container .ag-row .match-link").all_text_contents()
    text = text_of(page, tmp_path / "matches.pdf")
    assert rows
    assert all(row in text.replace("\n", "") for row in rows)
    page.close()
