"""Entering a match: typed text is completed, refused, undone and viewed; also the form, the list, and all looks."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Looks, Served, wide
from tests.browser.record.recorded import (
    Axe,
    Visit,
    asked,
    begun,
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

TEXTS = paper("caravan-3").texts
PLACING, PLANNING = 10, 13
"""Number of entries before the first caravan is placed, and before the first plans."""


def error(page: Page) -> Any:
    return page.locator("#record-error")


def test_entries_are_refused_lost_undone_and_shown_again(visit: Visit, served: Served, refusals: list[str]) -> None:
    refusals += ["status of 422", "ERR_FAILED", "status of 409"]
    page = opened(visit, begun(served, "caravan"))
    check_refusal(page)
    check_undoing(page, entries_of(page, served.url))
    check_lost_answer(page)
    check_earlier_position(page, served)
    check_reload(page)


def check_refusal(page: Page) -> None:
    """Refused text stays in the field with the expected form; the rest of the line is kept with it."""
    expect(turn(page)).to_have_text("Enter the roll")
    typed(page, f"{TEXTS[0]}; nonsense; {TEXTS[1]}")
    expect(error(page)).to_contain_text("the die and the cubes drawn")
    expect(error(page)).to_contain_text("found 'nonsense'")
    expect(field(page)).to_have_value(f"nonsense; {TEXTS[1]}")
    expect(field(page)).to_have_attribute("aria-invalid", "true")
    expect(field(page)).to_be_focused()
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(error(page)).to_be_hidden()
    typed(page, "?")
    expect(rows(page)).to_have_count(2)
    typed(page, "; ".join(["?"] * 3))
    expect(rows(page)).to_have_count(5)
    expect(error(page)).to_be_hidden()
    typed(page, "")
    expect(error(page)).to_have_text("Type what is entered.")


def check_undoing(page: Page, texts: list[str]) -> None:
    """Undo puts the last of five entries back into the field, and it is entered again."""
    page.keyboard.press("Control+z")
    expect(rows(page)).to_have_count(4)
    expect(field(page)).to_have_value(texts[4])
    page.keyboard.press("Control+z")  # undoes another entry, as nothing was typed
    expect(rows(page)).to_have_count(3)
    expect(field(page)).to_have_value(texts[3])
    page.keyboard.type("?")  # replaces the selected text
    page.keyboard.press("Control+z")  # undoes the typing, as in any text field
    expect(rows(page)).to_have_count(3)
    page.keyboard.press("Escape")
    typed(page, texts[3])
    expect(rows(page)).to_have_count(4)


def check_lost_answer(page: Page) -> None:
    """If a response is lost, its entries are still made only once."""
    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost:
            return route.continue_()
        lost.append(str(route.request.post_data))
        route.fetch()
        return route.abort()

    page.route("**/api/records/*/actions", lose)
    typed(page, "; ".join(["?"] * 4))
    expect(rows(page)).to_have_count(8)
    expect(page.locator(".record-saved")).to_have_text("Saved")
    expect(field(page)).to_have_value("")
    expect(error(page)).to_be_hidden()
    assert len(lost) == 1
    page.unroute_all()


def check_earlier_position(page: Page, served: Served) -> None:
    """Open one of eight earlier positions, leave it, and return to it."""
    texts = entries_of(page, served.url)
    assert len(texts) == 8
    caption, pressed = page.locator(".record-caption > span"), page.locator(".record-entry[aria-selected=true]")
    newest = caption.inner_text()
    for _ in range(3):
        page.keyboard.press("Alt+ArrowUp")
    expect(pressed).to_contain_text(texts[4])
    expect(caption).not_to_have_text(newest)
    page.keyboard.press("Escape")
    expect(caption).to_have_text(newest)
    rows(page).nth(3).click()
    expect(pressed).to_contain_text(texts[3])
    page.keyboard.type("no")  # typed text goes to the field, whatever had the focus
    expect(field(page)).to_have_value("no")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Undo 4 entries to here")).to_be_visible()
    reach(page, page.get_by_role("listbox", name="Entries"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Undo 3 entries", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(rows(page)).to_have_count(8)
    page.get_by_role("button", name="Undo 3 entries to here").press("Enter")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(5)
    expect(field(page)).to_be_focused()
    assert entries_of(page, served.url) == texts[:5]


def check_reload(page: Page) -> None:
    """Typed but unsent text is kept when the page is reloaded."""
    page.keyboard.type("?")
    page.reload()
    ready(page)
    expect(field(page)).to_have_value("?")
    expect(page.get_by_text("This was not sent before")).to_be_visible()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(6)


def test_a_disc_is_completed_from_its_goods_and_yaks(visit: Visit, served: Served) -> None:
    page = opened(visit, begun(served, "caravan", TEXTS[:5]))
    options = page.get_by_role("option").and_(page.locator("#record-options li")).locator("visible=true")
    expect(options).to_have_count(0)
    page.keyboard.type("17 ")
    expect(options.first).to_contain_text("in the bag")
    page.keyboard.type("bar gold")
    expect(options).to_have_text(["barley gold 71 in the bag"])
    page.keyboard.press("Enter")
    expect(rows(page).last).to_contain_text("17 barley gold 7")
    typed(page, "9 o1")  # codes of the log are still read
    expect(rows(page).last).to_contain_text("9 salt salt 2")


def test_the_actions_of_rivals_since_the_last_decision_are_listed_and_shown(
    page: Page, served: Served, axe: Axe
) -> None:
    page.goto(f"{served.url}/record")
    ready(page)
    seats = [{"name": "Anna"}, {"program": "random"}, {"program": "random"}]
    setup = {"game": "caravan", "seats": seats, "dice": "drawn", "take": [0]}
    made = page.request.post(f"{served.url}/api/records", data=setup).json()  # as the page, which then has the key
    page.goto(f"{served.url}/record?draft={made['id']}")
    ready(page)
    listed = page.get_by_role("region", name="Since your last decision")
    expect(listed).to_be_hidden()  # nothing was decided yet
    expect(turn(page)).to_contain_text("Your turn")
    field(page).press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".entry-plan")).to_be_visible()
    typed(page, "rrrrrr")
    caption = page.locator(".record-caption")
    expect(listed.get_by_role("button", name="commits a plan").first).to_be_visible()
    expect(listed.get_by_role("listitem").filter(has_text="Dolpo-pa")).to_have_count(0)  # that is Anna
    line = listed.get_by_role("listitem").get_by_role("button").first
    said = line.evaluate("line => { line.click(); return line.textContent; }")  # the list still grows
    expect(caption).to_contain_text(said)
    assert axe(page, ".record-column") == []
    expect(caption).to_contain_text(said)  # also after further actions of the programs
    back = listed.get_by_role("button", name="Back to now")
    back.click()
    expect(back).to_be_hidden()
    expect(page.get_by_role("button", name="Show the newest")).to_be_hidden()


def test_a_plan_is_previewed_as_it_is_typed(visit: Visit, served: Served, axe: Axe) -> None:
    page = opened(visit, begun(served, "caravan", TEXTS[:PLANNING]))
    steps = page.locator(".planned-step")
    page.keyboard.type("rrxx")
    expect(steps).to_have_count(4)
    expect(page.locator(".record-card .entry-foreseen")).to_contain_text("If the others rest, it ends in Village")
    expect(page.locator(".planned-void")).to_have_count(page.locator(".entry-void").count())
    assert page.locator(".entry-void").count() >= 1  # a village trades once a round
    expect(page.locator(".entry-void").last).to_have_accessible_name(re.compile("^4: trade. Does not trade: "))
    assert axe(page, ".record-card") == []
    page.keyboard.press("Escape")
    expect(steps).to_have_count(0)
    expect(page.locator(".record-card .entry-foreseen")).to_have_text("")


def test_entries_that_arrived_are_not_reported_as_unsent_after_a_reload(visit: Visit, served: Served) -> None:
    page = opened(visit, begun(served, "caravan", TEXTS[:3]))
    page.keyboard.press("Control+z")
    expect(field(page)).to_have_value(TEXTS[2])
    page.reload()
    ready(page)
    expect(rows(page)).to_have_count(2)
    expect(field(page)).to_have_value("")
    arrived: list[Any] = []
    page.route("**/api/records/*/actions", lambda route: arrived.append(route.fetch()))  # the answer never arrives
    typed(page, f"{TEXTS[2]}; {TEXTS[3]}")
    while not arrived:
        page.evaluate("0")
    page.reload()
    ready(page)
    page.unroute_all()
    expect(rows(page)).to_have_count(3)
    expect(field(page)).to_have_value(TEXTS[3])  # only the second entry was not sent


@pytest.mark.slow("several phases of a match")
def test_placings_and_plans_are_entered_and_the_match_is_submitted_unfinished(
    visit: Visit, served: Served, axe: Axe, looks: Looks, tmp_path: Path
) -> None:
    page = opened(visit, begun(served, "caravan", TEXTS[:PLACING]))
    check_list(page, served)
    check_log_and_handing_in(page, tmp_path)
    check_plans(page, served)
    page.get_by_text("Keys", exact=True).click()
    rows(page).nth(PLANNING - 3).click()
    check_use(page, axe, looks)


def check_list(page: Page, served: Served) -> None:
    """A list is narrowed by typing and clicking; nothing is entered by accident."""
    options = page.get_by_role("option").and_(page.locator("#record-options li"))
    every = options.count()
    assert every > 10
    page.keyboard.press("Enter")
    expect(error(page)).to_contain_text("choose it with")
    page.keyboard.type("1")
    expect(options.locator("visible=true").first).to_have_text("1Starts in village 1")
    page.keyboard.press("Enter")  # enters the exact choice, although other choices start with the same letters
    expect(rows(page)).to_have_count(PLACING + 1)
    page.keyboard.type("village 12")
    expect(options.locator("visible=true")).to_have_count(1)
    expect(options.locator("visible=true")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    chosen = page.locator("#record-options [aria-selected=true] code").inner_text()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(PLACING + 2)
    page.locator('[data-thing="n12"]').first.dispatch_event("click")
    expect(page.locator(".entry-near")).to_have_text("At Village 12 ×")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(PLACING + 3)
    assert entries_of(page, served.url)[PLACING:] == ["1", chosen, "12"]


def check_log_and_handing_in(page: Page, folder: Path) -> None:
    """The log is available before the end; an unfinished match can be submitted."""
    page.get_by_role("button", name="More").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download log").click()
    download.value.save_as(folder / "log.jsonl")
    first = json.loads((folder / "log.jsonl").read_bytes().splitlines()[0])
    assert [seat["player"] for seat in first["data"]["seats"]] == ["Anna", "Ben", "Chris"]
    with page.expect_download() as download:
        page.get_by_role("link", name="Notation").click()
    assert "players Anna, Ben, Chris" in download.value.path().read_text()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("counts in no figure")).to_be_visible()
    page.get_by_role("button", name="Submit as unfinished").click()
    expect(page.locator(".record-handed")).to_contain_text("with 13 entries.")
    expect(page.get_by_role("link", name="Open its replay")).to_be_visible()


def check_plans(page: Page, served: Served) -> None:
    """A plan has a chip for each of its letters, and can be entered for any seat."""
    due, chips = page.get_by_role("group", name="Seat to enter for"), page.locator(".entry-chip")
    pressed = due.locator("[aria-pressed=true]")
    expect(pressed).to_contain_text("Anna")
    page.keyboard.type("2:")
    expect(pressed).to_contain_text("Ben")
    page.keyboard.type(" sx")
    expect(chips).to_have_count(2)
    page.get_by_role("button", name="Add stone").click()
    page.locator('[data-thing="n10"]').first.dispatch_event("click")
    expect(field(page)).to_have_value("2: sxtx")
    chips.nth(2).press("Alt+ArrowLeft")
    expect(field(page)).to_have_value("2: stxx")
    field(page).press("End")
    typed(page, "rr")
    expect(rows(page).last).to_contain_text("2: stxxrr")
    expect(page.locator(".record-handed")).to_contain_text("1 entry was made since")
    choices = "**/api/records/*?seat=2"
    page.route(choices, lambda _: None)  # the request is never answered
    with page.expect_request(choices):
        page.keyboard.press("Alt+Digit3")
    typed(page, "rrrrrr")  # before the page has loaded the choices of that seat
    expect(rows(page).last).to_contain_text("3: rrrrrr")
    page.unroute_all()
    typed(page, "sssrrr")  # Anna is the last seat to plan
    expect(rows(page).last).to_contain_text("sssrrr")
    assert entries_of(page, served.url)[PLANNING:] == ["2: stxxrr", "3: rrrrrr", "sssrrr"]


def check_use(page: Page, axe: Axe, looks: Looks) -> None:
    for look in looks(page):
        page.evaluate("window.scrollTo(0, 0)")  # so that nothing is partly covered by the header
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
        ends = field(page).bounding_box()
        assert ends
        assert ends["y"] + ends["height"] < look.size[1], look  # the next step is visible without scrolling


@pytest.mark.slow("the form of What if, in a recording")
def test_a_block_is_laid_in_its_form(visit: Visit, served: Served, refusals: list[str]) -> None:
    refusals.append("status of 422")
    texts = paper("climbers-2").texts
    first = next(number for number, text in enumerate(texts) if text.startswith("block"))
    seats = [{"name": "Anna"}, {"name": "Ben"}]
    page = opened(visit, begun(served, "climbers", texts[:first], seats=seats))
    expect(page.locator(".entry-block")).to_be_visible()
    page.locator("#entry-block").select_option(index=3)
    page.locator(".entry-pad").focus()
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".entry-legal")).to_contain_text("Not allowed: ")
    page.keyboard.press("Enter")
    expect(error(page)).to_be_visible()
    expect(rows(page)).to_have_count(first)
    field(page).focus()
    typed(page, texts[first])
    expect(rows(page)).to_have_count(first + 1)
    assert entries_of(page, served.url)[-1] == texts[first]


@pytest.mark.slow("the form in every look")
def test_a_match_is_set_up_and_removed_and_the_form_is_accessible(
    visit: Visit, served: Served, axe: Axe, looks: Looks
) -> None:
    begun(served, "caravan", TEXTS[:1])
    page = visit("/record")
    ready(page)
    begin = page.get_by_role("button", name="Begin")
    begin.click()
    expect(page.get_by_text("Player 1 has no name yet.")).to_be_visible()
    expect(page.get_by_label("Name of player 1")).to_be_focused()
    page.get_by_label("How many").select_option("3")
    for seat, name in enumerate(("Anna", "Ben", "Chris"), start=1):
        page.get_by_label(f"Name of player {seat}").fill(name)
    page.get_by_label("Board").select_option("seven-valleys")
    page.get_by_label("The First Caravaneer of round 1").select_option("Seat 2")
    page.get_by_label("Village cards instead of the die").check()
    page.get_by_label("Title").fill("A windy day")
    begin.click()
    page.wait_for_url(re.compile("draft="))
    ready(page)
    expect(page.get_by_role("heading", name="A windy day")).to_be_visible()
    number = number_of(page)
    found = asked(served.url, "GET", f"/api/records/{number}")
    assert [seat["name"] for seat in found["seats"]] == ["Anna", "Ben", "Chris"]
    assert (found["kind"], found["dice"]) == ("table", "entered")
    page.go_back()
    ready(page)
    expect(page.get_by_label("Name of player 2")).to_have_value("Ben")  # the form suggests the previous players
    row = page.locator(".record-draft").filter(has_text="A windy day")
    expect(row).to_contain_text("Himalaya (Tilsit 2004) · Anna, Ben, Chris")
    row.get_by_role("button", name="Remove the recording").press("Enter")
    page.keyboard.press("Escape")
    expect(row.get_by_role("button", name="Remove the recording")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(row).to_have_count(0)
    assert number not in [each["id"] for each in asked(served.url, "GET", "/api/records")["records"]]
    page.get_by_role("button", name="Remove the recording").first.click()
    page.get_by_role("button", name="Play against programs").click()
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look


@pytest.mark.soak("further decisions and games in every look")
@pytest.mark.parametrize(("game", "entries"), [("caravan", 0), ("caravan", PLACING), ("summit", 12), ("climbers", 8)])
def test_a_recording_is_accessible(
    visit: Visit, served: Served, axe: Axe, looks: Looks, game: str, entries: int
) -> None:
    page = opened(visit, begun(served, game, paper(f"{game}-3").texts[:entries]))
    page.get_by_text("Keys", exact=True).click()
    if entries > 2:
        rows(page).nth(entries - 3).click()
    check_use(page, axe, looks)


@pytest.mark.slow("the first and the last moment in every look")
def test_open_seats_and_the_end_are_accessible(visit: Visit, served: Served, axe: Axe, looks: Looks) -> None:
    seats = [{"name": "Anna"}, {"name": None}, {"program": "random"}]
    page = opened(visit, begun(served, "caravan", seats=seats, dice="drawn"))
    expect(page.get_by_role("button", name="Take this seat").first).to_be_visible()
    assert axe(page) == []
    page = opened(visit, begun(served, "climbers", paper("climbers-3").texts))
    expect(turn(page)).to_contain_text("The match is over.")
    page.get_by_role("button", name="Submit", exact=True).click()
    for look in looks(page):
        assert axe(page) == [], look
        assert wide(page) <= look.size[0], look
