"""What-if: try another action at a decision, by keyboard and on the board, next to the original match."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Looks, Served, wide

Visit = Callable[[str], Page]
Axe = Callable[..., list[str]]
CARAVAN, SUMMIT, CLIMBERS = "cup.000000", "ropes.000000", "walls.000000"
PLANNING, TRADING, THROWING, LAYING = 14, 20, 30, 1
"""Plies after which a seat plans, trades, moves a pawn, or moves a block in these matches."""
CROWDED: Final = 8
"""The ply of climbers-3 after which a block may be placed where a climber stands."""


@pytest.fixture(scope="module")
def served(games: Served) -> Served:
    return games


def tried(player: Visit, match: str, ply: int, query: str = "") -> Page:
    """Open a match at a ply, and start a branch there with its shortcut."""
    page = player(f"/replay?match={match}&ply={ply}{query}")
    page.keyboard.press("w")
    expect(expected(page)).to_contain_text("is to decide")
    return page


def expected(page: Page) -> Locator:
    return page.locator(".entry-expected")


def note(page: Page) -> Locator:
    return page.locator(".replay-entry .bookmark-note")


def beside(page: Page) -> Locator:
    return page.locator(".board-half").nth(1)


def named(page: Page) -> str:
    """Return the name of the branch in the address."""
    found = re.search(r"branch=(\w+)", page.url)
    assert found is not None
    return found[1]


def branch(page: Page, served: Served) -> dict[str, Any]:
    """Return the branch in the address, as the server has it."""
    with urllib.request.urlopen(f"{served.url}/api/branches/{named(page)}") as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def chosen(page: Page, served: Served) -> list[dict[str, Any]]:
    """Return the actions in a branch that people chose."""
    return [node["action"] for node in branch(page, served)["branch"]["nodes"] if node["by"] == "person"]


@pytest.mark.slow("another way to choose")
def test_a_plan_is_typed_and_clicked_on_the_board(player: Visit, served: Served) -> None:
    page = tried(player, CARAVAN, PLANNING)
    expect(page.locator("#entry-plan")).to_be_focused()
    page.keyboard.type("tsq")
    expect(note(page)).to_contain_text("“q” is no action")
    page.keyboard.press("Enter")
    expect(note(page)).to_contain_text("4 more")
    beside(page).locator('[data-thing="n10"]').first.dispatch_event("click")
    beside(page).locator('[data-thing="l0"]').first.dispatch_event("click")  # a road of ice, according to the scene
    expect(page.locator("#entry-plan")).to_have_value("tsxi")
    page.locator("#entry-plan").press_sequentially("rr")
    page.locator(".entry-chip").nth(1).press("Alt+ArrowLeft")
    expect(page.locator("#entry-plan")).to_have_value("stxirr")
    page.locator(".entry-chip").nth(2).drag_to(page.locator(".entry-chip").nth(3))
    expect(page.locator("#entry-plan")).to_have_value("stixrr")
    page.locator("#entry-plan").press("Enter")
    expect(page.locator(".entry-node[aria-current]")).to_have_count(1)
    expect(note(page)).to_have_text("Played.")
    assert [each["plan"] for each in chosen(page, served)] == [["soil", "stone", "ice", "trade", "rest", "rest"]]


@pytest.mark.slow("another way to choose")
def test_a_list_is_narrowed_and_stepped_through(visit: Visit, served: Served, refusals: list[str]) -> None:
    refusals.append("status of 422")
    page = tried(visit, CARAVAN, TRADING)
    options = page.locator(".entry-options li:visible")
    before, who = options.all_inner_texts(), expected(page).inner_text()
    page.keyboard.type("does no")
    expect(options).to_have_count(1)
    page.keyboard.type(" way")
    expect(options).to_have_count(0)
    page.keyboard.press("Enter")
    expect(note(page)).to_contain_text("does no way")  # the server's reason: the text is not valid notation
    expect(note(page)).to_have_class(re.compile("bookmark-bad"))
    page.keyboard.press("Escape")
    expect(options).to_have_text(before)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(note(page)).to_have_text(f"Played: {before[1]}.")
    first = named(page)
    page.get_by_role("button", name="The decision before").press("Enter")
    expect(expected(page)).to_have_text(who)
    expect(page.locator("#entry-text")).to_be_focused()
    page.keyboard.press("Enter")  # this creates a fork
    expect(note(page)).to_have_text(f"Played: {before[0]}.")
    page.get_by_text("Tried so far (2 decisions)").click()
    assert [each["type"] for each in chosen(page, served)] == ["decline_trade", "collect"]
    page.locator(".entry-node", has_text="decline trade").click()
    expect(page.locator(".entry-node[aria-current]")).to_contain_text("decline trade")
    page.go_back()
    page.go_back()
    page.go_back()
    expect(page.get_by_text("Tried so far (1 decision)")).to_be_visible()
    assert named(page) == first


def check_going_on(page: Page, served: Served) -> None:
    """Players continue the branch, and the original match advances by the same amount."""
    page.locator("#entry-decisions").select_option("20")
    page.get_by_role("button", name="Go on", exact=True).press("Enter")
    expect(note(page)).to_have_text("The players continued the match.")
    found = branch(page, served)
    expect(page.locator("#replay-scrubber")).to_have_value(str(len(found["scene"]["frames"]) - 1))
    original, changed = (page.locator(".twin-caption").nth(half).locator(".meta") for half in (0, 1))
    expect(changed).to_have_text(original.inner_text())  # the same players and dice give the same events
    page.get_by_text("Other players").click()
    page.locator("#entry-player-0").fill("nobody")
    page.locator("#entry-player-0").press("Enter")
    expect(note(page)).to_contain_text("nobody")  # the server's reason
    expect(note(page)).to_have_class(re.compile("bookmark-bad"))


@pytest.mark.slow("another way through the board")
def test_a_pawn_is_clicked_and_moved(player: Visit, served: Served) -> None:
    page = tried(player, SUMMIT, THROWING)
    options = page.locator(".entry-options li:visible")
    every = options.count()
    beside(page).locator('[data-thing="n9"]').first.dispatch_event("click")
    page.locator(".entry-near").wait_for()
    assert 0 < options.count() < every
    expect(page.locator("#entry-text")).to_be_focused()
    words = options.first.inner_text()
    options.first.click()
    expect(note(page)).to_have_text(f"Played: {words}.")
    assert len(chosen(page, served)) == 1


@pytest.mark.slow("another way to choose")
def test_a_block_is_laid_by_clicks_and_keys_and_refused_with_the_reason(
    player: Visit, served: Served, refusals: list[str]
) -> None:
    refusals.append("status of 422")
    page = tried(player, CLIMBERS, LAYING)
    beside(page).locator('[data-thing="t0"]').first.dispatch_event("click")
    pad, legal = page.locator(".entry-pad"), page.locator(".entry-legal")
    expect(pad).to_be_focused()
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    expect(legal).to_contain_text("Not allowed: ")
    page.keyboard.press("Enter")
    expect(note(page)).to_have_text(legal.inner_text().removeprefix("Not allowed: "))
    assert not chosen(page, served)
    before = pad.inner_text()
    page.keyboard.press("z")
    expect(pad).not_to_have_text(before)
    check_laying(page, served)


def check_laying(page: Page, served: Served) -> None:
    """A block can be placed only where allowed."""
    page.locator("#entry-block").select_option(index=3)
    page.locator(".entry-pad").focus()
    for key in ("ArrowRight", "ArrowRight", "x"):
        page.keyboard.press(key)
    expect(page.locator(".entry-legal")).to_have_text("Allowed: Enter moves it there.")
    page.keyboard.press("Enter")
    expect(note(page)).to_have_text("Played.")
    [action] = chosen(page, served)
    assert action["type"] == "move_block"


@pytest.mark.slow("a climber that makes room")
def test_a_climber_makes_room_for_a_block_on_the_chosen_square(player: Visit, served: Served) -> None:
    page = tried(player, "climbers-3", CROWDED)
    legal = page.locator(".entry-legal")
    page.locator("#entry-block").select_option("2")
    page.locator(".entry-pad").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(legal).to_contain_text("Allowed if a climber makes room: ")
    first = legal.inner_text()
    page.keyboard.press("s")
    expect(legal).not_to_have_text(first)
    page.keyboard.press("Enter")
    expect(note(page)).to_have_text("Played.")
    [action] = chosen(page, served)
    [shift] = action["shifts"]
    assert (action["block"], action["x"], action["y"]) == (2, 18, 17)
    there = f"{shift['to_cell']['x']}, {shift['to_cell']['y']}"
    assert there not in first


def test_a_branch_is_kept_and_opened_by_its_link(player: Visit, axe: Axe, looks: Looks) -> None:
    page = tried(player, CARAVAN, TRADING)
    page.keyboard.press("Enter")
    expect(note(page)).to_contain_text("Played: ")
    page.get_by_text("Keep and share").press("Enter")
    page.locator("#entry-title").fill("Salt first")
    page.locator("#entry-title").press("Enter")
    expect(note(page)).to_have_text("Kept as “Salt first”.")
    before, address = expected(page).inner_text(), page.url
    page.get_by_role("button", name="Close what if").press("Enter")
    expect(page.locator(".replay-entry")).to_be_hidden()
    expect(beside(page)).to_be_hidden()
    expect(page.locator("#replay-what-if")).to_be_focused()
    page = player(address)
    expect(expected(page)).to_have_text(before)
    expect(page.locator(".entry-keep")).to_contain_text("Kept as “Salt first”")
    for look in looks(page):
        assert axe(page, ".replay-entry") == [], look
        assert wide(page) <= look.size[0], look


SHARES = {
    "branch": [0.795, 0.104, 0.101],
    "original": [0.664, 0.204, 0.132],
    "difference": [[0.131, 0.02, 0.24], [-0.1, -0.2, 0.0], [-0.031, -0.1, 0.04]],
}
"""Rounded, the first shares are 80 and 66, so their difference is +14."""


def report(done: int, ended: str | None = None) -> str:
    return json.dumps({"done": done, "of": 200, **SHARES, **({"ended": ended} if ended else {})}) + "\n"


@pytest.fixture
def playing(player: Visit, page: Page) -> Callable[[str | None], Page]:
    """Return a function that plays a branch out; the server answers with these lines (`None`: not yet)."""
    address = "**/api/branches/*/playouts"

    def play(lines: str | None) -> Page:
        page.unroute(address)
        page.route(address, lambda route: lines and route.fulfill(body=lines, content_type="application/jsonl"))
        page.get_by_role("button", name="Play out 200 times").press("Enter")
        return page

    tried(player, CARAVAN, TRADING)
    page.get_by_text("Play out", exact=True).press("Enter")
    return play


def said(page: Page) -> Locator:
    return page.locator(".entry-playout").get_by_role("status")


def test_what_is_played_by_the_deadline_is_a_result_in_view(playing: Callable[[str | None], Page], axe: Axe) -> None:
    page = playing("\n" + report(50) + report(120) + report(120, "time"))
    expect(said(page)).to_have_text("120 of 200 pairs played in 2 minutes.")
    table = page.locator(".entry-shares")
    expect(table).to_be_in_viewport(ratio=0.95)
    cells = table.locator("tbody tr").first.locator("td")
    expect(cells).to_have_text(["66 %", "80 %", "+14 (+2 to +24)"])
    expect(page.get_by_role("button", name="Play out 200 times")).to_be_focused()
    assert axe(page, ".replay-entry") == []
    playing(report(60, "precision"))
    expect(said(page)).to_have_text("60 pairs were enough: each difference is known within 5 points.")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ('{"error": "a player fails"}\n', "Match and branch cannot be played out: a player fails"),
        (report(50) + '{"error": "a player fails"}\n', "Ended after 50 of 200 pairs: a player fails"),
        (report(50), "The server ended it after 50 of 200 pairs."),
        (report(50) + "<p>Bad gateway</p>", "Ended after 50 of 200 pairs: The server's answer cannot be read"),
    ],
    ids=["failed", "failed later", "cut off", "not JSON"],
)
def test_playing_out_that_fails_says_so_and_can_be_repeated(
    playing: Callable[[str | None], Page], lines: str, why: str
) -> None:
    page = playing(lines)
    expect(said(page)).to_contain_text(why)
    expect(page.get_by_role("button", name="Play out 200 times")).to_be_enabled()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_hidden()


@pytest.mark.slow("stopped by the reader")
def test_playing_out_is_stopped_by_the_reader(playing: Callable[[str | None], Page]) -> None:
    page = playing(None)
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_focused()
    stop.press("Enter")
    expect(said(page)).to_have_text("Stopped after 0 of 200 pairs.")
    expect(page.get_by_role("button", name="Play out 200 times")).to_be_focused()


@pytest.mark.slow("players continue")
def test_players_continue_branch_and_match(player: Visit, served: Served, refusals: list[str]) -> None:
    refusals.append("status of 422")
    check_going_on(tried(player, CARAVAN, TRADING), served)


def influences(page: Page) -> list[list[int]]:
    """Return each seat's influences in the standings."""
    rows = page.locator(".replay-standings .seat-top").all()
    return [[int(text) for text in row.locator("td .figure").all_inner_texts()] for row in rows]


