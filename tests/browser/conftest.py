"""Chromium for the tests of the pages. A test in this folder requests these fixtures by name:

    @pytest.mark.every_look                       # `make test-all` runs it in every theme and size
    def test_traffic_says_what_it_shows(visit, looks, axe):
        page = visit("/analysis/where")                  # opened, drawn, and nothing still loading
        expect(page.get_by_role("heading", level=1)).to_have_text("Where?")
        for look in looks(page):                  # light at 1440x900, as opened; then dark at 390x844
            assert axe(page) == [], look          # WCAG 2.2 AA; each violation is one readable line

`served`    the app with newly played matches of caravan, one per process: `.url`, `.database` (Path), `.logs` (Path)
`games`     the app with matches of every game; a test file selects it by `def served(games): return games`
`serve`     `serve(database) -> Served` starts the app with another database, for example an empty one
`visit`     `visit("/replay?match=…") -> Page`: opens the page and waits until Dash is idle; also takes full addresses
`player`    `player("/replay?match=…") -> Page`: opens the page and waits for the board. Dash never starts on such a
            page, which halves its cost. For tests of the player alone, without header, Back and dropped logs
`page`      the Playwright page behind `visit` or `player`, before any navigation; for `page.goto` and the like
`browser`   for a test that needs its own context: `browser.new_context(base_url=served.url, …)`
`requested` the addresses of all requests the page has made so far
`refusals`  expected console errors: append "status of 404" before requesting a missing resource
`axe`       `axe(page) -> list[str]`; `axe(page, ".menu")` checks only a part, if the rest is checked elsewhere (in
            `make test` without contrast)
`theme`, `size`  "light" and (1440, 900); change them by `@pytest.mark.parametrize("theme", ["dark"])`. A test marked
            `every_look` that does not use `looks` runs once for each look, each time with its own page

Tests of one server share a page, since a page starts in a third of the time once the browser has compiled its scripts.
Between two tests storage, cookies, permissions, routes and history are cleared, and size and theme are reset. A test
that leaves anything else on its page (listeners, `page.clock`, `page.add_init_script`, `context.set_offline`, …) closes
the page with `page.close()`, or uses its own context. A page is also closed if its test failed or opened another
server.

Every test fails afterwards if its page logged an error, raised one, or sent a request to another host. Wait for what
should be visible (`expect(…)`), never for a fixed time. `page.wait_for_function` can't be used: the pages' policy
forbids evaluating strings; `page.evaluate` works.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary
from zlib import crc32

import pytest
from playwright.sync_api import (
    Browser,
    CDPSession,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)

from himalaya_core.cli.main import main
from ingest.load import reviews
from ingest.opening import open_warehouse
from tests.browser.serving import HIMALAYA
from tests.copies import copied
from tests.forked import Popen
from tests.once import once

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


class Look(NamedTuple):
    """A theme and window size in which a page is tested."""

    theme: Literal["light", "dark"]
    size: tuple[int, int]


Looks = Callable[[Page], Iterator[Look]]
LOOKS = (Look("light", (1440, 900)), Look("dark", (390, 844)), Look("dark", (1440, 900)), Look("light", (390, 844)))
IN_EVERY_LOOK = os.environ.get("LOOKS") == "all"
"""`make test-all` sets this."""
in_each_look = pytest.mark.parametrize(
    ("theme", "size"), [LOOKS[0], *(pytest.param(*look, marks=pytest.mark.slow("every look")) for look in LOOKS[1:])]
)
"""Runs a test in the first look only; `make test-all` runs it in each look, with a separate page for each."""
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--in-process-gpu",  # from here on: avoid communication between processes and threads, a seventh of a page's time
    "--enable-features=NetworkServiceInProcess2",
    "--js-flags=--single-threaded-gc --no-concurrent-recompilation",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no request leaves this machine
]
PATIENCE = int(os.environ.get("PATIENCE", "90_000"))
"""Timeout in milliseconds; long, as a busy machine may be slow and only failures wait for it."""
SETTLED = """async (times) => {
    for (let calm = 0; calm < times;) {
        await new Promise((done) => {
            requestAnimationFrame(() => requestIdleCallback(done));
            setTimeout(done, 2000);
        });
        const { isLoading, callbacks: { stored, completed, ...waiting } } = store.getState();
        const isCalm = !isLoading && !document.querySelector("[data-dash-is-loading='true']")
            && Object.values(waiting).every((callbacks) => !callbacks.length);
        calm = isCalm ? calm + 1 : 0;
    }
}"""
"""Waits for a frame or an idle moment, at most two seconds each on a busy machine."""
SOME_FRAMES = """new Promise((done) => {
    let left = 3;
    const next = () => (left-- ? requestAnimationFrame(next) : setTimeout(done));
    next();
    setTimeout(done, 2000);
})"""
"""A replay waits for two frames after drawing its board before it sends requests."""
FADED = """Promise.allSettled(document.getAnimations()
    .filter((each) => each.effect.getComputedTiming().endTime < Infinity).map((each) => each.finished))"""
LOOKS_SETTLED = 5  # consecutive quiet checks: the response to one callback may trigger another request
WITHOUT_DASH = """new MutationObserver((_, watching) => {
    const scripts = document.getElementById("dash-scripts");
    if (!scripts) return;
    scripts.remove();
    watching.disconnect();
}).observe(document, { childList: true, subtree: true })"""
"""The scripts in the page's template run after the first board is drawn."""
APART_FROM_THE_APP = "/assets/favicon.svg"  # same origin, without scripts that could store anything
DATABASE = "himalaya.duckdb"
GOLDEN = Path(__file__).parents[1] / "golden"
BEGUN = 60
REVIEWED = 2
"""Number of matches to review; each review takes most of a second."""
TOURNAMENTS = (
    ("caravan", "cup", "trader,greedy,envoy"),
    ("summit", "ropes", "racer,greedy,porter"),
    ("climbers", "walls", "greedy,random,greedy"),
)
MATCHES = (  # name, golden match, and number of lines to keep
    ("climbers-3", "climbers-3", -1),
    ("climbers-5", "climbers-5", -1),
    ("climbers-begun", "climbers-5", BEGUN),
    ("summit-2", "summit-2", -1),
    ("summit-5", "summit-5", -1),
)
CARAVANS = {  # the seed of each match is also used as its name
    "three": "--players trader,envoy,pilgrim --seed three",
    "six": "--players random,random,trader,random,pilgrim,random --board seven-valleys --seed six"
    " --tokens --full-inventory --village-cards",
    "v.6.1": "--players random,random,trader,random,pilgrim,random --seed v.6.1"
    " --tokens --full-inventory --village-cards",
}
PASSED = pytest.StashKey[bool]()
sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
expect.set_options(timeout=PATIENCE)


