"""Layout of the replay: a full-height column, a transport that stays in sight, folded lanes, wide panels."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

Visit = Callable[[str], Page]
MATCH = "/replay?match=four.000001&ply=60"


def box(place: Locator) -> dict[str, float]:
    found = place.bounding_box()
    assert found is not None
    sides = {name: float(value) for name, value in (("x", found["x"]), ("y", found["y"]))}
    sides |= {"width": found["width"], "height": found["height"]}
    return {**sides, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


def test_the_column_fills_the_window_and_the_transport_stays_at_the_bottom_of_the_board(player: Visit) -> None:
    page = player(f"{MATCH}&panel=causes")
    side, panels, board = (box(page.locator(place)) for place in (".replay-side", ".replay-panels", ".replay-board"))
    assert (side["y"], side["bottom"]) == (60, 888)
    assert panels["bottom"] == 888
    assert box(page.locator(".panel:visible"))["height"] > 380
    assert board["right"] <= side["x"]
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    for part in (".caption", ".buttons", "#replay-scrubber"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1440, "height": 620})  # now the column is longer than the window
    page.mouse.move(1300, 300)
    page.evaluate("scrollTo(0, 9999)")
    assert page.evaluate("scrollY") > 0
    for part in (".replay-board", ".caption", ".buttons"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(390, 844)])
def test_on_a_phone_the_transport_is_in_sight_at_every_scroll_position(
    player: Visit, axe: Callable[..., list[str]]
) -> None:
    page = player(MATCH)
    end = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert end > 500
    bar = box(page.locator(".transport"))
    for top in range(0, end + 300, 300):
        page.evaluate("top => scrollTo(0, top)", top)
        bar = box(page.locator(".transport"))
        assert (bar["x"], bar["right"], round(bar["bottom"])) == (0, 390, 844), top
        expect(page.locator(".caption")).to_be_in_viewport(ratio=1)
    page.locator("#replay-next").click()
    expect(page.locator(".where")).to_contain_text("ply 61")
    page.get_by_role("tab", name="Events").focus()  # the browser scrolls it above the bar
    assert box(page.get_by_role("tab", name="Events"))["bottom"] <= bar["y"]
    assert axe(page) == []


def test_lanes_are_folded_for_a_larger_board_also_on_the_next_page(player: Visit) -> None:
    page = player(MATCH)
    before = box(page.locator(".board-stage"))["height"]
    fold = page.get_by_role("button", name="Lanes")
    fold.click()
    expect(fold).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_text("Key moments", exact=True).first).to_be_in_viewport()
    assert box(page.locator(".board-stage"))["height"] >= before + 60
    page = player(MATCH)
    expect(page.get_by_role("button", name="Lanes")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Lanes").click()
    assert box(page.locator(".board-stage"))["height"] == before
    assert page.locator(".timeline-labels").evaluate("labels => labels.scrollHeight <= labels.clientHeight")


@pytest.mark.parametrize("size", [(1280, 720)])
def test_lanes_start_folded_in_a_low_window(player: Visit) -> None:
    page = player(MATCH)
    expect(page.get_by_role("button", name="Lanes")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_text("Deliveries", exact=True).first).not_to_be_in_viewport()
    for control in ("#replay-next", "#replay-speed", "#replay-what-if"):
        row, first = box(page.locator(control)), box(page.locator("#replay-first"))
        assert row["y"] < first["bottom"], control
        assert row["bottom"] > first["y"], control  # all in one row


def test_causes_and_study_open_wide_and_escape_makes_them_narrow_again(
    player: Visit, axe: Callable[..., list[str]]
) -> None:
    page = player(f"{MATCH}&panel=causes")
    panel = page.get_by_role("tabpanel", name="Causes")
    explained = panel.get_by_text("Own plans, and own moves in the set-up.")
    narrow, table = box(panel)["width"], box(panel.get_by_role("table"))
    assert box(explained)["y"] > table["bottom"]
    wide = page.get_by_role("button", name="Wide panel")
    wide.press("Enter")
    assert box(panel)["width"] > 1.8 * narrow
    assert box(explained)["x"] > box(panel.get_by_role("table"))["right"]
    assert box(page.locator(".board-sheet"))["width"] > 400  # the board stays next to it
    expect(wide).to_be_focused()
    assert "&wide=on" in page.url
    assert axe(page) == []
    page.get_by_role("tab", name="Study").click()
    assert box(page.get_by_role("tabpanel", name="Study"))["width"] > 1.8 * narrow
    page.keyboard.press("Escape")
    expect(wide).to_have_attribute("aria-pressed", "false")
    assert box(page.get_by_role("tabpanel", name="Study"))["width"] == narrow


def test_looks_of_the_header_leave_the_discs_of_delegations_on_the_board(visit: Visit) -> None:
    page = visit(MATCH)
    page.keyboard.press("End")
    discs = page.locator(".council > g:not([display=none]) > .badge")
    expect(discs.first).to_be_visible()
    assert all(disc.evaluate("disc => getComputedStyle(disc).display") != "none" for disc in discs.all())


@pytest.mark.parametrize("size", [(390, 844)])
def test_a_message_on_a_wrong_ply_covers_no_control_and_goes_away(page: Page, player: Visit) -> None:
    page.clock.install()
    player("/replay?match=four.000001&ply=9999")
    note = page.get_by_role("alert")
    expect(note).to_contain_text("There is no ply 9999")
    assert box(page.locator(".replay-bar"))["bottom"] < box(note)["y"]
    assert box(note)["bottom"] <= box(page.locator(".transport"))["y"]
    note.hover()
    page.clock.fast_forward(11_000)
    expect(note).to_be_visible()  # while it is pointed at
    page.mouse.move(0, 0)
    page.clock.fast_forward(11_000)
    expect(note).to_have_count(0)
    page.close()


@pytest.mark.parametrize("causes", ["", "&standings=causes"])
def test_standings_stay_in_their_card_with_long_names_and_in_narrow_windows(player: Visit, causes: str) -> None:
    page = player(MATCH + causes)
    card = page.locator(".replay-standings")
    card.evaluate(
        """card => {
            for (const name of card.querySelectorAll(".seat-name > :is(b, .meta), .ending > span")) {
                name.textContent = "x".repeat(200);
            }
        }"""
    )
    for width in (1440, 1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        outside = card.evaluate(
            """card => [...card.querySelectorAll("*")]
                .filter(part => part.getBoundingClientRect().right > card.getBoundingClientRect().right)
                .map(part => part.outerHTML)"""
        )
        assert outside == [], width
