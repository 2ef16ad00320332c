"""The intake page: what came in and what was quarantined, renewed while it is looked at."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from himalaya_core.cli.main import main
from himalaya_core.files import read_lines
from tests.browser.conftest import Served

Visit = Callable[[str], Page]
Axe = Callable[[Page], list[str]]


def test_an_empty_warehouse_says_how_to_fill_it_and_what_comes_in_is_shown_while_the_page_is_looked_at(
    visit: Visit, axe: Axe, serve: Callable[..., Served], served: Served, tmp_path: Path
) -> None:
    assert served.logs
    database = tmp_path / "growing.duckdb"
    address = serve(database).url
    page = visit(address)
    expect(page.get_by_text(f"himalaya ingest logs/first --db {database.name}")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="Intake", exact=True).click()
    expect(page.locator("#intake-sections")).to_contain_text("Nothing loaded yet")
    lines = list(read_lines(next(served.logs.rglob("three*.jsonl.zst"))))
    (tmp_path / "bad.jsonl").write_bytes(b"".join([*lines[:50], b"not JSON\n", *lines[50:]]))
    assert main(["ingest", str(tmp_path / "bad.jsonl"), "--db", str(database)]) == 3
    expect(page.locator("#intake-lead")).to_have_text("11 matches loaded, 1 quarantined")
    expect(page.get_by_role("table", name="Quarantined lines and why")).to_contain_text("bad.jsonl:51")
    expect(page.get_by_role("table", name=re.compile("Ingest runs"))).to_contain_text("command")
    assert axe(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Quarantine as CSV").click()
    assert "not_json" in download.value.path().read_text()