@dataclass(frozen=True)
class Served:
    """A running app: its address and data."""

    url: str
    database: Path
    logs: Path | None = None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def looks_of(test: pytest.Function | pytest.Item) -> Sequence[Look]:
    """Return the looks in which to run a test: all, or one of two, chosen by its name so that both are used equally."""
    if IN_EVERY_LOOK:
        return LOOKS
    return [LOOKS[crc32(test.nodeid.encode()) % 2]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("every_look") and "looks" not in metafunc.fixturenames:
        taken = looks_of(metafunc.definition)
        metafunc.parametrize(
            ("theme", "size"), taken, ids=[f"{theme}-{width}x{height}" for theme, (width, height) in taken]
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[PASSED] = report.passed
    return report


def run(*arguments: str | Path) -> None:
    """Run the command line in this process, where modules are already loaded."""
    assert main([*map(str, arguments)]) == 0


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., Served]]:
    running: list[Popen] = []

    def start(database: Path, logs: Path | None = None, watch: Path | None = None, prefix: str = "") -> Served:
        command = [*HIMALAYA, "serve", "--db", str(database), "--host", "127.0.0.1", "--port", "0"]
        command += ["--watch", str(watch)] if watch else []
        command += ["--path-prefix", prefix] if prefix else []
        server = Popen(command, stdout=subprocess.PIPE, text=True)
        running.append(server)
        assert server.stdout is not None
        for line in server.stdout:  # the server prints its address as soon as it listens
            if found := re.search(r"http://[\d.:]+", line):
                return Served(found[0], database, logs)
        pytest.fail(f"the server stopped with exit code {server.wait()} before it answered")

    yield start
    for server in running:
        server.terminate()
        server.wait(timeout=PATIENCE / 1000)
        if server.stdout:
            server.stdout.close()


