"""Saving from the replay: every file of the menu has the right content."""

import base64
import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser, Page, expect

from himalaya_core.replay import Replay
from tests.browser.conftest import Looks

Visit = Callable[[str], Page]
MATCH = "four.000001"
PLY = 57
SVG = "{http://www.w3.org/2000/svg}"
SCRUBBER = "#replay-scrubber"


def opened(visit: Visit, query: str = f"&ply={PLY}") -> Page:
    page = visit(f"/replay?match={MATCH}{query}")
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    return page


def menu(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("group", name="Save this match")).to_be_visible()


def saved(page: Page, name: str) -> tuple[str, bytes]:
    """Choose an entry of the menu; return the name and content of the downloaded file."""
    menu(page)
    with page.expect_download() as download:
        page.locator("#replay-save-menu .menu-row").filter(has_text=name).click()
    expect(page.locator("#replay-save-menu")).to_be_hidden()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def asked(page: Page, path: str) -> bytes:
    with urlopen(re.sub(r"^(https?://[^/]+).*", r"\1", page.url) + path) as answer:
        body: bytes = answer.read()
        return body


def chunks(riff: bytes) -> list[tuple[bytes, bytes]]:
    """Split a RIFF file into chunks; fails if it is invalid."""
    assert (riff[:4], riff[8:12]) == (b"RIFF", b"WEBP")
    assert struct.unpack("<I", riff[4:8])[0] == len(riff) - 8
    found, at = [], 12
    while at < len(riff):
        size = struct.unpack("<I", riff[at + 4 : at + 8])[0]
        found.append((riff[at : at + 4], riff[at + 8 : at + 8 + size]))
        at += 8 + size + size % 2
    assert at == len(riff)
    return found


def small(data: bytes) -> int:
    return int.from_bytes(data, "little")


@pytest.mark.slow("every kind of file")
def test_logs_positions_and_pictures_are_those_of_the_playhead(player: Visit) -> None:
    page = opened(player)
    check_ranges(page)
    check_png(page)
    check_log_and_position(page)


def check_log_and_position(page: Page) -> None:
    """The saved log and position end at the playhead, even while the menu is open."""
    log = asked(page, f"/api/matches/{MATCH}")
    assert saved(page, "Log") == (f"{MATCH}.jsonl", log)
    name, data = saved(page, "Position as data")
    assert name == f"{MATCH}-ply-{PLY}.json"
    assert saved(page, "Position as text")[1] == asked(page, f"/api/replay/{MATCH}/position.txt?ply={PLY}")
    name, offline = saved(page, "Offline replay")
    assert name == f"{MATCH}.html"
    assert offline.lower().startswith(b"<!doctype html")
    replay = Replay.read(log.splitlines(keepends=True))
    at = max(index for index, entry in enumerate(replay.entries) if entry.ply == PLY)
    assert json.loads(data)["position"] == json.loads(json.dumps(replay.game.position(replay.states[at])))
    menu(page)
    page.keyboard.press("ArrowRight")
    with page.expect_download() as download:
        page.locator("#replay-save-menu .menu-row").filter(has_text="Position as data").click()
    ply = page.locator(".where").inner_text().split()[-1]
    assert ply != str(PLY)
    assert download.value.suggested_filename == f"{MATCH}-ply-{ply}.json"


@pytest.mark.slow("the view of a seat")
def test_the_position_as_text_is_that_of_the_viewing_seat(player: Visit) -> None:
    page = opened(player, f"&ply={PLY}&view=2")
    name, text = saved(page, "Position as text")
    assert name == f"{MATCH}-ply-{PLY}.txt"
    assert text == asked(page, f"/api/replay/{MATCH}/position.txt?ply={PLY}&view=2")
    assert text != asked(page, f"/api/replay/{MATCH}/position.txt?ply={PLY}")


def titled(picture: bytes, start: str) -> int:
    """Count the elements of a picture whose title starts with a text."""
    return sum((title.text or "").startswith(start) for title in ET.fromstring(picture).iter(f"{SVG}title"))


def goods_in(picture: bytes) -> int:
    return sum(text.text in {"S", "B", "T", "J", "G"} for text in ET.fromstring(picture).iter(f"{SVG}text"))


