"""The list of events and the panel of the round: filters, keys, hidden parts, and the standings."""

import json
import random
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from himalaya_core.caravan import scoring
from himalaya_core.replay import Replay
from tests.browser.conftest import Looks, wide

Visit = Callable[[str], Page]
MATCH = "four.000001"
THREE = "three.000002"
SCRUBBER = "#replay-scrubber"
INFLUENCES = ("religious", "political", "economic")


def opened(visit: Visit, query: str = "", match: str = MATCH) -> Page:
    page = visit(f"/replay?match={match}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def asked(page: Page, path: str) -> bytes:
    with urllib.request.urlopen(re.sub(r"^(https?://[^/]+).*", r"\1", page.url) + path) as answer:
        return answer.read()


def scene_of(page: Page, query: str = "", match: str = MATCH) -> dict[str, Any]:
    return json.loads(asked(page, f"/api/replay/{match}{query}"))


def listed(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Events").get_by_role("option")


def ticked(page: Page, *names: str) -> None:
    page.get_by_role("button", name=re.compile("^Filter")).click()
    for name in names:
        page.get_by_label(name, exact=True).check()
    page.keyboard.press("Escape")


@pytest.mark.slow("every part of the panel")
def test_kinds_seats_words_and_arrows_lead_through_the_list(player: Visit):
    page = opened(player)
    scene = scene_of(page)
    ticked(page, "Deliveries", "Void actions", scene["seats"][1]["name"])
    wanted = [m for m in scene["moments"] if m["kind"] in {"deliver", "void"} and m["seat"] == 1]
    expect(page.locator(".event-count")).to_have_text(f"{len(wanted)} of {len(scene['moments'])}")
    expect(page).to_have_url(re.compile(r"kinds=deliver%2Cvoid.*who=2|who=2.*kinds=deliver%2Cvoid"))
    expect(listed(page).first.locator(".event-text")).to_have_text(wanted[0]["text"])
    page.reload()
    expect(page.locator(".event-count")).to_have_text(f"{len(wanted)} of {len(scene['moments'])}")
    expect(page.get_by_role("button", name=re.compile("^Filter"))).to_contain_text("Filter (3)")
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".event-count")).to_be_hidden()
    expect(page).not_to_have_url(re.compile("kinds|who"))
    find = page.get_by_label("Find in the events")
    find.fill("DELIVERS")
    wanted = [moment for moment in scene["moments"] if "delivers" in moment["text"]]
    expect(page.locator(".event-count")).to_have_text(f"{len(wanted)} of {len(scene['moments'])}")
    expect(page).to_have_url(re.compile("find=DELIVERS"))
    find.fill("a camel")
    expect(page.get_by_text("No such event in this match.")).to_be_visible()
    expect(page.get_by_role("listbox", name="Events")).to_be_hidden()
    page.get_by_role("button", name="Show all").click()
    expect(listed(page).first).to_be_visible()
    expect(find).to_have_value("")
    check_arrows(page)


def check_arrows(page: Page) -> None:
    """Arrow keys move through the filtered events."""
    scene = scene_of(page)
    moments = scene["moments"]
    page.keyboard.press("Home")
    page.get_by_role("button", name="Key", exact=True).click()
    ticked(page, scene["seats"][0]["name"])
    wanted = [moment for moment in moments if moment.get("key") and moment["seat"] == 0]
    key = page.get_by_role("button", name="Key", exact=True)
    expect(key).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".event-count")).to_contain_text(re.compile(rf"^{len(wanted)} of"))
    page.get_by_role("listbox", name="Events").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".caption")).to_have_text(wanted[2]["text"])
    page.keyboard.press("ArrowUp")
    expect(page.locator(".caption")).to_have_text(wanted[1]["text"])
    expect(page.locator("[role=option][aria-selected=true] .event-text")).to_have_text(wanted[1]["text"])
    page.get_by_role("button", name="Show all").click()
    expect(key).to_have_attribute("aria-pressed", "false")
    key.click()
    for words in page.locator("[role=option]:visible .event-text").all_inner_texts():
        assert re.search(r"delivers|takes 3 yaks|scoring|is out|wins", words)


def gains_shown(page: Page) -> list[list[int]]:
    rows = page.get_by_role("table", name="What each player gained").locator("tbody tr:first-child")
    texts = [row.locator("td").all_inner_texts() for row in rows.all()]
    return [[int(text.replace("−", "-")) for text in row] for row in texts]


@pytest.mark.slow("every round")
@pytest.mark.every_look
def test_the_round_of_the_playhead_is_summed_up_for_everyone(
    player: Visit, axe: Callable[..., list[str]], looks: Looks
):
    page = opened(player, "&ply=60&panel=round")
    for look in looks(page):
        assert axe(page, ".replay-panels") == [], look
        assert wide(page) <= look.size[0], look
    page.set_viewport_size({"width": 1440, "height": 900})
    check_round(page)
    page.get_by_role("tab", name="Events").click()
    page.get_by_role("button", name=re.compile("^Filter")).click()
    expect(page.get_by_label("Deliveries", exact=True)).to_be_visible()
    assert axe(page, ".replay-panels") == []


