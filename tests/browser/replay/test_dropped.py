"""A log dropped on the page is played there; a quarantined match or an invalid log shows its error."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from himalaya_core.files import read_lines
from ingest.pipeline import ingest
from tests.browser.conftest import PATIENCE, Served

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]
DROP_FILE = """(place, [name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  for (const kind of ["dragenter", "dragover", "drop"])
    place.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def lines(served: Served) -> list[bytes]:
    """Return the lines of a served match."""
    assert served.logs
    log = next(served.logs.glob("four*.jsonl.zst"))
    return [line for line in read_lines(log) if b'"four.000001"' in line]


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., Served], lines: list[bytes]) -> Served:
    """A server with a match, a conflicting log of it in quarantine, and two matches only there, one without a start."""
    folder = tmp_path_factory.mktemp("damaged")
    renamed = [line.replace(b'"four.000001"', b'"broken"') for line in lines]
    other = [*lines[:40], renamed[40].replace(b'"broken"', b'"four.000001"').replace(b'"ply":', b'"at":null,"ply":')]
    (folder / "good.jsonl").write_bytes(b"".join(lines))
    (folder / "broken.jsonl").write_bytes(b"".join([*renamed[:40], *renamed[41:]]))
    (folder / "other.jsonl").write_bytes(b"".join(other))
    rest = [line.replace(b'"four.000001"', b'"rest"') for line in lines[1:]]
    (folder / "rest.jsonl").write_bytes(b"".join(rest))
    for name in ("good", "broken", "other", "rest"):
        ingest([folder / f"{name}.jsonl"], folder / "w.duckdb", processes=0)
    return serve(folder / "w.duckdb", folder)


@pytest.fixture(scope="module")
def dark(browser: Browser, damaged: Served) -> Iterator[BrowserContext]:
    """A browser context for the damaged server, whose pages share compiled scripts."""
    context = browser.new_context(base_url=damaged.url, color_scheme="dark", viewport={"width": 390, "height": 844})
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def strict(dark: BrowserContext) -> Iterator[Page]:
    """A page of the damaged server whose console may contain refused requests, but no other errors."""
    page = dark.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.close()
    assert [text for text in complaints if "status of 422" not in text] == []


def landing(page: Page) -> Page:
    expect(page.get_by_label("choose one")).to_be_visible()
    return page


def plays(page: Page, events: int) -> None:
    expect(page.locator("#replay-uploaded")).to_have_attribute("data-ready", "true")
    expect(page.locator("#replay-scrubber")).to_have_attribute("max", str(events - 1))
    expect(page.locator("#replay-landing")).to_be_hidden()
    page.keyboard.press("End")
    expect(page.locator("#replay-scrubber")).to_have_value(str(events - 1))


@pytest.mark.slow("several dropped files")
def test_a_dropped_log_is_played_and_not_kept_as_is_one_match_of_a_chosen_log(
    visit: Visit, served: Served, lines: list[bytes], refusals: list[str]
) -> None:
    refusals.append("status of 422")
    page = landing(visit("/replay"))
    page.locator("#replay-landing").evaluate(DROP_FILE, ["rest.jsonl", b"".join(lines[1:]).decode()])
    refused = page.get_by_role("status").filter(has_text="rest.jsonl cannot be replayed")
    expect(refused).to_contain_text("Line 1: type: expected match_started in the first line, found refill_rolled")
    log = b"".join(lines).replace(b'"four.000001"', b'"mine"').decode()
    page.locator("#replay-landing").evaluate(DROP_FILE, ["mine.jsonl", cut(log, 120)])
    plays(page, 120)
    expect(page.get_by_role("heading", level=1)).to_contain_text("mine")
    expect(page.get_by_text("it is not stored here")).to_be_visible()
    expect(page.locator(".timeline-still .chances")).to_be_visible()
    page.get_by_role("link", name="Choose another").click()
    expect(landing(page).get_by_role("link", name="All 24 matches")).to_be_visible()
    assert served.logs
    page.get_by_label("choose one").set_input_files(next(served.logs.glob("three*.jsonl.zst")))
    expect(page.get_by_role("status").filter(has_text="holds 12 matches; which one?")).to_be_visible()
    page.get_by_role("button", name="three.000004").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("three.000004")


def cut(log: str, lines: int) -> str:
    return "".join(log.splitlines(keepends=True)[:lines])


