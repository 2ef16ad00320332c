"""Recording a match in the browser: by keyboard only, across reloads and a killed server, and by several people."""

import json
import re
import signal
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, Served
from tests.browser.record.recorded import (
    Paper,
    Visit,
    asked,
    begun,
    entered,
    entries_of,
    field,
    number_of,
    opened,
    paper,
    reach,
    ready,
    rows,
    turn,
    typed,
)
from tests.forked import HIMALAYA, Popen

ALL, SOME = (1, 1), (0.3, 0.9)
"""Ranges of a match entered by keyboard, as shares of it: everything, or its beginning and end."""


def set_up(page: Page, game: str, written: Paper) -> None:
    """Fill in the form by keyboard alone."""
    games = page.get_by_role("radiogroup", name="Game").get_by_role("radio")
    reach(page, games.and_(page.locator(":checked")))
    for _ in range(games.count()):
        if games.and_(page.locator(":checked")).get_attribute("value") == game:
            break
        page.keyboard.press("ArrowRight")
    reach(page, page.get_by_label("How many"))
    page.keyboard.type(str(written.players))
    for seat in range(1, written.players + 1):
        reach(page, page.get_by_role("textbox", name=f"Name of player {seat}"))
        page.keyboard.type(f"Player {seat}")
    for option in written.options:
        reach(page, page.locator(f"#record-option-{option}"))
        page.keyboard.press("Space")
    reach(page, page.get_by_label("Title"))
    typed(page, "By keyboard")