def test_the_standings_are_those_of_the_branch(player: Visit, served: Served) -> None:
    page = tried(player, CARAVAN, TRADING)
    page.get_by_text("Other players").click()
    page.locator("#entry-player-0").fill("random")
    page.locator("#entry-decisions").select_option("")
    page.locator("#entry-player-0").press("Enter")
    expect(note(page)).to_contain_text("The match is over in this branch.")
    scene = branch(page, served)["scene"]
    standings = page.locator(".replay-standings")
    expect(standings.get_by_role("heading")).to_have_text("Standings In the branch")
    assert influences(page) == scene["frames"][-1]["f"]
    expect(standings.locator(".ending")).to_contain_text(scene["endings"][scene["frames"][-1]["e"]]["text"])
    page.keyboard.press("Escape")
    page.locator("#replay-scrubber").fill("5")
    assert influences(page) == scene["frames"][5]["f"]
    page.locator("#replay-scrubber").press("End")
    of_branch = influences(page)
    check_what_tells_of_the_branch(page, scene["frames"][-1]["c"])
    page.get_by_role("button", name="Close what if").press("Enter")
    expect(standings.get_by_role("heading")).to_have_text("Standings")
    assert influences(page) != of_branch
    expect(page.get_by_text("About the match, not the branch")).to_be_hidden()
    text = page.get_by_role("region", name="Position as text")
    expect(text.get_by_role("table", name="Players")).to_have_count(1)
    expect(text.get_by_role("heading")).to_have_count(0)


