"""Hidden information: the future in spoiler-free mode, and in a seat's view everything the seat does not know."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboards.boards.scene import ply_names

Visit = Callable[[str], Page]
MATCH = "four.000001"
SCRUBBER = "#replay-scrubber"
ROOM = 128


def opened(visit: Visit, query: str) -> Page:
    page = visit(f"/replay?match={MATCH}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def scene_of(page: Page) -> dict[str, Any]:
    address = re.sub(r"^(https?://[^/]+).*", r"\1", page.url) + f"/api/replay/{MATCH}"
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def at(page: Page) -> int:
    return int(page.locator(SCRUBBER).input_value())


def most_ahead(frames: list[dict[str, Any]]) -> float:
    """Return the largest lead of any seat over the table's mean, in the first measure."""
    rows = [[seat[0] for seat in frame["f"]] for frame in frames]
    return max(1.0, *(abs(value - sum(row) / len(row)) for row in rows for value in row))


def test_without_spoilers_no_part_reveals_later_events(player: Visit) -> None:
    page = opened(player, "&ply=40&spoilers=off")
    scene, now = scene_of(page), at(page)
    last = len(scene["frames"]) - 1
    so_far = [moment for moment in scene["moments"] if moment["at"] <= now]
    scrubber, title = page.locator(SCRUBBER), page.locator(".replay-title")
    expect(scrubber).to_have_attribute("max", str(ROOM))
    expect(title).to_have_text(re.compile("4 players$"))
    whole, part = most_ahead(scene["frames"]), most_ahead(scene["frames"][: now + 1])
    assert part < whole
    stretched = page.locator(".timeline-still g:not(.chances)")
    scale = stretched.evaluate("group => group.transform.baseVal.consolidate().matrix.d")
    assert abs(scale - whole / part) < 0.01

    page.get_by_label("Find in the events").fill("plans")
    wanted = sum("plans" in moment["text"] for moment in so_far)
    expect(page.locator(".events [role=status]")).to_have_text(f"{wanted} of {len(so_far)} events")
    page.locator("#event-filter").click()
    offered = page.get_by_role("group", name=re.compile("^Kinds")).locator("label:visible").all_inner_texts()
    kinds = {moment["kind"] for moment in so_far}
    assert offered == [name for kind, name in scene["kinds"].items() if kind in kinds]
    assert len(offered) < len(scene["kinds"])
    page.keyboard.press("Escape")

    page.locator("#replay-save").click()
    page.get_by_role("button", name="Clip …").click()
    expect(page.get_by_label("To ply")).to_have_value(ply_names(scene["plies"])[now])
    page.get_by_label("To ply").fill("9999")
    expect(page.locator(".clip-about")).to_contain_text(
        f"{now + 1 - scene['rounds'].index(scene['rounds'][now])} event"
    )
    page.keyboard.press("Escape")

    page.locator("#replay-view").click()
    page.get_by_label("Hide what is yet to come").uncheck()
    expect(scrubber).to_have_attribute("max", str(last))
    expect(title).to_contain_text("rounds")
    expect(stretched).not_to_have_attribute("transform", re.compile(""))


@pytest.mark.slow("another way through the board")
def test_the_timeline_grows_as_far_as_the_match_has_been_seen(player: Visit) -> None:
    page = opened(player, "&spoilers=off")
    last = len(scene_of(page)["frames"]) - 1
    scrubber = page.locator(SCRUBBER)
    box = scrubber.bounding_box()
    assert box is not None
    right, middle = box["x"] + box["width"] - 7, box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 7, middle)
    page.mouse.down()
    page.mouse.move(right, middle, steps=5)
    expect(scrubber).to_have_value(str(ROOM))
    expect(scrubber).to_have_attribute("max", str(ROOM))
    page.mouse.up()
    expect(scrubber).to_have_attribute("max", str(2 * ROOM))
    page.keyboard.press("End")
    expect(scrubber).to_have_value(str(last))
    room = int(scrubber.get_attribute("max") or 0)
    assert room > last
    assert room % ROOM == 0
    page.mouse.click(right, middle)
    expect(page.locator(".transport .count")).to_have_text(str(last))
    expect(scrubber).to_have_value(str(last))


@pytest.mark.slow("an address that asks for what is not there")
def test_an_address_beyond_the_seen_events_is_kept_without_spoilers(player: Visit) -> None:
    page = opened(player, "&ply=20&spoilers=off&layer=traffic&from=9999&of=2&kinds=constructor&thing=constructor")
    expect(page.locator(".traffic-told")).to_have_text("The match has not reached this window yet.")
    expect(page.get_by_label("From event")).to_have_value(str(at(page)))
    expect(page.locator(".event-found")).to_be_hidden()
    expect(page.locator("[role=option]:visible").first).to_be_visible()
    expect(page.get_by_label("of player")).to_have_value("2")
    page.get_by_label("of player").select_option("3")
    expect(page).to_have_url(re.compile("[?&]of=3"))
    expect(page.locator(".event-found")).to_be_hidden()
    page.get_by_role("tab", name="Here").click()
    expect(page.locator(".here-empty")).to_contain_text("Click something on the board")


def test_a_seat_s_view_reveals_nothing_by_bookmarks_or_the_log(player: Visit, page: Page) -> None:
    words = {"match": MATCH, "tags": ["plans"], "created_at": "2026-11-21"}
    kept = [{**words, "id": str(ply), "ply": str(ply), "label": f"Ply {ply}, ice"} for ply in (12, 60)]
    page.route("**/api/bookmarks?*", lambda route: route.fulfill(json={"bookmarks": kept, "tags": []}))
    opened(player, "&view=2&ply=30&panel=bookmarks")
    labels = page.locator(".bookmark-label")
    expect(labels).to_have_text(["Ply 12, ice", "Shown once the match gets there"])
    expect(page.get_by_role("button", name="Edit the bookmark")).to_have_count(1)
    expect(page.get_by_role("link", name="plans")).to_have_count(1)
    flags = page.locator(".bookmark-flags").evaluate(
        "flags => [...flags.getAttribute('d').matchAll(/M([\\d.]+)/g)].map(match => Number(match[1]))"
    )
    strip = page.locator(".timeline-strip").bounding_box()
    assert strip is not None
    for flag, said in zip(flags, ["Ply 12, ice", "Shown once the match gets there"], strict=True):
        page.mouse.move(strip["x"] + flag + 4, strip["y"] + 12)
        expect(page.locator(".timeline-hint")).to_have_text(said)
    page.locator("#replay-save").click()
    expect(page.locator(".save-list b").first).to_have_text("Position as data")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    expect(labels).to_have_text(["Ply 12, ice", "Ply 60, ice"])

    scene = scene_of(page)
    plan = next(moment for moment in scene["moments"] if moment["kind"] == "plan")
    opened(player, f"&ply={ply_names(scene['plies'])[plan['at']]}&panel=bookmarks")
    expect(page.locator(".caption")).to_have_text(plan["text"])
    page.keyboard.press("b")
    expect(page.locator("#bookmark-label")).to_have_value(page.locator(".where").inner_text())
