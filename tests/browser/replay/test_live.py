"""A match in progress: its replay grows with the log, and the playhead stays in place."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from himalaya_core.files import read_lines
from himalaya_core.replay import matches
from tests.browser.conftest import Served

Visit = Callable[[str], Page]
SCRUBBER = "#replay-scrubber"


def append(log: Path, lines: list[bytes]) -> None:
    with log.open("ab") as file:
        file.write(b"".join(lines))


@pytest.mark.slow("a server that follows a log")
def test_a_replay_follows_the_log_as_it_is_written(
    visit: Visit, serve: Callable[..., Served], served: Served, tmp_path: Path
) -> None:
    assert served.logs
    played = read_lines(next(served.logs.rglob("three*.jsonl.zst")))
    (_, lines), *_ = itertools.islice(matches(played), 1)
    folder = tmp_path / "table"
    folder.mkdir()
    log = folder / "live.jsonl"
    append(log, lines[:100])
    address = serve(tmp_path / "live.duckdb", watch=folder).url
    page = visit(f"{address}/intake")
    expect(page.get_by_role("link", name="three.000000").first).to_be_visible()
    visit(f"{address}/replay?match=three.000000&ply=12")
    scrubber = page.locator(SCRUBBER)
    title = page.locator(".replay-title > .meta")
    expect(title).to_have_text(re.compile(r"^Himalaya \(Tilsit 2004\) · 3 players, round \d+, live$"))
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        ends = title.evaluate("text => [...text.getClientRects()].map(({ right }) => right)")
        actions = page.locator(".replay-bar > .actions").bounding_box()
        assert actions
        assert len(ends) == 1
        assert ends[0] <= actions["x"], width
    expect(scrubber).to_have_attribute("max", "99")
    kept = scrubber.input_value()
    expect(page.locator(".chances-note")).to_contain_text("not valued")
    page.get_by_role("button", name="As text").click()
    page.get_by_label("Curve").select_option("2")
    page.locator("#replay-next").focus()
    append(log, lines[100:200])
    expect(scrubber).to_have_attribute("max", "199")
    expect(scrubber).to_have_value(kept)
    expect(page.get_by_role("button", name="As text")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#replay-words")).to_be_visible()
    expect(page.get_by_label("Curve")).to_have_value("2")
    expect(page.locator("#replay-next")).to_be_focused()
    page.keyboard.press("End")
    expect(scrubber).to_have_value("199")
    append(log, lines[200:])
    expect(scrubber).to_have_value(str(len(lines) - 1))
    expect(page.locator(".replay-title")).not_to_contain_text("live")