def check_what_tells_of_the_branch(page: Page, villages: list[int]) -> None:
    """*As text* shows match and branch under their names; the panels say that they are about the match."""
    expect(page.get_by_text("About the match, not the branch")).to_be_visible()
    page.get_by_role("button", name="As text").press("Enter")
    text = page.get_by_role("region", name="Position as text")
    page.set_viewport_size({"width": 390, "height": 844})
    assert text.evaluate("text => text.clientHeight") > 300
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(text.get_by_role("heading")).to_have_text(["In the match", "In the branch"])
    rows = text.get_by_role("table", name="Players").last.get_by_role("row").all()[1:]
    assert [row.get_by_role("cell").first.inner_text() for row in rows] == [str(village) for village in villages]


FACES: Final = "half => [...half.querySelectorAll('.tower-drawing [class*=face]')].map(each => each.getAttribute('d'))"


def test_towers_side_by_side_are_drawn_alike(player: Visit) -> None:
    """Next to a match that grows large, a branch that has just begun has its scale."""
    page = tried(player, CLIMBERS, LAYING)
    match, tried_out = (page.locator(".board-half").nth(half).evaluate(FACES) for half in (0, 1))
    assert any(match)
    is_alike = match == tried_out
    assert is_alike


@pytest.mark.slow("every game")
@pytest.mark.parametrize("match", [CARAVAN, SUMMIT, CLIMBERS])
def test_boards_side_by_side_have_one_size(player: Visit, looks: Looks, match: str) -> None:
    page = tried(player, match, TRADING)
    for look in looks(page):
        boxes = [page.locator(".board-half > .board-drawing").nth(half).bounding_box() for half in (0, 1)]
        sizes = [box and (box["width"], box["height"]) for box in boxes]
        assert sizes[0] == sizes[1], look


