"""Pages behind a reverse proxy with a path prefix: every link and request includes the prefix."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DATABASE, Served, play_and_ingest
from tests.copies import copied
from tests.once import once

PREFIX = "/himalaya"
NOT_PAGES = ("/api/", "/csv/", "/assets/", "/docs/", "/_dash-")
REACHED = {"/", "/matches", "/replay", "/record", "/tournament", "/analysis", "/analysis/compare", "/glossary"}
ADDRESSES = """() => [...document.querySelectorAll("a[href], img[src], form[action], link[href], script[src]")]
    .map((each) => each.href || each.src || each.action).filter((each) => each.startsWith(location.origin))"""

Visit = Callable[[str], Page]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., Served]) -> Served:
    made = once(tmp_path_factory, "served", play_and_ingest)
    return serve(copied(made / DATABASE, tmp_path_factory.mktemp("below")), prefix=PREFIX)


def outside(paths: list[str]) -> set[str]:
    """Return the paths without the prefix."""
    return {path for path in paths if not path.startswith(f"{PREFIX}/")}


def kind_of(path: str) -> str:
    """Return a path without what differs between pages of one kind: the figures of a question look alike."""
    return "/".join(path.removeprefix(PREFIX).split("/")[:3])


@pytest.mark.slow("one page of each kind; links of all pages are checked without a browser")
def test_all_kinds_of_pages_that_links_lead_to_stay_below_the_prefix(visit: Visit, requested: list[str]) -> None:
    waiting = {"/": f"{PREFIX}/"}
    visited = set[str]()
    while waiting:
        kind, address = waiting.popitem()
        visited.add(kind)
        found = {urlsplit(each).path: each for each in visit(address).evaluate(ADDRESSES)}
        assert outside(list(found)) == set(), address
        pages = [path for path in found if not path.removeprefix(PREFIX).startswith(NOT_PAGES)]
        waiting |= {kind_of(path): found[path] for path in pages if kind_of(path) not in visited}
    assert visited >= REACHED
    assert outside([urlsplit(each).path for each in requested if each.startswith("http")]) == set()


def test_a_reader_goes_from_home_to_a_replay_and_back_to_the_list(visit: Visit, requested: list[str]) -> None:
    page = visit(f"{PREFIX}/")
    page.locator("#navigation").get_by_role("link", name="Matches").click()
    expect(page.locator('#navigation [aria-current="page"]')).to_have_text("Matches")
    page.locator('.ag-row[row-index="0"] .match-link').click()
    expect(page.get_by_role("img", name="Map of")).to_be_visible()
    page.get_by_role("link", name="Back to the list").click()
    expect(page.locator('.ag-row[row-index="0"] .match-link')).to_be_visible()
    assert urlsplit(page.url).path == f"{PREFIX}/matches"
    page.locator("#navigation").get_by_role("link", name="Analysis").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Analysis")
    page.get_by_label("Tournament").first.wait_for()
    assert outside([urlsplit(each).path for each in requested if each.startswith("http")]) == set()
