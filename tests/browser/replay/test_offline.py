"""The replay as an offline file: opened without a network, it plays to the end and makes no requests."""

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboards.replay.offline import offline_page
from tests.browser.conftest import PATIENCE, Served

MATCH = "four.000001"
SCRUBBER = "#replay-scrubber"
INFLUENCES = ("religious", "political", "economic")
Open = Callable[..., Page]


def asked(served: Served, path: str) -> bytes:
    with urllib.request.urlopen(served.url + path) as answer:
        body: bytes = answer.read()
        return body


@pytest.fixture
def opened(
    browser: Browser, served: Served, tmp_path: Path, theme: Literal["light", "dark"], size: tuple[int, int]
) -> Iterator[Open]:
    """Write the file of the match, and open it in a browser without a network."""
    width, height = size
    context = browser.new_context(
        offline=True, color_scheme=theme, viewport={"width": width, "height": height}, accept_downloads=True
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    file = tmp_path / "match.html"
    page.on(
        "request",
        lambda request: (
            complaints.append(request.url) if not request.url.startswith((file.as_uri(), "data:", "blob:")) else None
        ),
    )

    def open_file(view: str = "", query: str = "", made: bytes | None = None) -> Page:
        file.write_bytes(made or asked(served, f"/api/replay/{MATCH}/offline.html{view}"))
        page.goto(file.as_uri() + query)
        expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
        return page

    yield open_file
    context.close()
    assert complaints == []


def test_the_file_shows_chances_that_were_played_out(opened: Open, served: Served) -> None:
    scene, review = (asked(served, f"/api/replay/{MATCH}{part}") for part in ("", "/review"))
    seq = json.loads(review)["chances"][-9]["seq"]
    rows = [{"seq": seq, "chances": [1.0, 0.0, 0.0, 0.0]}]
    played = json.dumps({"state": "done", "reason": None, "samples": 54, "error": 0.07, "chances": rows})
    page = opened(made=offline_page(scene, review, None, played.encode()))
    expect(page.locator(".timeline-still .chance-seam")).to_have_attribute("d", re.compile("M"))
    page.locator(SCRUBBER).fill(str(seq))
    expect(page.locator("[data-chance]").first).to_have_text("100")


def last(page: Page) -> int:
    return int(page.locator(SCRUBBER).get_attribute("max") or 0)


@pytest.mark.slow("the file of a seat")
def test_the_file_of_a_seat_has_its_chances_and_no_log(opened: Open, served: Served) -> None:
    check_chances(opened("?view=2", query="?panel=moments"), served, "?view=2")
    page = opened("?view=2")  # the file of a seat's view contains no log
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name=re.compile("^Picture, SVG"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Log"))).to_have_count(0)


def check_chances(page: Page, served: Served, view: str) -> None:
    """The file includes win probabilities, key moments and causes."""
    review = json.loads(asked(served, f"/api/replay/{MATCH}/review{view}"))
    expect(page.locator(".timeline-still .chances")).to_be_visible()
    rows = page.locator(".moments [data-seq]")
    expect(rows).to_have_count(len(review["moments"]) + len(review["changes"]))
    expect(page.locator(".moments-trust").first).to_contain_text("not what perfect play would give")
    expect(page.locator(".moments-trust a")).to_have_count(0)  # the offline file has no glossary
    page.keyboard.press("Home")
    page.keyboard.press("n")
    first = min(each["seq"] if each["by"] < 0 else each["since"] for each in review["moments"])
    expect(page.locator(SCRUBBER)).to_have_value(str(first))
    page.get_by_role("tab", name="Causes").click()
    expect(page.locator(".causes-table tbody tr")).to_have_count(len({each["round"] for each in review["split"]}) + 2)


def check_playing(page: Page, served: Served) -> None:
    """The file plays to the end, with the right standings."""
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(SCRUBBER)).to_have_value(str(last(page) - 2))
    page.locator("#replay-speed").select_option("16")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(SCRUBBER)).to_have_value(str(last(page)))
    ended = json.loads(asked(served, f"/api/matches/{MATCH}").splitlines()[-1])["data"]
    for seat, scores in enumerate(ended["scores"]):
        for name in INFLUENCES:
            cell = page.locator(f"[data-seat='{seat}'][data-measure='{name}']")
            expect(cell).to_have_text(str(scores[name]))
    winner = page.locator("tbody.seat").nth(ended["ranking"][0][0])
    expect(winner.locator(".verdict")).to_have_text("won")


def check_offers(page: Page) -> None:
    """The file offers no actions that need a server."""
    expect(page.get_by_role("button", name="Side by side")).to_have_count(0)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name=re.compile("^Log"))).to_be_visible()
    expect(page.locator("#replay a[href^='/']:visible")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Bookmarks").click()
    bookmarks = page.get_by_role("tabpanel", name="Bookmarks")
    expect(bookmarks).to_contain_text("This match was opened from a file, so it cannot have any.")
    expect(bookmarks.get_by_role("button")).to_have_count(0)
    page.keyboard.press("b")
    expect(bookmarks.get_by_label("Label")).to_be_hidden()


@pytest.mark.slow("another way to read a match")
@pytest.mark.every_look
def test_a_match_plays_from_disk_accessibly_and_loads_nothing(
    opened: Open, served: Served, axe: Callable[..., list[str]], theme: str, size: tuple[int, int]
) -> None:
    page = opened(query="?ply=60&panel=moments")
    check_chances(page, served, "")
    check_offers(page)
    check_tries(page)
    check_playing(page, served)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate("document.fonts.load('16px Inter').then((found) => found.length)") == 1
    assert page.evaluate("document.fonts.check('16px Inter')")
    root, other = page.locator("html"), "light" if theme == "dark" else "dark"
    expect(root).to_have_attribute("data-mantine-color-scheme", theme)
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(root).to_have_attribute("data-mantine-color-scheme", other)
    page.reload()
    expect(root).to_have_attribute("data-mantine-color-scheme", other)


def check_tries(page: Page) -> None:
    """The file offers no new what-ifs, which need a server."""
    page.keyboard.press("w")
    expect(page.get_by_role("region", name="What if")).to_contain_text("New tries need a server")
    page.get_by_role("button", name="Close what if").press("Enter")
    expect(page.get_by_role("region", name="What if")).to_have_count(0)
    expect(page.locator("#replay-what-if")).to_be_focused()


def test_long_names_shrink_and_no_column_of_the_standings_is_cut_off(opened: Open) -> None:
    page = opened()
    page.locator(".seat-name > b").evaluate_all("names => names.forEach((b) => (b.textContent = 'trader-'.repeat(5)))")
    edges = page.locator(".standings-table, .seat-top > td:last-child, .held .act:last-child").evaluate_all(
        "parts => parts.map((part) => part.getBoundingClientRect().right)"
    )
    card = page.locator(".replay-standings").bounding_box()
    assert card is not None
    assert max(edges) < card["x"] + card["width"] - 14
    expect(page.locator(".seat-name").first).to_have_attribute("title", re.compile(r"\w+ \(\w"))
