"""Playouts of a match's last rounds in the replay: on demand, or stored."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Served
from tests.browser.replay.reviewed import MATCH, Reviewed, chances_at

Visit = Callable[[str], Page]
SEAM = ".timeline-still .chance-seam"
ASK = "#replay-play-out"
NOTHING: dict[str, Any] = {"reason": None, "samples": 0, "error": 0.0, "chances": []}


@pytest.fixture
def reviewed(page: Page, served: Served, player: Visit) -> Reviewed:
    return Reviewed(page, served.url, player)


def played(reviewed: Reviewed) -> dict[str, Any]:
    """Return playouts of the last few decisions, all won by the last seat."""
    seats = len(reviewed.scene["seats"])
    rows = [{"seq": each["seq"], "chances": [0.0] * (seats - 1) + [1.0]} for each in reviewed.review["chances"][-9:-1]]
    return NOTHING | {"state": "done", "samples": 54, "error": 0.068, "chances": rows}


def open_moments(reviewed: Reviewed, answers: list[dict[str, Any]]) -> tuple[Page, list[str]]:
    """Open the match; each request for playouts gets the next of these responses, then the last one repeatedly."""
    methods: list[str] = []

    def answer(route: Route) -> None:
        methods.append(route.request.method)
        route.fulfill(json=answers.pop(0) if len(answers) > 1 else answers[0])

    reviewed.route(playouts=answer)
    page = reviewed.visit(f"/replay?match={MATCH}&ply=0")
    page.get_by_role("tab", name="Moments").click()
    return page, methods


def check_seam(page: Page, reviewed: Reviewed, found: dict[str, Any]) -> None:
    """After a line on the timeline, playouts replace the model's win probabilities."""
    assert page.locator(SEAM).get_attribute("d")
    begins = found["chances"][0]["seq"]
    scrubber = page.locator("#replay-scrubber")
    scrubber.fill(str(begins - 1))
    assert chances_at(reviewed.review, begins - 1)[-1] < 0.995
    expect(page.locator(".seat-chances")).to_contain_text("by the model")
    expect(page.locator("[data-chance]").last).not_to_have_text("100")
    scrubber.fill(str(begins))
    expect(page.locator("[data-chance]").last).to_have_text("100")
    expect(page.locator(".seat-chances")).to_contain_text("± 7")
    page.get_by_role("button", name="As text").click()
    expect(page.locator("#replay-words")).to_contain_text("Played out 54 times by the players of the match")


@pytest.mark.slow("plays out")
def test_playouts_run_on_request_and_appear_later(reviewed: Reviewed, axe: Callable[..., list[str]]) -> None:
    waiting = NOTHING | {"state": "waiting"}
    found = played(reviewed)
    page, methods = open_moments(reviewed, [NOTHING | {"state": "not asked"}, waiting, found])
    assert not page.locator(SEAM).get_attribute("d")
    assert axe(page, ".moments") == []
    page.locator(ASK).click()
    expect(page.locator(".moments-playouts")).to_contain_text("play out its last two rounds …")
    expect(page.locator(ASK)).to_be_hidden()
    expect(page.locator(".moments-playouts")).to_contain_text("shares of 54 playouts")
    assert methods == ["GET", "POST", "GET"]
    check_seam(page, reviewed, found)


@pytest.mark.slow("a match that cannot be played out")
def test_a_failed_playout_says_why(reviewed: Reviewed) -> None:
    page, _ = open_moments(reviewed, [NOTHING | {"state": "impossible", "reason": "it is not installed"}])
    expect(page.locator(".moments-playouts [role=status]")).to_have_text(
        "The last rounds cannot be played out: it is not installed."
    )
    expect(page.locator(ASK)).to_be_hidden()


def test_a_branch_is_compared_with_its_match_by_the_model_alone(reviewed: Reviewed) -> None:
    """Playouts of the match replace the model's chances on the page, but a branch has only the model's."""
    found = played(reviewed)
    reviewed.route(playouts=lambda route: route.fulfill(json=found))
    page = reviewed.visit(f"/replay?match={MATCH}&ply=0")
    expect(page.locator(SEAM)).to_have_attribute("d", re.compile("M"))
    page.locator("#replay-scrubber").fill(str(found["chances"][3]["seq"]))
    expect(page.locator("[data-chance]").last).to_have_text("100")
    page.keyboard.press("w")
    table = page.locator(".entry-chances").first
    expect(table).to_be_visible()
    rows = table.locator("tbody tr")
    for row in rows.all():
        match, branch, change = (row.locator("td").nth(column).inner_text().strip() for column in range(3))
        assert match == branch
        assert change == "0"
    shown = [row.locator("td").first.inner_text().removesuffix(" %") for row in rows.all()]
    expect(page.locator("[data-chance]")).to_have_text(shown)


@pytest.mark.parametrize("is_far", [True, False])
def test_shares_far_from_the_model_are_called_the_better_evidence(reviewed: Reviewed, is_far: bool) -> None:
    page = reviewed.visit(f"/replay?match={MATCH}&ply=0")
    page.keyboard.press("w")
    rows = page.locator(".entry-chances").first.locator("tbody tr")
    expect(rows.first).to_be_visible()
    by_model = [int(row.locator("td").nth(1).inner_text().removesuffix(" %")) / 100 for row in rows.all()]
    shares = [0.0] * (len(by_model) - 1) + [1.0] if is_far else by_model
    found = {"done": 200, "of": 200, "ended": "all", "branch": shares, "original": shares}
    answer = json.dumps(found | {"difference": [[0, 0, 0]] * len(shares)}) + "\n"
    page.route("**/api/branches/*/playouts", lambda route: route.fulfill(body=answer))
    page.get_by_text("Play out", exact=True).press("Enter")
    page.get_by_role("button", name="Play out 200 times").press("Enter")
    status = page.locator(".entry-playout").get_by_role("status")
    expect(status).to_contain_text("200 pairs played.")
    far = f"differ from these shares by up to {round(100 * (1 - by_model[-1]))} points"
    if is_far:
        expect(status).to_contain_text(far)
    else:
        expect(status).to_have_text("200 pairs played.")


def test_playouts_that_cannot_be_asked_for_are_given_up(reviewed: Reviewed) -> None:
    page, _ = open_moments(reviewed, [NOTHING | {"state": "not asked"}])
    page.unroute(f"**/api/replay/{MATCH}/playouts")
    page.route(f"**/api/replay/{MATCH}/playouts", lambda route: route.fulfill(body="<p>Busy</p>"))
    page.locator(ASK).click()
    expect(page.locator(".moments-playouts").get_by_role("status")).to_have_text(
        "The last rounds cannot be played out: The server's answer cannot be read; try again in a moment."
    )
