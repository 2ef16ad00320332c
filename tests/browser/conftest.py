"""Chromium for the tests of the pages. A test in this folder asks for the fixtures by name:

    @pytest.mark.every_look                       # 4 runs: light and dark, 1440x900 and 390x844; leave out for one run
    def test_traffic_says_what_it_shows(visit, axe):
        page = visit("/traffic")                  # opened, drawn, and nothing loading any more
        expect(page.get_by_role("heading", level=1)).to_have_text("Traffic")
        assert axe(page) == []                    # WCAG 2.2 AA; each violation is one readable line

`served`    the app over a database of freshly played matches, once per run: `.url`, `.database` (Path), `.logs` (Path)
`serve`     `serve(database) -> Served` starts the app over another database, for example an empty one
`visit`     `visit("/replay?match=…") -> Page`: goes there and waits until Dash is idle; takes whole addresses too
`page`      the Playwright page behind `visit`, not yet anywhere; for `page.goto`, `page.set_content` and the like
`requested` the address of every request the page made so far
`refusals`  errors of the console that are expected: append "status of 404" before asking for what is not there
`axe`       `axe(page) -> list[str]`
`theme`, `size`  "light" and (1440, 900); give one test others with `@pytest.mark.parametrize("theme", ["dark"])`

Every test fails afterwards if its page wrote an error to the console, threw one, or asked another host for anything.
Wait for what should be seen (`expect(…)`), never for a time. `page.wait_for_function` can't be used: the pages' policy
forbids evaluating strings; `page.evaluate` works.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Playwright, Request, expect, sync_playwright

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LOOKS = [("light", (1440, 900)), ("dark", (1440, 900)), ("light", (390, 844)), ("dark", (390, 844))]
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves this machine, whatever a page asks
]
PATIENCE = 90_000  # milliseconds; a busy machine may be slow, and only a failure ever waits so long
LOADING = "._dash-loading, [data-dash-is-loading='true']"
expect.set_options(timeout=PATIENCE)


@dataclass(frozen=True)
class Served:
    """A running app: where it answers and what it shows."""

    url: str
    database: Path
    logs: Path | None = None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("every_look"):
        metafunc.parametrize(
            ("theme", "size"), LOOKS, ids=[f"{theme}-{width}x{height}" for theme, (width, height) in LOOKS]
        )


def himalaya(*arguments: str | Path) -> list[str]:
    return [
        sys.executable,
        "-c",
        "import sys; from himalaya_core.cli import main; sys.exit(main())",
        *map(str, arguments),
    ]


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., Served]]:
    running: list[subprocess.Popen[str]] = []

    def start(database: Path, logs: Path | None = None, watch: Path | None = None) -> Served:
        command = himalaya("serve", "--db", database, "--host", "127.0.0.1", "--port", "0")
        command += ["--watch", str(watch)] if watch else []
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        running.append(server)
        assert server.stdout is not None
        for line in server.stdout:  # it says where it answers as soon as it does
            if found := re.search(r"http://[\d.:]+", line):
                return Served(found[0], database, logs)
        pytest.fail(f"the server stopped with exit code {server.wait()} before it answered")

    yield start
    for server in running:
        server.terminate()
        server.wait(timeout=20)
        if server.stdout:
            server.stdout.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., Served]) -> Served:
    folder = tmp_path_factory.mktemp("served")
    logs, database = folder / "logs", folder / "himalaya.duckdb"
    for name, players in (("four", "trader,pilgrim,envoy,random"), ("three", "greedy,trader,pilgrim")):
        arguments = himalaya("tournament", "caravan", "--name", name, "--players", players, "--matches", "12")
        subprocess.run([*arguments, "--jobs", "1", "--out", str(logs)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(himalaya("ingest", logs, "--db", database), check=True, stdout=subprocess.DEVNULL)
    return serve(database, logs)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not executable:
        pytest.fail("no Chromium: `make browser` installs it, or set CHROMIUM to its path")
    chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS, headless=True)
    yield chromium
    chromium.close()


@pytest.fixture
def theme() -> str:
    return "light"


@pytest.fixture
def size() -> tuple[int, int]:
    return 1440, 900


@pytest.fixture
def requested() -> list[str]:
    return []


@pytest.fixture
def refusals() -> list[str]:
    return []


@pytest.fixture
def page(
    browser: Browser,
    served: Served,
    theme: Literal["light", "dark"],
    size: tuple[int, int],
    requested: list[str],
    refusals: list[str],
) -> Iterator[Page]:
    width, height = size
    context = browser.new_context(
        base_url=served.url, color_scheme=theme, viewport={"width": width, "height": height}, locale="en-GB"
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(refusal in message.text for refusal in refusals):
            complaints.append(f"console error: {message.text} ({message.location.get('url', '')})")

    def on_page_error(error: Error) -> None:
        complaints.append(f"page error: {error}")

    def on_request(request: Request) -> None:
        requested.append(request.url)
        address = urlsplit(request.url)
        if address.scheme not in {"data", "blob"} and address.hostname != "127.0.0.1":
            complaints.append(f"asked another host: {request.url}")

    page.on("console", on_console)
    page.on("pageerror", on_page_error)
    page.on("request", on_request)
    yield page
    context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def visit(page: Page) -> Callable[[str], Page]:
    def go(address: str) -> Page:
        page.goto(address)
        expect(page.locator(LOADING)).to_have_count(0)  # by locator: the page's policy forbids wait_for_function
        page.locator("#react-entry-point main").wait_for()
        page.wait_for_load_state("networkidle")
        return page

    return go


def violation_line(violation: dict[str, Any]) -> str:
    places = "; ".join(" ".join(map(str, node["target"])) + " " + node["html"][:160] for node in violation["nodes"][:5])
    return f"{violation['id']} ({violation['impact']}): {violation['help']} [{len(violation['nodes'])}x] {places}"


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """Ask axe-core what breaks WCAG 2.2 AA on the page as it stands; over CDP, so that the page's own policy holds."""

    def violations(page: Page) -> list[str]:
        session = page.context.new_cdp_session(page)
        session.send("Runtime.evaluate", {"expression": AXE.read_text("utf-8")})
        rules = json.dumps({"runOnly": {"type": "tag", "values": WCAG_22_AA}, "resultTypes": ["violations"]})
        run = f"axe.run(document, {rules}).then(result => result.violations)"
        answer = session.send("Runtime.evaluate", {"expression": run, "awaitPromise": True, "returnByValue": True})
        session.detach()
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return [violation_line(violation) for violation in answer["result"]["value"]]

    return violations
