"""Helpers for recording tests: golden matches as on paper, recordings started over HTTP, and parts of the page."""

import json
import re
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from himalaya_core.files import read_lines
from himalaya_core.record_file import file_of
from himalaya_core.replay import Replay
from tests.browser.conftest import GOLDEN, Served

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]
LONG = 60
"""Length above which a text is pasted instead of typed."""
MOST_TABS = 80


class Paper(NamedTuple):
    """A match as written on paper: its moves and entries in order."""

    lines: Sequence[bytes]
    players: int
    options: list[str]
    texts: list[str]


def paper(golden: str) -> Paper:
    lines = list(read_lines(GOLDEN / f"{golden}.jsonl"))
    replay = Replay.read(lines)
    _, body = file_of(replay).split("---\n")
    texts = [text.strip() for line in body.splitlines() for text in line.split(";")]
    chosen = [name for name, value in replay.header.options.items() if value is True]
    return Paper(lines, len(replay.header.seats), chosen, texts)


def asked(url: str, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} if data else {}
    request = urllib.request.Request(url + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def begun(served: Served, game: str, texts: Sequence[str] = (), **setup: Any) -> str:
    """Start a recording for three players, make some entries, and return its page."""
    seats = [{"name": name} for name in ("Anna", "Ben", "Chris")]
    made = asked(served.url, "POST", "/api/records", {"game": game, "seats": seats, "title": "Sunday"} | setup)
    entered(served, made["id"], texts)
    return f"/record?draft={made['id']}"


def entered(served: Served, record: str, texts: Sequence[str]) -> None:
    if not texts:
        return
    state = asked(served.url, "GET", f"/api/records/{record}")
    for text in texts:
        said = {"expects": state["changes"], "text": text}
        state = asked(served.url, "POST", f"/api/records/{record}/actions", said)


def number_of(page: Page) -> str:
    found = re.search(r"draft=(\w+)", page.url)
    assert found is not None
    return found[1]


def entries_of(page: Page, url: str) -> list[str]:
    return [each["text"] for each in asked(url, "GET", f"/api/records/{number_of(page)}")["entries"]]


def opened(visit: Visit, address: str) -> Page:
    page = visit(address)
    ready(page)
    return page


def ready(page: Page) -> None:
    expect(page.locator("#record")).to_have_attribute("data-ready", "true")


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="What is entered next")


def rows(page: Page) -> Locator:
    return page.locator(".record-entry")


def turn(page: Page) -> Locator:
    return page.locator(".record-turn")


def reach(page: Page, place: Locator) -> None:
    """Press Tab until an element has the focus."""
    place.wait_for()
    for _ in range(MOST_TABS):
        if place.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{place} is not reached by keyboard")


def typed(page: Page, text: str) -> None:
    if len(text) < LONG:
        page.keyboard.type(text)
    else:
        page.keyboard.insert_text(text)
    page.keyboard.press("Enter")