@pytest.mark.slow("another way to read a match")
def test_the_picture_shows_what_the_board_shows_and_looks_as_it_does(player: Visit) -> None:
    page = opened(player, "&ply=60")
    name, data = saved(page, "Picture, SVG")
    assert name == f"{MATCH}-ply-60.svg"
    root = ET.fromstring(data)
    caption = page.locator(".caption").inner_text()
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert MATCH in texts
    assert any(text.endswith(caption) for text in texts)
    for seat in page.locator(".standings-table b").all_inner_texts():
        assert seat in texts
        assert titled(data, f"Caravan of {seat}") == 1
    assert len([each for each in root.iter() if re.fullmatch(r"n\d+", each.get("data-thing", ""))]) == 20
    assert b"var(" not in data
    assert b"class=" not in data
    assert re.findall(rb"url\((.{5})", data) == [b"data:"]  # only the font is embedded
    looks = """path => {
        const {fill, stroke} = getComputedStyle(path);
        const {width, height} = path.getBoundingClientRect();
        return {fill, stroke, width: Math.round(width), height: Math.round(height)};
    }"""
    selectors = (".map-land .area", ".village-wall", ".piece", ".cube rect")
    shown = [page.locator(selector).first.evaluate(looks) for selector in selectors]

    page.get_by_role("button", name="Goods").click()  # hidden layers are left out of the picture
    assert goods_in(data) > 10
    assert goods_in(saved(page, "Picture, SVG")[1]) == 0
    page.get_by_role("button", name="As text").click()  # also available in the text view
    assert titled(saved(page, "Picture, SVG")[1], "Caravan of") == 4
    expect(page.locator(".save-stage")).to_have_count(0)

    page.goto("about:blank")
    page.set_content(data.decode())
    copies = ("polygon", "[data-thing^=n] path", "g[data-at] > path", "[data-thing^=n] rect")
    assert [page.locator(selector).first.evaluate(looks) for selector in copies] == shown


def check_png(page: Page) -> None:
    """The PNG has twice the SVG's size, and is not empty."""
    svg = ET.fromstring(saved(page, "Picture, SVG")[1])
    name, png = saved(page, "Picture, PNG")
    assert name == f"{MATCH}-ply-{PLY}.png"
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (2 * int(svg.get("width", 0)), 2 * int(svg.get("height", 0)))
    corner, kinds = page.evaluate(
        """async (content) => {
            const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
            const image = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
            const canvas = new OffscreenCanvas(image.width, image.height);
            const pen = canvas.getContext("2d");
            pen.drawImage(image, 0, 0);
            const all = pen.getImageData(0, 0, image.width, image.height).data;
            const kinds = new Set();
            for (let at = 0; at < all.length; at += 20) kinds.add(all[at] * 65536 + all[at + 1] * 256 + all[at + 2]);
            return [[...all.slice(0, 3)], kinds.size];
        }""",
        base64.b64encode(png).decode(),
    )
    assert corner == [0xFF, 0xFF, 0xFF]
    assert kinds > 200


def clip_dialog(page: Page) -> Any:
    menu(page)
    page.locator("#replay-save-menu .menu-row").filter(has_text="Clip").click()
    dialog = page.get_by_role("dialog", name="Clip")
    expect(dialog).to_be_visible()
    return dialog


@pytest.mark.slow("records a clip")
def test_a_clip_has_a_frame_for_each_event_and_lasts_as_long(player: Visit) -> None:
    page = opened(player, "&ply=57&from=40&to=42")
    where = page.locator(SCRUBBER).input_value()
    dialog = clip_dialog(page)
    expect(dialog.get_by_label("From ply")).to_have_value("40")
    expect(dialog.get_by_label("To ply")).to_have_value("42")
    check_impossible(dialog)
    dialog.get_by_label("From ply").fill("40")
    dialog.get_by_label("To ply").fill("42")
    dialog.get_by_label("Speed").select_option("2")
    dialog.get_by_label("Size").select_option("480")
    count = int(re.match(r"\d+", dialog.locator(".clip-about").inner_text())[0])  # type: ignore[index]
    assert count >= 3
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Make the clip").click()
    assert download.value.suggested_filename == f"{MATCH}-ply-40-to-42.webp"
    clip = Path(download.value.path()).read_bytes()
    expect(dialog.locator(".clip-about")).to_contain_text("Saved as")
    (head, header), (animated, _), *frames = chunks(clip)
    assert (head, animated, {name for name, _ in frames}) == (b"VP8X", b"ANIM", {b"ANMF"})
    assert header[0] == 0x02
    width, height = small(header[4:7]) + 1, small(header[7:10]) + 1
    assert width == 480
    durations = [small(frame[12:15]) for _, frame in frames]
    assert durations == [167] * (count - 1) + [2167]
    for _, frame in frames:
        x, y = 2 * small(frame[0:3]), 2 * small(frame[3:6])
        assert x + small(frame[6:9]) + 1 <= width
        assert y + small(frame[9:12]) + 1 <= height
        assert frame[16:20] in {b"VP8 ", b"VP8L"}
    decoded = page.evaluate(
        """async (bytes) => {
            const decoder = new ImageDecoder({type: "image/webp", data: new Uint8Array(bytes)});
            await decoder.tracks.ready;
            const count = decoder.tracks.selectedTrack.frameCount;
            let time = 0;
            for (let frameIndex = 0; frameIndex < count; frameIndex += 1) {
                const {image} = await decoder.decode({frameIndex});
                time += image.duration;
                image.close();
            }
            return [count, time / 1000];
        }""",
        [*clip],
    )
    assert decoded == [count, sum(durations)]
    assert page.locator(SCRUBBER).input_value() == where
    expect(page.locator(".save-stage")).to_have_count(0)