def events(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """Return the events without what is specific to one log."""
    found = [json.loads(line) for line in lines[1:]]
    for event in found:
        event.pop("match")
        event.pop("at", None)
        event["data"].pop("lines_sha256", None)
    return found


@pytest.mark.slow("a whole match")
@pytest.mark.parametrize(
    ("game", "golden", "by_keyboard"),
    [
        ("climbers", "climbers-3", ALL),
        pytest.param("caravan", "caravan-3-advanced", SOME, marks=pytest.mark.soak("enters whole matches")),
        pytest.param("summit", "summit-2", SOME, marks=pytest.mark.soak("enters whole matches")),
        pytest.param("caravan", "caravan-3-advanced", ALL, marks=pytest.mark.soak("enters whole matches")),
        pytest.param("summit", "summit-2", ALL, marks=pytest.mark.soak("enters whole matches")),
    ],
    ids=lambda value: {ALL: "all", SOME: "some"}.get(value, value),
)
def test_a_whole_match_is_entered_by_keyboard_alone(
    visit: Visit, served: Served, game: str, golden: str, by_keyboard: tuple[float, float]
) -> None:
    """Except for a part in the middle, entered in a faster way: a tenth of a second per entry adds up."""
    written = paper(golden)
    first, last = (round(len(written.texts) * share) for share in by_keyboard)
    page = visit("/record")
    ready(page)
    set_up(page, game, written)
    page.wait_for_url(re.compile("draft="))
    ready(page)
    expect(field(page)).to_be_focused()
    for text in written.texts[:first]:
        typed(page, text)
    if first < last:
        expect(page.locator(".record-saved")).to_have_text("Saved")
        entered(served, number_of(page), written.texts[first:last])
        expect(rows(page)).to_have_count(last)
    for text in written.texts[last:]:
        typed(page, text)
    expect(turn(page)).to_contain_text("The match is over.")
    expect(rows(page)).to_have_count(len(written.texts))
    expect(page.get_by_role("button", name="Submit the match")).to_be_focused()
    page.keyboard.press("Enter")
    replay = page.get_by_role("link", name="Open its replay")
    reach(page, replay)
    with urllib.request.urlopen(f"{served.url}/api/records/{number_of(page)}/log.jsonl") as log:
        lines = log.read().splitlines(keepends=True)
    assert events(lines) == events(written.lines)
    page.keyboard.press("Enter")
    expect(page.locator("#replay[data-ready=true]")).to_be_visible()
    expect(page.locator(".replay-title")).to_contain_text(f"{written.players} players")


@contextmanager
def running(database: Path, port: int) -> Iterator[tuple[Popen, str]]:
    """Serve in a separate process, on a port (0: any), and kill it at the end unless it was killed before."""
    command = [*HIMALAYA, "serve", "--db", str(database), "--host", "127.0.0.1", "--port", str(port)]
    with Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server, next(found[0] for line in server.stdout if (found := re.search(r"http://[\d.:]+", line)))
        finally:
            server.kill()


@pytest.mark.slow("kills a server")
def test_a_match_continues_after_three_reloads_and_a_killed_server(
    tmp_path: Path, page: Page, refusals: list[str]
) -> None:
    refusals.append("ERR_CONNECTION")
    written, database = paper("climbers-3"), tmp_path / "records.duckdb"
    texts, quarter = written.texts, len(written.texts) // 4

    def write(some: Sequence[str], whole: int) -> None:
        for text in some:
            typed(page, text)
        expect(rows(page)).to_have_count(whole)

    with running(database, 0) as (server, url):
        seats = [{"name": name} for name in ("Anna", "Ben", "Chris")]
        made = asked(url, "POST", "/api/records", {"game": "climbers", "seats": seats})
        page.goto(f"{url}/record?draft={made['id']}")
        ready(page)
        write(texts[:quarter], quarter)
        page.keyboard.type(texts[quarter])
        page.reload()
        ready(page)
        expect(field(page)).to_have_value(texts[quarter])
        expect(page.get_by_text("This was not sent before")).to_be_visible()
        page.keyboard.press("Enter")
        write(texts[quarter + 1 : 2 * quarter], 2 * quarter)
        page.reload()
        ready(page)
        expect(field(page)).to_have_value("")
        server.send_signal(signal.SIGKILL)
        server.wait()
        typed(page, texts[2 * quarter])
        typed(page, texts[2 * quarter + 1])
        expect(page.locator(".record-saved")).to_contain_text("The server cannot be reached.")
    with running(database, int(url.rpartition(":")[2])):
        expect(rows(page)).to_have_count(2 * quarter + 2)
        expect(page.locator(".record-saved")).to_have_text("Saved")
        page.reload()
        ready(page)
        write(texts[2 * quarter + 2 :], len(texts))
        expect(turn(page)).to_contain_text("The match is over.")
        assert entries_of(page, url) == texts


@pytest.fixture
def beside(browser: Browser, served: Served) -> Iterator[Page]:
    """Open a second browser for another person."""
    context = browser.new_context(base_url=served.url)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.slow("two who enter the same match")
def test_two_recorders_follow_each_other_including_undo(
    visit: Visit, beside: Page, served: Served, refusals: list[str]
) -> None:
    refusals.append("status of 409")
    written = paper("caravan-3")
    address = begun(served, "caravan", written.texts[:5])
    page = opened(visit, address)
    beside.goto(address)
    ready(beside)
    expect(rows(beside)).to_have_count(5)
    for number, text in enumerate(written.texts[5:8], start=6):
        typed(page, text)
        expect(rows(beside)).to_have_count(number)
    expect(beside.locator(".record-column > .bookmark-note")).to_contain_text(f"entered {written.texts[7]}")
    rows(beside).nth(1).click()
    page.keyboard.press("Control+z")
    expect(rows(beside)).to_have_count(7)
    looked = beside.locator(".record-entry[aria-selected=true]")
    expect(looked).to_contain_text(written.texts[1])  # a reader of an earlier position stays there
    beside.get_by_role("button", name="Show the newest").first.click()
    expect(looked).to_contain_text(written.texts[6])
    expect(beside.locator(".record-column > .bookmark-note")).to_have_text("1 entry was undone.")
    expect(field(page)).to_have_value(written.texts[7])
    page.keyboard.press("Enter")  # it was restored to be corrected or entered again
    expect(rows(beside)).to_have_count(8)
    # Both people enter at the same time: the page of the later one keeps the typed text and shows a notice.
    page.route("**/api/records/*", lambda route: route.abort() if route.request.method == "GET" else route.continue_())
    refusals.append("ERR_FAILED")
    typed(beside, written.texts[8])
    expect(rows(beside)).to_have_count(9)
    page.unroute("**/api/records/*")
    page.route("**/api/records/*/actions", lambda route: route.continue_(post_data=json.dumps(stale(route.request))))
    typed(page, written.texts[9])
    expect(page.get_by_role("alert").filter(has_text="Your entry is kept.")).to_be_visible()
    expect(field(page)).to_have_value(written.texts[9])
    expect(rows(page)).to_have_count(9)
    page.unroute("**/api/records/*/actions")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(10)
    assert entries_of(page, served.url) == written.texts[:10]


def stale(request: Any) -> dict[str, Any]:
    """Return a request body whose expected number of changes is one too low."""
    body: dict[str, Any] = request.post_data_json
    return body | {"expects": body["expects"] - 1}


PLAN = "stxirr"


@pytest.mark.slow("two readers and a program")
def test_a_plan_against_a_program_is_hidden_from_others(visit: Visit, beside: Page) -> None:
    page = visit("/record")
    ready(page)
    page.get_by_role("radio", name="Himalaya (Tilsit 2004)").check()
    page.get_by_label("How many").select_option("3")
    page.get_by_role("button", name="Play against programs").click()
    page.keyboard.type("Anna")
    page.get_by_label("Seat 2 is").select_option("open")
    page.get_by_label("Program of seat 3").select_option("random")
    page.get_by_role("button", name="Begin").press("Enter")
    page.wait_for_url(re.compile("draft="))
    ready(page)
    told: list[str] = []
    beside.on("response", lambda answer: told.append(answer.text()) if "/api/records/" in answer.url else None)
    beside.goto(page.url)
    ready(beside)
    expect(turn(beside)).to_have_text("Anna (seat 1) is to decide")
    expect(field(beside)).to_be_hidden()
    expect(page.locator(".record-mine")).to_contain_text("Anna")
    beside.get_by_label("Name for seat 2").fill("Ben")
    beside.keyboard.press("Enter")
    expect(beside.locator(".record-mine")).to_contain_text("Ben")
    expect(page.locator(".record-seats")).to_contain_text("Ben")
    for browser, village in ((page, "3"), (beside, "7")):
        expect(turn(browser)).to_contain_text("Your turn")
        typed(browser, village)
    expect(page.locator(".entry-plan")).to_be_visible()
    typed(page, PLAN)
    expect(turn(page)).to_have_text("Ben (seat 2) is to decide")
    expect(rows(page).filter(has_text=PLAN)).to_have_count(1)
    expect(rows(beside).filter(has_text="a secret choice").first).to_be_visible()
    expect(beside.locator("body")).not_to_contain_text(PLAN)
    assert not [body for body in told if PLAN in body or '"commit_plan"' in body.partition('"choices"')[0]]
    typed(beside, "rrrrrr")
    expect(rows(beside).filter(has_text=PLAN)).to_have_count(1)  # all plans are complete, so they are revealed
    expect(rows(page).filter(has_text="rrrrrr")).to_have_count(1)
