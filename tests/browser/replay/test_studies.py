"""Studies in the browser: created by keyboard, read across two matches, changed, and read offline."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import PATIENCE, Looks, Served

Visit = Callable[[str], Page]
FIRST, OTHER = "four.000001", "four.000002"
API = "/api/studies"
STORM = {
    "title": "The storm",
    "match": FIRST,
    "ply": "60",
    "text": "It *blows*.",
    "shapes": [{"start": "n3", "end": "n6"}],
}
END = {"title": "How it ended", "match": OTHER, "ply": "12", "text": "Elsewhere.", "hidden": True}


@pytest.fixture
def ask(served: Served) -> Iterator[Callable[..., Any]]:
    """Yield a function that calls the API; remove all studies after the test."""

    def send(method: str, path: str = API, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        request = urllib.request.Request(served.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    yield send
    for study in send("GET")["studies"]:
        send("DELETE", f"{API}/{study['id']}")


@pytest.fixture
def study(ask: Callable[..., Any]) -> str:
    return str(ask("POST", API, {"title": "Weather", "chapters": [STORM, END]})["id"])


def opened(visit: Visit, query: str) -> Page:
    page = visit(f"/replay?match={FIRST}&panel=study{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def panel(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Study")


@pytest.mark.slow("another way to a study")
def test_a_study_is_started_at_the_playhead_by_keyboard_alone(player: Visit, ask: Callable[..., Any]) -> None:
    page = opened(player, "&ply=60")
    panel(page).get_by_role("button", name="New study from this position").press("Enter")
    form = panel(page).get_by_role("form", name="New study")
    expect(form.get_by_label("Title")).to_be_focused()
    page.keyboard.type("Two caravans")
    page.keyboard.press("Tab")
    page.keyboard.type("Both want **salt**.")
    form.get_by_label("Around, or from").select_option("n3")
    form.get_by_role("button", name="Draw").press("Enter")
    expect(page.locator(".board-marks .mark-group")).to_have_count(1)
    expect(form.locator(".study-shapes li")).to_contain_text("Circle around Village 3")
    form.get_by_role("button", name="Save").press("Enter")
    expect(panel(page).get_by_role("heading", name="Two caravans")).to_be_visible()
    expect(panel(page).locator("strong")).to_have_text("salt")
    ((number, kept),) = ((each["id"], each) for each in ask("GET")["studies"])
    assert kept["chapters"] == 1
    said = ask("GET", f"{API}/{number}")["chapters"][0]
    assert (said["match"], said["ply"], said["shapes"]) == (FIRST, "60", [{"around": "n3"}])


def test_a_chapter_in_the_making_outlasts_clicks_on_the_board_steps_escape_and_a_reload(
    player: Visit, study: str
) -> None:
    page = opened(player, "&ply=60")
    panel(page).get_by_role("button", name="New study from this position").click()
    form = panel(page).get_by_role("form", name="New study")
    form.get_by_label("Text").fill("Both want *salt*.")
    page.locator(".replay-map [data-thing=n3]").first.click(force=True)
    expect(form.get_by_label("Around, or from")).to_have_value("n3")
    expect(form).to_be_visible()
    page.locator(".replay-bar h1").click()
    page.keyboard.press("ArrowRight")
    form.get_by_label("Text").press("Escape")
    expect(form.get_by_label("Text")).to_have_value("Both want *salt*.")
    expect(form).to_contain_text("ply 60")  # the position at which it was begun
    page.reload()
    expect(form.get_by_label("Text")).to_have_value("Both want *salt*.")
    page.goto(f"/replay?match={FIRST}&panel=study&study={study}&chapter=1&ply=60")
    expect(form).to_be_hidden()  # it belongs to no study yet
    page.go_back()
    form.get_by_role("button", name="Save").click()
    expect(panel(page).locator("em")).to_have_text("salt")
    page.reload()
    expect(panel(page).locator("em")).to_be_visible()
    expect(form).to_be_hidden()


@pytest.mark.slow("two matches of a study")
def test_chapters_lead_through_two_matches_draw_on_their_positions_and_are_changed(
    visit: Visit, study: str, ask: Callable[..., Any]
) -> None:
    page = opened(visit, f"&study={study}&ply=60")
    expect(page.locator(".board-marks .mark-head")).to_have_count(1)
    chapters = panel(page).get_by_role("list", name="Chapters")
    expect(chapters.get_by_role("button")).to_have_text(["1. The storm", "2. Chapter 2"])
    page.keyboard.press("ArrowRight")
    expect(page.locator(".board-marks .mark-head")).to_have_count(0)  # the new position has no marks of the old one
    panel(page).get_by_role("button", name="Go to its position").click()
    expect(page.locator(".board-marks .mark-head")).to_have_count(1)
    panel(page).get_by_role("button", name="Next chapter").click()
    expect(page.get_by_role("heading", name=OTHER)).to_be_visible()
    expect(panel(page).get_by_role("heading", name="How it ended")).to_be_visible()
    expect(chapters.get_by_role("button").nth(1)).to_have_text("2. How it ended")
    page.go_back()
    expect(panel(page).get_by_role("heading", name="The storm")).to_be_visible()
    check_changes(page, study, ask)
    page.get_by_role("link", name="Matches", exact=True).click()
    page.get_by_role("link", name="Studies and bookmarks").click()
    page.get_by_role("link", name="Weather").click()
    expect(panel(page).get_by_role("heading", name="How it ended")).to_be_visible()


def check_changes(page: Page, study: str, ask: Callable[..., Any]) -> None:
    """Change, move and remove a chapter."""

    def do(name: str) -> None:
        panel(page).get_by_text("Edit and share").click()
        panel(page).get_by_role("button", name=name).click()

    do("Edit chapter")
    panel(page).get_by_label("Title").fill("The gale")
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).get_by_role("heading", name="The gale")).to_be_visible()
    do("Move down")
    expect(panel(page)).to_contain_text("chapter 2 of 2")
    assert [each["title"] for each in ask("GET", f"{API}/{study}")["chapters"]] == ["How it ended", "The gale"]
    do("Remove chapter")
    expect(panel(page)).to_contain_text("chapter 1 of 1")


def check_others_change(page: Page, study: str, ask: Callable[..., Any]) -> None:
    """A simultaneous change by another person is kept."""
    expect(panel(page).get_by_role("heading", name="The storm")).to_be_visible()
    ask("PUT", f"{API}/{study}", {"title": "Snow", "chapters": [STORM]})
    panel(page).get_by_text("Edit and share").click()
    panel(page).get_by_role("button", name="Edit chapter").click()
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).get_by_role("status")).to_contain_text("was changed meanwhile")
    assert ask("GET", f"{API}/{study}")["title"] == "Snow"


@pytest.fixture
def from_disk(browser: Browser, served: Served, tmp_path: Path) -> Iterator[Callable[[str], Page]]:
    """Open the offline file of a study without a network; its scripts must not fail."""
    context = browser.new_context(offline=True)
    context.set_default_timeout(PATIENCE)
    errors: list[str] = []

    def opens(study: str) -> Page:
        file = tmp_path / "study.html"
        with urllib.request.urlopen(f"{served.url}{API}/{study}/offline.html") as answer:
            file.write_bytes(answer.read())
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield opens
    context.close()
    assert errors == []


@pytest.mark.slow("another way to read a study")
def test_a_study_is_read_from_disk_without_a_network(from_disk: Callable[[str], Page], study: str) -> None:
    page = from_disk(study)
    expect(panel(page).get_by_role("heading", name="The storm")).to_be_visible()
    expect(page.locator(".board-marks .mark-head")).to_have_count(1)
    panel(page).get_by_role("button", name="Next chapter").click()
    expect(page.get_by_role("heading", name=OTHER)).to_be_visible()
    expect(panel(page).get_by_role("heading", name="How it ended")).to_be_visible()
    expect(panel(page).get_by_text("Edit and share")).to_have_count(0)


@pytest.mark.slow("a branch in a study")
def test_a_chapter_of_a_branch_shows_it_from_disk(
    from_disk: Callable[[str], Page], ask: Callable[..., Any], axe: Callable[..., list[str]]
) -> None:
    match = {"match": FIRST, "seq": 60}
    tried = ask("POST", "/api/branches", {**match, "then": {"go_on": {"players": None, "decisions": 4}}})
    branch = STORM | {"title": "What if", "branch": tried["id"]}
    lost = STORM | {"title": "Lost", "branch": "0" * 32}
    page = from_disk(ask("POST", API, {"title": "Tries", "chapters": [branch, STORM, lost]})["id"])
    card = page.get_by_role("region", name="What if")
    expect(card).to_contain_text("as it was kept")
    boards = page.locator(".board-half")
    expect(boards.nth(1)).to_contain_text("What if, from ply")
    expect(card.get_by_text("An earlier position is shown")).to_be_hidden()
    card.get_by_text("Tried so far (4 decisions)").click()
    expect(card.locator(".entry-node[aria-current]")).to_have_count(1)
    expect(card.get_by_role("button")).to_have_text([""])  # only Close: trying another action needs a server
    assert axe(page, ".replay-entry") == []
    panel(page).get_by_role("button", name="Next chapter").click()
    expect(panel(page).get_by_role("heading", name="The storm")).to_be_visible()
    expect(card).to_be_hidden()
    expect(boards.nth(1)).to_be_hidden()
    panel(page).get_by_role("button", name="Next chapter").click()
    expect(card).to_contain_text("This branch is not in the file")


@pytest.mark.slow("all parts of a study")
def test_anyone_can_read_and_write_a_study(
    player: Visit, study: str, ask: Callable[..., Any], axe: Callable[..., list[str]], looks: Looks, refusals: list[str]
) -> None:
    refusals.append("412")
    page = opened(player, f"&study={study}&ply=60")
    for look in looks(page):
        expect(page.locator(".board-marks .mark-head")).to_have_count(1)
        assert axe(page, ".study") == [], look
    check_others_change(page, study, ask)
    assert axe(page, ".study") == []
