"""The replay page: moving through a match by every way there is, and what it shows at the end."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

Visit = Callable[[str], Page]
MATCH = "four.000001"
SCRUBBER = "#replay-scrubber"
INFLUENCES = ("religious", "political", "economic")


def opened(visit: Visit, query: str = "") -> Page:
    page = visit(f"/replay?match={MATCH}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def at(page: Page) -> int:
    return int(page.locator(SCRUBBER).input_value())


def last(page: Page) -> int:
    return int(page.locator(SCRUBBER).get_attribute("max") or 0)


def shown(page: Page) -> list[dict[str, int]]:
    cells = page.locator("[data-measure]").evaluate_all(
        "cells => cells.map(cell => [cell.dataset.seat, cell.dataset.measure, cell.innerText.trim()])"
    )
    seats: list[dict[str, int]] = [{} for _ in range(len(cells) // len(INFLUENCES))]
    for seat, influence, points in cells:
        seats[int(seat)][influence] = int(points)
    return seats


def asked(page: Page, path: str) -> bytes:
    with urllib.request.urlopen(re.sub(r"^(https?://[^/]+).*", r"\1", page.url) + path) as answer:
        return answer.read()


def log_of(page: Page) -> list[dict[str, Any]]:
    return [json.loads(line) for line in asked(page, f"/api/matches/{MATCH}").splitlines()]


def test_the_last_event_shows_the_scores_of_the_log(visit: Visit):
    page = opened(visit)
    page.locator(SCRUBBER).fill(str(last(page)))
    ended = log_of(page)[-1]["data"]
    assert shown(page) == ended["scores"]
    winner = ended["ranking"][0][0]
    expect(page.locator("tbody.seat").nth(winner).locator(".verdict")).to_have_text("wins")


def test_standings_follow_the_scrubber(visit: Visit):
    page = opened(visit)
    scene = json.loads(asked(page, f"/api/replay/{MATCH}"))
    for frame in (120, 60, 300, 301):
        page.locator(SCRUBBER).fill(str(frame))
        assert [[seat[name] for name in INFLUENCES] for seat in shown(page)] == scene["frames"][frame]["f"]


@pytest.mark.parametrize(
    ("keys", "lands"),
    [
        (["ArrowRight", "ArrowRight", "ArrowLeft"], "event 1"),
        (["Shift+ArrowRight"], "round 1"),
        (["Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft"], "round 1"),
        (["End"], "the end"),
        (["End", "Home"], "the start"),
    ],
)
def test_keys_move_through_the_match(visit: Visit, keys: list[str], lands: str):
    page = opened(visit)
    for key in keys:
        page.keyboard.press(key)
    rounds = [line["round"] for line in log_of(page)]
    places = {"event 1": 1, "round 1": rounds.index(1), "the end": len(rounds) - 1, "the start": 0}
    assert at(page) == places[lands]


def test_n_and_p_jump_between_key_events(visit: Visit):
    page = opened(visit)
    page.keyboard.press("n")
    first = at(page)
    expect(page.locator(".caption")).to_contain_text("delivers")
    page.keyboard.press("n")
    assert at(page) > first
    page.keyboard.press("p")
    assert at(page) == first


def test_letters_can_be_switched_off_as_shortcuts(visit: Visit):
    page = opened(visit)
    page.keyboard.press("?")
    page.get_by_label("Letters, Space and ? work as shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("n")
    assert at(page) == 0
    page.keyboard.press("ArrowRight")
    assert at(page) == 1


def test_play_runs_to_the_end_and_starts_again(visit: Visit):
    page = opened(visit, "&ply=9999")
    assert at(page) == last(page)
    page.locator("#replay-speed").select_option("16")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_function(f"() => document.querySelector('{SCRUBBER}').value > 5")
    assert at(page) < last(page)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_speed_is_remembered(visit: Visit):
    opened(visit).locator("#replay-speed").select_option("4")
    expect(opened(visit).locator("#replay-speed")).to_have_value("4")


def test_the_address_follows_and_brings_back_the_event(visit: Visit):
    page = opened(visit)
    plies = [line["ply"] for line in log_of(page)]
    ply = next(ply for ply in plies if plies.count(ply) > 3)
    page = opened(visit, f"&ply={ply}.2")
    assert at(page) == plies.index(ply) + 1
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(rf"&ply={ply}\.3$"))
    page.reload()
    expect(page.locator(SCRUBBER)).to_have_value(str(plies.index(ply) + 2))


def test_a_ply_alone_means_the_position_after_it(visit: Visit):
    page = opened(visit, "&ply=30")
    plies = [line["ply"] for line in log_of(page)]
    assert at(page) == len(plies) - 1 - plies[::-1].index(30)


def test_a_click_on_the_list_goes_there(visit: Visit):
    page = opened(visit)
    row = page.get_by_role("listbox", name="Events").get_by_role("option").nth(3)
    words = row.locator(".event-text").inner_text()
    row.click()
    expect(page.locator(".caption")).to_have_text(words)
    expect(page.locator(".event-now .event-text")).to_have_text(words)


def test_only_key_events_can_be_listed(visit: Visit):
    page = opened(visit)
    page.get_by_role("button", name="Key").click()
    for words in page.locator("[role=option]:visible .event-text").all_inner_texts():
        assert re.search(r"delivers|takes 3 yaks|scoring|is out|wins", words)


def test_no_element_is_made_after_the_first_drawing(visit: Visit):
    page = opened(visit)
    count = "document.querySelectorAll('#replay *').length"
    before = page.evaluate(count)
    for frame in (400, 17, 230, last(page)):
        page.locator(SCRUBBER).fill(str(frame))
    page.locator(".event-list").evaluate("list => list.scrollTo(0, 900)")
    assert page.evaluate(count) == before


def test_the_colours_change_without_reloading(visit: Visit):
    page = opened(visit)
    page.evaluate("window.sameDocument = true")
    background = "getComputedStyle(document.querySelector('.replay-board')).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Switch between light and dark").click()
    page.wait_for_function(f"() => {background} !== {json.dumps(light)}")
    assert page.evaluate("window.sameDocument")


def test_the_position_can_be_read_as_text(visit: Visit):
    page = opened(visit, "&ply=30")
    page.get_by_role("button", name="As text").click()
    text = page.get_by_role("region", name="Position as text")
    scene = json.loads(asked(page, f"/api/replay/{MATCH}"))
    for caption, rows in (("Players", scene["seats"]), ("Villages", scene["board"]["nodes"])):
        expect(text.get_by_role("table", name=caption).get_by_role("row")).to_have_count(len(rows) + 1)
    expect(text.get_by_role("row", name=scene["seats"][0]["name"]).first).to_be_visible()


def test_leaving_and_coming_back_starts_anew(visit: Visit):
    page = opened(visit, "&ply=50")
    page.get_by_role("link", name="Outcomes").click()
    expect(page.locator("#replay")).to_have_count(0)
    page.get_by_role("link", name="Replay").click()
    page.get_by_role("link", name=re.compile(r"^(four|three)\.\d+")).first.click()
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    assert at(page) == 0


def test_without_a_match_the_page_offers_some(visit: Visit):
    page = visit("/replay")
    expect(page.get_by_role("heading", level=1)).to_have_text("Replay")
    expect(page.get_by_role("link", name=re.compile("All 24 matches"))).to_be_visible()


def test_an_unknown_match_is_named(visit: Visit):
    page = visit("/replay?match=nobody")
    expect(page.get_by_text("There is no match nobody in this database.")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("All 24 matches"))).to_be_visible()


@pytest.mark.every_look
def test_anyone_can_use_it(visit: Visit, axe: Callable[[Page], list[str]], size: tuple[int, int]):
    page = opened(visit, "&ply=60")
    assert axe(page) == []
    page.get_by_role("button", name="As text").click()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_what_can_be_done_with_a_match_stands_beside_the_pages_or_above_the_board(visit: Visit):
    page = opened(visit)

    def edges(place: str) -> dict[str, float]:
        box = page.locator(place).last.bounding_box()
        assert box is not None
        return {"left": box["x"], "right": box["x"] + box["width"], "top": box["y"], "bottom": box["y"] + box["height"]}

    for width in (1920, 1440, 1280, 1200):
        page.set_viewport_size({"width": width, "height": 900})
        title, actions, pages = edges(".replay-title"), edges(".replay-bar > .actions"), edges("#navigation a")
        assert pages["right"] < title["left"] < title["right"] < actions["left"], width
        assert title["right"] - title["left"] > 90, width
        assert actions["right"] < edges("#scheme")["left"], width
    for width in (1100, 920):
        page.set_viewport_size({"width": width, "height": 900})
        assert edges("header.header")["bottom"] <= edges(".replay-bar")["top"] < edges(".replay-board")["top"], width