def play_and_ingest(folder: Path) -> None:
    """Play two tournaments of caravan and load them; the first matches of the first tournament are reviewed."""
    for name, players in (("four", "trader,pilgrim,envoy,random"), ("three", "greedy,trader,pilgrim")):
        played = ["--name", name, "--players", players, "--matches", "12", "--jobs", "1", "--out", folder / "logs"]
        run("tournament", "caravan", *played)
    run("ingest", folder / "logs", "--db", folder / DATABASE)
    with open_warehouse(folder / DATABASE) as warehouse:
        with warehouse.reading() as connection:
            first = "SELECT match_id FROM dim_matches WHERE match LIKE 'four.%' ORDER BY match LIMIT $most"
            ids = [number for (number,) in connection.execute(first, {"most": REVIEWED}).fetchall()]
        reviews._review(warehouse, ids, 0, lambda _: None)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., Served]) -> Served:
    made = once(tmp_path_factory, "served", play_and_ingest)
    return serve(copied(made / DATABASE, tmp_path_factory.mktemp("served")), made / "logs")


def play_every_game(folder: Path) -> None:
    """Load a tournament of each game, whole and cut-off golden matches, and one for six players with every option."""
    logs = folder / "logs"
    for game, name, players in TOURNAMENTS:
        run("tournament", game, "--name", name, "--players", players, "--matches", "6", "--jobs", "1", "--out", logs)
    for name, golden, lines in MATCHES:
        log = (GOLDEN / f"{golden}.jsonl").read_bytes().replace(b'"match":"golden"', f'"match":"{name}"'.encode())
        unfinished = b"".join(log.splitlines(keepends=True)[:lines])  # its last line has a digest of the original lines
        (logs / f"{name}.jsonl").write_bytes(unfinished)
    for name, options in CARAVANS.items():
        run("play", "caravan", *options.split(), "--out", logs / f"{name}.jsonl")
    run("ingest", logs, "--db", folder / DATABASE)


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., Served]) -> Served:
    made = once(tmp_path_factory, "games", play_every_game)
    return serve(copied(made / DATABASE, tmp_path_factory.mktemp("games")), made / "logs")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    installed = filter(None, map(shutil.which, ("chromium-headless-shell", "chromium")))
    executable = os.environ.get("CHROMIUM") or next(installed, None)
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
def loading() -> set[Request]:
    """Return the requests of the page that have no response yet."""
    return set()


@pytest.fixture(scope="session")
def kept() -> dict[tuple[str, bool], Page]:
    """Pages kept from each server's last test, with and without Dash; they close with the browser."""
    return {}


def new_page(browser: Browser, url: str, without_dash: bool) -> Page:
    context = browser.new_context(base_url=url, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    if without_dash:
        context.add_init_script(WITHOUT_DASH)
    return context.new_page()


def session_of(page: Page) -> CDPSession:
    """Return the page's CDP session, and keep it: detaching it can leave the page without frames."""
    if page not in sessions:
        sessions[page] = page.context.new_cdp_session(page)
    return sessions[page]


def forget(page: Page) -> None:
    """Remove all traces of a test from its page, but keep the browser's cache."""
    page.unroute_all(behavior="ignoreErrors")
    page.context.clear_cookies()
    page.context.clear_permissions()
    page.goto(APART_FROM_THE_APP)
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    session_of(page).send("Page.resetNavigationHistory")


@pytest.fixture
def page(
    request: pytest.FixtureRequest,
    browser: Browser,
    kept: dict[tuple[str, bool], Page],
    served: Served,
    theme: Literal["light", "dark"],
    size: tuple[int, int],
    requested: list[str],
    loading: set[Request],
    refusals: list[str],
) -> Iterator[Page]:
    kind = served.url, "player" in request.fixturenames
    page = kept.pop(kind, None) or new_page(browser, *kind)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme, media="null", reduced_motion="null", forced_colors="null", contrast="null")
    complaints: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(refusal in message.text for refusal in refusals):
            complaints.append(f"console error: {message.text} ({message.location.get('url', '')})")

    def on_page_error(error: Error) -> None:
        complaints.append(f"page error: {error}")

    def on_request(request: Request) -> None:
        requested.append(request.url)
        loading.add(request)
        address = urlsplit(request.url)
        if address.scheme not in {"data", "blob"} and address.hostname != "127.0.0.1":
            complaints.append(f"asked another host: {request.url}")

    def on_response(request: Request) -> None:
        loading.discard(request)

    listeners = {
        "console": on_console,
        "pageerror": on_page_error,
        "request": on_request,
        "requestfinished": on_response,
        "requestfailed": on_response,
    }
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload]
    yield page
    context = page.context
    context.cookies()  # once this returns, all console output of the page has arrived
    went = {f"{address.scheme}://{address.netloc}" for address in map(urlsplit, requested) if address.netloc}
    passed = request.node.stash.get(PASSED, False) and not complaints
    if passed and context.pages == [page] and went <= {served.url}:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        forget(page)
        kept[kind] = page
    else:
        context.close()
    assert not complaints, "\n".join(complaints)


