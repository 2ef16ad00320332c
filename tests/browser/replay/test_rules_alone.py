"""The replay of an external game that has rules but no board: positions as text."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Served, run
from tests.toy.installing import TOY, installed

Visit = Callable[[str], Page]
GAME = "nim2"
MATCH = "toy.000000"
SCRUBBER = "#replay-scrubber"
LINES = ".plain-line"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., Served]) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("toy")
    database = folder / "himalaya.duckdb"
    with installed(TOY):
        players = ("--players", "random,random,random", "--matches", "3", "--name", "toy")
        run("tournament", GAME, *players, "--out", folder / "logs")
        run("ingest", folder / "logs", "--db", database)
        yield serve(database)


def lines_of(page: Page) -> list[str]:
    return [line for line in page.locator(LINES).all_text_contents() if line]


@pytest.mark.slow("a server of its own")
def test_a_position_is_written_event_by_event(player: Visit, axe: Callable[..., list[str]]) -> None:
    page = player(f"/replay?match={MATCH}&ply=2&view=1")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    check_no_rounds(page)
    page.keyboard.press("Home")
    assert "heap: None" in lines_of(page)
    page.keyboard.press("End")
    expect(page.locator(LINES).filter(has_text="heap: 0")).to_be_visible()
    expect(page.locator(".replay-standings")).to_contain_text("won")
    page.get_by_role("button", name="As text").click()
    expect(page.locator(".plain-words")).to_contain_text("heap: 0")
    expect(page.get_by_role("button", name="Traffic")).to_have_count(0)
    assert axe(page) == []


def check_no_rounds(page: Page) -> None:
    """A game without rounds has no set-up section."""
    expect(page.locator("#replay")).not_to_contain_text("Set-up")
    expect(page.get_by_text("3 players", exact=True)).to_be_visible()
    expect(page.locator(".lead-label")).to_have_text("Actions")
    expect(page.get_by_label("Lead")).to_have_count(0)
    expect(page.locator(SCRUBBER)).to_have_attribute("aria-valuetext", re.compile(r"\. ply 2\. seat \d: taken, "))
