"""The replay page: moving through a match by every way there is, and what it shows at the end."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Looks, wide

Visit = Callable[[str], Page]
MATCH = "four.000001"
SCRUBBER = "#replay-scrubber"


def opened(visit: Visit, query: str = "") -> Page:
    page = visit(f"/replay?match={MATCH}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def at(page: Page) -> int:
    return int(page.locator(SCRUBBER).input_value())


def last(page: Page) -> int:
    return int(page.locator(SCRUBBER).get_attribute("max") or 0)


def asked(page: Page, path: str) -> bytes:
    with urllib.request.urlopen(re.sub(r"^(https?://[^/]+).*", r"\1", page.url) + path) as answer:
        return answer.read()


def log_of(page: Page) -> list[dict[str, Any]]:
    return [json.loads(line) for line in asked(page, f"/api/matches/{MATCH}").splitlines()]


def test_keys_move_through_the_match(player: Visit):
    page = opened(player)
    rounds = [line["round"] for line in log_of(page)]
    places = {"event 1": 1, "round 1": rounds.index(1), "the end": len(rounds) - 1, "the start": 0}
    for keys, lands in (
        (["ArrowRight", "ArrowRight", "ArrowLeft"], "event 1"),
        (["Home"], "the start"),
        (["Shift+ArrowRight"], "round 1"),
        (["Shift+ArrowRight", "Shift+ArrowLeft"], "round 1"),
        (["End"], "the end"),
    ):
        for key in keys:
            page.keyboard.press(key)
        assert at(page) == places[lands], keys


def test_n_and_p_jump_between_key_events_and_letters_can_be_switched_off_as_shortcuts(page: Page, player: Visit):
    nothing = {"not_valued": "not checked", "model": None, "chances": []}
    page.route("**/chances", lambda route: route.fulfill(json=nothing))
    opened(player)
    expect(page.locator(".chances-note")).to_contain_text("not checked")
    page.keyboard.press("n")
    first = at(page)
    expect(page.locator(".caption")).to_contain_text("delivers")
    page.keyboard.press("n")
    second = at(page)
    assert second > first
    page.keyboard.press("p")
    assert at(page) == first
    page.keyboard.press("?")
    page.get_by_label("Letters, Space and ? work as shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("n")
    assert at(page) == first
    page.keyboard.press("ArrowRight")
    assert at(page) == first + 1


def test_play_runs_to_the_end_and_starts_again_as_fast_as_before(player: Visit):
    page = opened(player, "&ply=9999")
    assert at(page) == last(page)
    last_ply = log_of(page)[-1]["ply"]
    expect(page.get_by_role("alert")).to_have_text(f"There is no ply 9999: ply {last_ply}, the last one, is shown.")
    page.locator("#replay-speed").select_option("16")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_function(f"() => document.querySelector('{SCRUBBER}').value > 5")
    assert at(page) < last(page)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(opened(player).locator("#replay-speed")).to_have_value("16")


def test_the_address_follows_and_brings_back_the_event(player: Visit):
    page = opened(player, "&ply=30")
    plies = [line["ply"] for line in log_of(page)]
    assert at(page) == len(plies) - 1 - plies[::-1].index(30), "a ply alone means the position after it"
    ply = next(ply for ply in plies if plies.count(ply) > 3)
    page = opened(player, f"&ply={ply}.2")
    assert at(page) == plies.index(ply) + 1
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(rf"&ply={ply}\.3$"))
    for name, frame, words in (
        ("abc", 0, "“abc” is not the number of a ply, so the start of the match is shown."),
        (f"{ply}.99", len(plies) - 1 - plies[::-1].index(ply), f"Ply {ply} has no event 99: its last one is shown."),
    ):
        page.evaluate(f"""() => {{
            history.replaceState(null, "", "?match={MATCH}&ply={name}");
            document.getElementById("replay").dispatchEvent(new Event("back", {{ cancelable: true }}));
        }}""")
        expect(page.get_by_role("alert")).to_have_text(words)
        assert at(page) == frame
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_click_on_the_list_goes_there_and_no_element_is_made_after_the_first_drawing(player: Visit):
    page = opened(player)
    count = "document.querySelectorAll('#replay *').length"
    before = page.evaluate(count)
    row = page.get_by_role("listbox", name="Events").get_by_role("option").nth(2)
    words = row.locator(".event-text").inner_text()
    row.click()
    expect(page.locator(".caption")).to_have_text(words)
    expect(page.locator(".event-now .event-text")).to_have_text(words)
    for frame in (400, 17, 230, last(page)):
        page.locator(SCRUBBER).fill(str(frame))
    page.locator(".event-list").evaluate("list => list.scrollTo(0, 900)")
    assert page.evaluate(count) == before


def test_leaving_and_coming_back_starts_anew(visit: Visit):
    page = opened(visit, "&ply=50")
    page.get_by_role("link", name="Intake").click()
    expect(page.locator("#replay")).to_have_count(0)
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Replay")
    expect(page.get_by_role("link", name=re.compile("All 24 matches"))).to_be_visible()
    page.get_by_role("link", name=re.compile(r"^(four|three)\.\d+")).first.click()
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    assert at(page) == 0


def test_an_unknown_match_is_named_and_has_no_player(visit: Visit):
    page = visit("/replay?match=nobody")
    expect(page.get_by_text("There is no match nobody in this database.")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("All 24 matches"))).to_be_visible()
    expect(page.locator(".replay-early, #replay")).to_have_count(0)


@pytest.mark.every_look
def test_anyone_can_use_it_as_a_board_and_as_text(visit: Visit, axe: Callable[..., list[str]], looks: Looks):
    page = opened(visit, "&ply=60")
    for look in looks(page):
        assert axe(page) == [], look
    page.get_by_role("button", name="As text").click()
    text = page.get_by_role("region", name="Position as text")
    scene = json.loads(asked(page, f"/api/replay/{MATCH}"))
    for caption, rows in (("Players", scene["seats"]), ("Villages", scene["board"]["nodes"])):
        expect(text.get_by_role("table", name=caption).get_by_role("row")).to_have_count(len(rows) + 1)
    expect(text.get_by_role("row", name=scene["seats"][0]["name"]).first).to_be_visible()
    for look in looks(page):
        assert axe(page, "#replay-words") == [], look
        assert wide(page) <= look.size[0], look


def test_what_can_be_done_with_a_match_stands_beside_the_pages_or_above_the_board(visit: Visit):
    page = opened(visit)

    def edges(place: str) -> dict[str, float]:
        box = page.locator(place).last.bounding_box()
        assert box is not None
        return {"left": box["x"], "right": box["x"] + box["width"], "top": box["y"], "bottom": box["y"] + box["height"]}

    long = "(heading) => { heading.textContent = 'a-tournament-of-a-long-name.000001'; }"
    page.get_by_role("heading", level=1).evaluate(long)
    for width in (1920, 1440, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        title, actions, pages = edges(".replay-title"), edges(".replay-bar > .actions"), edges("#navigation a")
        assert pages["right"] < title["left"] < title["right"] < actions["left"], width
        assert title["right"] - title["left"] > 90, width
        assert actions["right"] < edges("#scheme")["left"], width
    for width in (1200, 1100, 920):
        page.set_viewport_size({"width": width, "height": 900})
        assert edges("header.header")["bottom"] <= edges(".replay-bar")["top"] < edges(".replay-board")["top"], width