def check_impossible(dialog: Any) -> None:
    """For a range that cannot be exported as a clip, the page gives the reason."""
    make = dialog.get_by_role("button", name="Make the clip")
    for first, last, says in (
        ("x", "50", "A ply is a number, such as 57 or 57.3."),
        ("0", "999", "A clip has at most 300 events; this range has"),
        ("50", "40", "would end before it starts"),
    ):
        dialog.get_by_label("From ply").fill(first)
        dialog.get_by_label("To ply").fill(last)
        expect(dialog.get_by_role("status")).to_contain_text(says)
        expect(make).to_be_disabled()


def check_ranges(page: Page) -> None:
    """The default range of a clip is the round."""
    rounds = [line["round"] for line in map(json.loads, asked(page, f"/api/matches/{MATCH}").splitlines())]
    at = int(page.locator(SCRUBBER).input_value())
    dialog = clip_dialog(page)
    expect(dialog.locator(".clip-about")).to_have_text(re.compile(f"^{rounds.count(rounds[at])} events, "))
    page.keyboard.press("Escape")


@pytest.mark.slow("clips that are not made")
def test_an_impossible_clip_says_why_and_a_clip_can_be_cancelled(player: Visit) -> None:
    page = opened(player)
    dialog = clip_dialog(page)
    make = dialog.get_by_role("button", name="Make the clip")
    dialog.get_by_label("From ply").fill("20")
    dialog.get_by_label("To ply").fill("100")
    make.click()
    expect(dialog.get_by_role("progressbar")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog.get_by_role("status")).to_have_text("Cancelled.")
    expect(dialog.get_by_role("progressbar")).to_be_hidden()
    expect(page.locator(".save-stage")).to_have_count(0)
    page.evaluate(
        """() => {
            const { toBlob } = HTMLCanvasElement.prototype;
            HTMLCanvasElement.prototype.toBlob = function (done) { toBlob.call(this, done, "image/png"); };
        }"""
    )
    make.click()
    expect(dialog.get_by_role("status")).to_contain_text("This browser cannot write WebP")


def check_menu(page: Page) -> None:
    """The menu works by keyboard, and closing it returns the focus."""
    where = page.locator(SCRUBBER).input_value()
    button = page.get_by_role("button", name="Save", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    rows = page.locator("#replay-save-menu .menu-row")
    expect(rows.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(rows.last).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(rows.first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(rows.last).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#replay-save-menu")).to_be_hidden()
    expect(button).to_be_focused()
    assert page.locator(SCRUBBER).input_value() == where
    dialog = clip_dialog(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()


@pytest.mark.slow("every kind of file")
@pytest.mark.every_look
def test_menu_and_clip_are_accessible(player: Visit, axe: Callable[..., list[str]], looks: Looks) -> None:
    page = opened(player)
    check_menu(page)
    menu(page)
    for look in looks(page):
        assert axe(page, "#replay-save-menu") == [], look
        rows = page.locator("#replay-save-menu .menu-row").evaluate_all(
            "rows => rows.map(row => row.getBoundingClientRect()).map(({left, right, height}) => [left, right, height])"
        )
        assert all(left >= 0 and right <= look.size[0] and height >= 24 for left, right, height in rows), look
    page.keyboard.press("Escape")
    dialog = clip_dialog(page)
    for look in looks(page):
        assert axe(page, "dialog[open]") == [], look
        for control in dialog.locator("input, select, button:visible").all():
            box = control.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 24, look
        make = dialog.get_by_role("button", name="Make the clip")
        assert make.evaluate("button => button.scrollWidth <= button.clientWidth"), look


@pytest.mark.slow("what the menu has without a server")
def test_a_replay_from_disk_offers_the_downloads_that_need_no_server(
    player: Visit, browser: Browser, tmp_path: Path
) -> None:
    page = opened(player)
    name, data = saved(page, "Offline replay")
    assert name == f"{MATCH}.html"
    log = asked(page, f"/api/matches/{MATCH}")
    (tmp_path / name).write_bytes(data)
    page = browser.new_context(offline=True).new_page()
    page.goto((tmp_path / name).as_uri())
    expect(page.locator("#replay")).to_have_attribute("data-ready", "true")
    page.keyboard.press("Shift+ArrowRight")
    assert saved(page, "Log") == (f"{MATCH}.jsonl", log)
    assert titled(saved(page, "Picture, SVG")[1], "Caravan of") == 4
    assert saved(page, "Picture, PNG")[1][:4] == b"\x89PNG"
    menu(page)
    rows = page.locator("#replay-save-menu .menu-row b").all_inner_texts()
    assert rows == ["Log", "Picture, SVG", "Picture, PNG", "Clip …"]
    page.context.close()