@pytest.mark.slow("a server that is busy")
def test_a_request_to_a_busy_server_is_retried(visit: Visit, lines: list[bytes], refusals: list[str]) -> None:
    refusals.append("status of 503")
    page = landing(visit("/replay"))
    busy = {"status": 503, "headers": {"Retry-After": "0"}, "body": '{"message": "2 logs are being checked"}'}
    page.route("**/api/replay", lambda route: route.fulfill(**busy), times=2)
    page.locator("#replay-landing").evaluate(DROP_FILE, ["mine.jsonl", cut(b"".join(lines).decode(), 120)])
    plays(page, 120)


@pytest.mark.slow("a log dropped on a match")
def test_a_log_dropped_on_a_match_is_distinguished_from_it(strict: Page, damaged: Served, lines: list[bytes]) -> None:
    assert damaged.logs
    strict.goto("/replay?match=four.000001&ply=40")
    expect(strict.locator("#replay")).to_have_attribute("data-ready", "true")
    expect(strict.locator(".replay-note[role=status]").first).to_be_attached()  # the page accepts dropped logs
    strict.locator(".replay-time").scroll_into_view_if_needed()
    bad = (damaged.logs / "rest.jsonl").read_text("utf-8")
    strict.locator("#replay").evaluate(DROP_FILE, ["rest.jsonl", bad])
    told = strict.get_by_role("status").filter(has_text="rest.jsonl cannot be replayed")
    expect(told).to_be_in_viewport()
    expect(told).to_be_focused()
    log = b"".join(lines).replace(b'"four.000001"', b'"mine"').decode()
    strict.locator("#replay").evaluate(DROP_FILE, ["mine.constructor", cut(log, 120)])
    expect(strict.get_by_role("heading", level=1)).to_contain_text("mine")
    strict.get_by_role("button", name="View").click()
    strict.get_by_role("radio", name="knew").nth(1).click()
    expect(strict.locator("#replay-view span")).to_have_text(re.compile("^As "))
    expect(strict.get_by_text("it is not stored here")).to_be_visible()
    strict.get_by_role("link", name="Back to four.000001").click()
    expect(strict.locator("#replay-scrubber")).to_have_attribute("aria-valuetext", re.compile("ply 40"))


@pytest.mark.slow("matches in quarantine")
def test_matches_in_quarantine_and_invalid_logs_show_reason_and_place(strict: Page, damaged: Served, axe: Axe) -> None:
    assert damaged.logs
    strict.goto("/replay?match=rest")
    card = strict.locator("section").filter(has=strict.get_by_role("heading", name="rest is in quarantine"))
    expect(card.get_by_role("heading", level=3)).to_have_text("Line 1 of rest.jsonl")
    found = ["Field", "type", "Expected", "match_started in the first line", "Found", "refill_rolled"]
    assert card.locator("dl").inner_text().split("\n") == found
    landing(strict)
    assert axe(strict) == []
    assert strict.evaluate("document.documentElement.scrollWidth") <= 390
    strict.get_by_label("choose one").set_input_files(damaged.logs / "rest.jsonl")
    told = strict.get_by_role("status").filter(has_text="rest.jsonl cannot be replayed")
    expect(told).to_contain_text("Line 1: type: expected match_started in the first line, found refill_rolled")
    expect(told).to_be_in_viewport()
    assert axe(strict, "#replay-landing") == []
    card.get_by_role("link", name="Imports").click()
    expect(strict.get_by_role("heading", level=1)).to_have_text("Imports")


@pytest.mark.slow("matches in quarantine")
@pytest.mark.usefixtures("damaged")
def test_a_match_in_quarantine_plays_as_far_as_it_is_valid(strict: Page, axe: Axe) -> None:
    strict.goto("/replay?match=broken")
    expect(strict.locator("#replay")).to_have_attribute("data-ready", "true")
    expect(strict.locator("#replay-scrubber")).to_have_attribute("max", "39")
    expect(strict.locator(".replay-banner")).to_have_text(
        "This match is in quarantine and counts in no figure. It plays up to event 40, just before line 41 of "
        "broken.jsonl: seq: expected 40, found 41. See Imports."
    )
    assert axe(strict) == []
    assert strict.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow("two logs of one name")
@pytest.mark.usefixtures("damaged")
def test_another_log_of_the_same_name_in_quarantine_is_mentioned(strict: Page, axe: Axe) -> None:
    strict.goto("/replay?match=four.000001")
    expect(strict.locator("#replay")).to_have_attribute("data-ready", "true")
    expect(strict.get_by_text("Another log under this name is in quarantine")).to_contain_text("(other.jsonl:1)")
    assert axe(strict) == []