def check_round(page: Page) -> None:
    """The panel summarizes the round at the playhead in notes, each linked to its frame."""
    scene = scene_of(page)
    at = int(page.locator(SCRUBBER).input_value())
    summary = max((each for each in scene["summaries"] if each["at"] <= at), key=lambda each: each["round"])
    panel = page.get_by_role("tabpanel", name="Round")
    expect(panel.get_by_role("heading", name=f"Round {summary['round']}", exact=True)).to_be_visible()
    assert gains_shown(page) == summary["gains"]
    notes = panel.locator(".round-note > span:nth-of-type(1)").all_inner_texts()
    assert notes == [note["text"] for notes in summary["notes"] for note in notes]
    panel.get_by_role("button", name="Next round").click()
    expect(page.locator(SCRUBBER)).to_have_value(str(scene["summaries"][summary["round"]]["at"]))
    expect(panel.get_by_role("heading", name=f"Round {summary['round'] + 1}", exact=True)).to_be_visible()
    told = next(each for each in scene["summaries"] if each["round"] > summary["round"] and each["notes"][1])
    for number in range(summary["round"] + 1, told["round"]):
        panel.get_by_role("button", name="Next round").click()
        expect(panel.get_by_role("heading", name=f"Round {number + 1}", exact=True)).to_be_visible()
    note = told["notes"][1][0]
    panel.get_by_role("button", name=note["text"]).click()
    expect(page.locator(SCRUBBER)).to_have_value(str(note["at"]))
    page.keyboard.press("Home")
    expect(page.get_by_text("Before the first round")).to_be_visible()


@pytest.mark.slow("without spoilers, panel by panel")
def test_without_spoilers_events_are_listed_and_a_round_summed_up_so_far(player: Visit):
    page = opened(player, "&ply=60&spoilers=off")
    scene = scene_of(page)
    at = int(page.locator(SCRUBBER).input_value())
    so_far = [moment for moment in scene["moments"] if moment["at"] <= at]
    expect(listed(page).last).to_have_attribute("aria-setsize", str(len(so_far)))
    numbers = page.locator("[role=option]:visible .event-number").all_inner_texts()
    assert numbers
    assert max(map(int, numbers)) <= at
    page.get_by_role("tab", name="Round").click()
    summary = next(each for each in scene["summaries"] if len(each["notes"][0]) > 1 and any(map(any, each["gains"])))
    frame = summary["notes"][0][0]["at"]
    page.locator(SCRUBBER).fill(str(frame))
    panel = page.get_by_role("tabpanel", name="Round")
    expect(panel.get_by_text("so far")).to_be_visible()
    now, before = scene["frames"][frame]["f"], scene["frames"][summary["at"]]["f"]
    assert gains_shown(page) == [[a - b for a, b in zip(*rows, strict=True)] for rows in zip(now, before, strict=True)]
    told = [note["text"] for notes in summary["notes"] for note in notes if note["at"] <= frame]
    expect(panel.locator(".round-note")).to_have_count(len(told))
    page.locator(SCRUBBER).fill(str(summary["end"]))
    expect(panel.get_by_text("so far")).to_be_hidden()
    assert gains_shown(page) == summary["gains"]


@pytest.mark.slow("a drawing at many positions")
@pytest.mark.parametrize("match", [MATCH, THREE])
def test_standings_at_random_plies_are_those_of_the_folded_state(player: Visit, match: str):
    page = opened(player, match=match)
    replay = Replay.read(asked(page, f"/api/matches/{match}").splitlines(keepends=True))
    for at in [*random.Random(match).sample(range(len(replay.states)), 3), len(replay.states) - 1]:
        page.locator(SCRUBBER).fill(str(at))
        counted, ending = scoring.influences(replay.states[at]), scoring.final(replay.states[at])
        now = replay.states[at].scores or counted
        over = replay.states[at].scores is not None
        out = {gone.seat: f"out: {gone.influence}" if over else "would be out" for gone in ending.eliminated}
        winners = ending.outcome.winners
        alone, shared = ("won", "shared the win") if over else ("would win", "would share")
        won = dict.fromkeys(winners, alone if len(winners) == 1 else shared)
        anything = any((*now.religious, *now.political, *now.economic))
        for seat, row in enumerate(page.locator("tbody.seat").all()):
            shown = [int(row.locator(f"[data-measure={name}]").inner_text()) for name in INFLUENCES]
            assert shown == [now.religious[seat], now.political[seat], now.economic[seat]]
            expect(row.locator(".verdict")).to_have_text((won | out).get(seat, "") if anything else "")


@pytest.mark.slow("another way through the board")
def test_a_hidden_plan_is_six_question_marks_until_it_is_revealed_and_void_actions_say_why(player: Visit):
    page = opened(player, "&view=2")
    scene = scene_of(page, "?view=2")
    at = next(at for at, frame in enumerate(scene["frames"]) if frame["p"][0] == "??????" and frame["p"][1])
    page.locator(SCRUBBER).fill(str(at))
    plans = page.locator("tbody.seat .plan")
    expect(plans.nth(0)).to_have_attribute("aria-label", "Plan: hidden plan")
    expect(plans.nth(0).locator(".act-hidden")).to_have_count(6)
    expect(plans.nth(1)).not_to_have_attribute("aria-label", re.compile("hidden"))
    revealed = next(after for after in range(at, len(scene["frames"])) if scene["frames"][after]["p"][0] != "??????")
    page.locator(SCRUBBER).fill(str(revealed))
    expect(plans.nth(0)).not_to_have_attribute("aria-label", re.compile("hidden"))
    expect(plans.nth(0).locator(".act-hidden")).to_have_count(0)
    void = next(moment for moment in scene["moments"] if moment["kind"] == "void")
    page.locator(SCRUBBER).fill(str(void["at"]))
    frame, seat = scene["frames"][void["at"]], void["seat"]
    why = scene["voids"][frame["m"][seat][frame["x"] - 1]]
    expect(page.locator(".caption")).to_contain_text(why)
    plan = plans.nth(seat)
    expect(plan.locator(".act-now.act-void")).to_have_count(1)
    expect(plan.locator(".act-now title")).to_contain_text(why)
    expect(plan).to_have_attribute("aria-label", re.compile(rf"now \w+, void: {re.escape(why)}"))
