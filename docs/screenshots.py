"""Takes the screenshots of the documentation from the running app: `.venv/bin/python docs/screenshots.py`.

The script loads and serves the sample tournament, then takes the screenshots.
"""
# ruff: noqa: INP001, S603 - a script, which runs our own command on our own files

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

from dashboards.queries.addresses import Sort
from dashboards.queries.filters import Filter
from dashboards.queries.logs import match_lines
from dashboards.queries.matches import MatchFilter, matches_page
from dashboards.queries.reader import Reader
from himalaya_core.record_file import file_of
from himalaya_core.replay import Replay
from ingest.opening import open_warehouse

HERE: Final = Path(__file__).parent
SAMPLE: Final = HERE.parent / "logs" / "sample"
SIZE: Final[ViewportSize] = {"width": 1440, "height": 900}
LARGEST: Final = 350_000
FOUR: Final = MatchFilter(Filter(tournaments=("sample-four",)))
PLY: Final = 150
READY: Final = "#replay[data-ready=true]"
PEOPLE: Final = ("Anna", "Ben", "Chris", "Dora")
ENTERED: Final = 71
"""Number of entries in the recording that is shown."""
RUN: Final = (sys.executable, "-c", "import sys; from himalaya_core.cli.main import main; sys.exit(main())")


def main() -> None:
    """Write replay.png, record.png and tournament.png into images/."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "sample.duckdb"
        subprocess.run([*RUN, "ingest", str(SAMPLE), "--db", str(database)], check=True)
        with open_warehouse(database) as warehouse:
            closest, _ = matches_page(Reader(warehouse), FOUR, Sort("margin"), 0, 1)
            lines = match_lines(Reader(warehouse), closest["match"][0])
        command = [*RUN, "serve", "--db", str(database), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
            try:
                assert server.stdout is not None
                address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
                chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell")
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                page = browser.new_page(viewport=SIZE, color_scheme="light", base_url=address)
                photograph(page, f"/replay?match={closest['match'][0]}&ply={PLY}", READY, "replay")
                assert lines is not None
                drawn = "#record[data-ready=true] .record-entry"
                photograph(page, recorded(page, Replay.read(lines)), drawn, "record")
                photograph(page, "/tournament?tournament=sample-four", ".cross tbody td", "tournament")
                browser.close()
            finally:
                server.terminate()


def recorded(page: Page, replay: Replay) -> str:
    """Record the beginning of a match through the API. Return the address of the recording's page."""

    def post(path: str, body: dict[str, Any]) -> Any:
        return page.request.post(f"/api/records{path}", data=body).json()

    seats = [{"name": name} for name in PEOPLE]
    record = post("", {"game": replay.header.game, "seats": seats, "title": "Sunday evening"})
    written = file_of(replay).partition("---\n")[2].replace("\n", "; ").split("; ")
    for text in written[:ENTERED]:
        record = post(f"/{record['id']}/actions", {"expects": record["changes"], "text": text})
    return f"/record?draft={record['id']}"


def photograph(page: Page, path: str, drawn: str, name: str) -> None:
    """Open a page, wait until it is drawn, and save a screenshot."""
    page.goto(path, wait_until="networkidle")
    expect(page.locator(drawn).first).to_be_visible()
    file = HERE / "images" / f"{name}.png"
    file.parent.mkdir(exist_ok=True)
    picture = page.screenshot(animations="disabled")
    assert len(picture) < LARGEST, f"{name}: {len(picture):,} bytes are too many for a README"
    file.write_bytes(picture)


if __name__ == "__main__":
    main()