@pytest.mark.slow("without spoilers")
def test_later_events_are_not_revealed(player: Visit) -> None:
    page = tried(player, CARAVAN, TRADING, "&spoilers=off")
    page.locator("#entry-decisions").select_option("20")
    page.get_by_role("button", name="Go on", exact=True).press("Enter")
    expect(note(page)).to_have_text("The players continued the match.")
    original, changed = (page.locator(".twin-caption").nth(half).locator(".meta") for half in (0, 1))
    expect(changed).to_contain_text("Round 3")
    expect(original).to_contain_text("Round 1")
    expect(page).to_have_url(re.compile(f"ply={TRADING}&"))


@pytest.mark.slow("the view of a seat")
def test_a_plan_that_a_seat_does_not_see_is_not_shown_to_it(player: Visit, refusals: list[str]) -> None:
    refusals.append("status of 422")
    page = tried(player, CARAVAN, PLANNING, "&view=1")
    page.keyboard.type("stxirr")
    page.keyboard.press("Enter")
    expect(note(page)).to_have_text("Played.")
    page.get_by_text("Tried so far (1 decision)").click()
    expect(page.locator(".entry-node[aria-current]")).to_have_text("Sherpa: a choice that is still secret")
    expect(beside(page)).not_to_contain_text("stone")
    page.get_by_text("Keep and share").click()
    page.locator("#entry-title").fill("Hidden")
    page.locator("#entry-title").press("Enter")
    expect(note(page)).to_contain_text("still secret")


@pytest.mark.slow("a branch and another match")
def test_a_branch_and_another_match_alternate_side_by_side(player: Visit) -> None:
    page = tried(player, CARAVAN, TRADING)
    expect(page).to_have_url(re.compile("branch="))
    page.get_by_role("button", name="Side by side").click()
    page.locator("#replay-compare-menu .menu-row").first.click()
    expect(page).not_to_have_url(re.compile("branch="))
    expect(page.locator(".replay-entry")).to_be_hidden()
    expect(beside(page)).to_contain_text("cup.0")
    expect(beside(page)).not_to_contain_text("What if")
    page.keyboard.press("w")
    expect(beside(page)).to_contain_text("What if")
    expect(page).not_to_have_url(re.compile("with="))