def settle(page: Page, loading: set[Request]) -> None:
    """Wait until Dash is idle and nothing is loading."""
    page.evaluate(SETTLED, LOOKS_SETTLED)
    while loading:
        page.evaluate(SETTLED, LOOKS_SETTLED)


@pytest.fixture
def visit(page: Page, loading: set[Request]) -> Callable[[str], Page]:
    def go(address: str) -> Page:
        page.goto(address)
        page.locator("#react-entry-point main").wait_for()
        settle(page, loading)
        return page

    return go


@pytest.fixture
def player(page: Page, loading: set[Request]) -> Callable[[str], Page]:
    def go(address: str) -> Page:
        page.goto(address)
        page.locator("#replay[data-ready=true]").wait_for()
        page.evaluate(SOME_FRAMES)
        while loading:
            page.evaluate(SOME_FRAMES)
        assert not page.evaluate("'store' in window"), "Dash has started"
        return page

    return go


@pytest.fixture
def looks(request: pytest.FixtureRequest, loading: set[Request]) -> Looks:
    """Yield an open page in each look, without reloading it."""

    def each(page: Page) -> Iterator[Look]:
        for look in looks_of(request.node):
            page.set_viewport_size({"width": look.size[0], "height": look.size[1]})
            page.emulate_media(color_scheme=look.theme)
            page.evaluate("scrollTo(0, 0)")  # a button partly covered by the header would count as too small
            if page.evaluate("'store' in window"):  # true for a page of the app, not for an offline file
                expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", look.theme)
                settle(page, loading)
                still(page)
            yield look

    return each


def still(page: Page) -> None:
    """Wait until no figure is loading and fades have ended; half-faded text has too little contrast."""
    expect(page.locator(".figure-card[data-state][aria-busy=true]")).to_have_count(0)
    page.evaluate(FADED)


def wide(page: Page) -> int:
    """Return the full width of a page, including the part to scroll to."""
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width


def violation_line(violation: dict[str, Any]) -> str:
    places = "; ".join(" ".join(map(str, node["target"])) + " " + node["html"][:160] for node in violation["nodes"][:5])
    return f"{violation['id']} ({violation['impact']}): {violation['help']} [{len(violation['nodes'])}x] {places}"


@pytest.fixture
def axe() -> Callable[..., list[str]]:
    """Return the violations of WCAG 2.2 AA found by axe-core; it runs over CDP, so the page's policy stays active."""

    def violations(page: Page, within: str = "html") -> list[str]:
        assert page.locator(within).count(), within
        session = session_of(page)
        has_axe = session.send("Runtime.evaluate", {"expression": "typeof axe"})["result"]["value"] == "object"
        if not has_axe:
            session.send("Runtime.evaluate", {"expression": AXE.read_text("utf-8")})
        what: dict[str, Any] = {"runOnly": {"type": "tag", "values": WCAG_22_AA}, "resultTypes": ["violations"]}
        if within != "html" and not IN_EVERY_LOOK:
            what |= {"rules": {"color-contrast": {"enabled": False}}}  # the contrast check takes half of the time
        rules = json.dumps({**what, "preload": False})  # preloads style sheets and media, which these rules do not need
        run = f"axe.run({json.dumps(within)}, {rules}).then(result => result.violations)"
        answer = session.send("Runtime.evaluate", {"expression": run, "awaitPromise": True, "returnByValue": True})
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return [violation_line(violation) for violation in answer["result"]["value"]]

    return violations
