"""The import page: new and quarantined files, updated while the page is open; and its menu on a narrow page."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from himalaya_core.cli.main import main
from tests.browser.conftest import GOLDEN, Served, wide

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]


@pytest.mark.slow("a server of its own")
def test_an_empty_warehouse_says_how_to_fill_it_and_the_open_page_shows_what_is_loaded(
    visit: Visit, axe: Axe, serve: Callable[..., Served], tmp_path: Path
) -> None:
    database = tmp_path / "growing.duckdb"
    page = visit(serve(database).url)
    expect(page.get_by_text(f"himalaya ingest logs/first --db {database.name}")).to_be_visible()
    assert axe(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert wide(page) <= 390
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name="Imports", exact=True).click()
    expect(page.locator("#intake-sections")).to_contain_text("Nothing loaded yet")
    lines = (GOLDEN / "summit-2.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "bad.jsonl").write_bytes(b"".join([*lines[:50], b"not JSON\n", *lines[50:]]))
    (tmp_path / "good.jsonl").write_bytes((GOLDEN / "climbers-2.jsonl").read_bytes())
    logs = [str(tmp_path / name) for name in ("bad.jsonl", "good.jsonl")]
    assert main(["ingest", *logs, "--db", str(database)]) == 3
    expect(page.locator("#intake-lead")).to_have_text("1 match loaded, 1 quarantined")
    expect(page.get_by_role("link", name="Imports 1 quarantined")).to_be_visible()
    expect(page.get_by_role("table", name="Quarantined lines and why")).to_contain_text("bad.jsonl:51")
    expect(page.get_by_role("table", name=re.compile("Ingest runs"))).to_contain_text("command")
    assert axe(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Quarantine as CSV").click()
    assert "not_json" in download.value.path().read_text()
    check_menu_of_a_narrow_page(page, axe)


def check_menu_of_a_narrow_page(page: Page, axe: Axe) -> None:
    """Open the menu by keyboard, close it, and open another page with it."""
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    menu, pages = page.get_by_role("button", name="Imports"), page.locator("#navigation")
    expect(pages).to_be_hidden()
    menu.press("Enter")
    expect(pages.get_by_role("link")).to_have_text(
        ["Matches", "Tournaments", "Analysis", "Record", "Imports1 quarantined"]
    )
    expect(pages.get_by_role("link", name="Imports")).to_have_attribute("aria-current", "page")
    assert axe(page, "header.header") == []
    page.keyboard.press("Escape")
    expect(pages).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    pages.get_by_role("link", name="Matches").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Matches")
    expect(pages).to_be_hidden()
    check_help(page, axe)


def check_help(page: Page, axe: Axe) -> None:
    """Open the help by keyboard, leave it, and open the glossary with it."""
    button, menu = page.get_by_role("button", name="Help"), page.get_by_role("navigation", name="Help")
    button.press("Enter")
    assert axe(page, "header.header") == []
    page.keyboard.press("Shift+Tab")
    expect(menu).to_be_hidden()
    button.press("Enter")
    page.keyboard.press("Tab")
    expect(menu.get_by_role("link", name="Glossary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Glossary")
    expect(menu).to_be_hidden()
    expect(page.locator(".help-link").first).to_have_attribute("aria-current", "page")
