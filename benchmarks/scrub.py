"""Smoothness of the replay: frame times while its slider is dragged, in headless Chromium at 1440x900.

The slider gets a new value in every animation frame, as if dragged: 240 consecutive positions, then 240 jumps. A tower
is also turned in its final position, by a pointer that moves once per frame. A frame's time is the interval between two
animation frames. Frame times of the idle page are measured for comparison.

Script time is the time of all scripts that the page ran per frame. The cost of the test driver is subtracted; it is
measured with a slider that has no listeners. The time of the page's whole main thread is reported next to it: script,
style, layout, paint. Both are processor times.

Finally the slider is dragged while a branch is open. The branch starts in the middle of the match and is continued to
the end by players, so that two boards follow the slider.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

import duckdb
from playwright.sync_api import CDPSession, Page, sync_playwright

from measure import median, percentile, report

SEEKS = 240
HIMALAYA = Path(sys.executable).with_name("himalaya")
PLAYED = {"caravan": ("trader,pilgrim,envoy,random", 8), "climbers": ("greedy,blocker,random,greedy,blocker", 4)}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
SMOOTH = dict.fromkeys(("drag_p95_ms", "turn_p95_ms", "branch_p95_ms"), 17.5) | {
    "jump_p95_ms": 20.0,
    "first_board_ms": 800.0,
}
AIMS = {"caravan": {**SMOOTH, "drag_script_ms": 1.0, "jump_script_ms": 1.0}, "climbers": SMOOTH}
SLIDER = "input[type=range]"
IDLE = "#idle"
TOWER = ".replay-tower > .board-sheet"
PIXELS = 4
NOTE_FIRST_BOARD = """
    const look = () => {
        const slider = document.querySelector("input[type=range]");
        const board = document.querySelector("svg circle, svg path");
        if (slider && Number(slider.max) > 0 && document.querySelectorAll("svg *").length > 100 && board) {
            requestAnimationFrame(() => { document.documentElement.dataset.firstBoard = performance.now(); });
        } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""
IDLE_SLIDER = """top => {
    const slider = Object.assign(document.createElement("input"), { type: "range", max: top, id: "idle" });
    slider.style.position = "fixed";
    document.body.append(slider);
}"""
DRIVE = """async ({ positions, driven, way }) => {
    const element = document.querySelector(driven);
    const { left, top } = element.getBoundingClientRect();
    const give = {
        seek(position) {
            element.value = position;
            element.dispatchEvent(new Event("input", { bubbles: true }));
        },
        turn(position) {
            const pointer = { pointerId: 1, isPrimary: true, clientX: left + position, clientY: top + 60 };
            element.dispatchEvent(new PointerEvent("pointermove", { ...pointer, bubbles: true }));
        },
    }[way];
    const frame = () => new Promise(requestAnimationFrame);
    const times = [];
    let before = await frame();
    for (const position of positions) {
        if (position !== null) give(position);
        const now = await frame();
        times.push(now - before);
        before = now;
    }
    return times;
}"""
Way: TypeAlias = Literal["seek", "turn"]


def jumps(count: int, top: int) -> list[int]:
    """Return a fixed sequence of distant positions."""
    return [(number * 7919 + 13) % (top + 1) for number in range(count)]


def aims(game: str, figures: dict[str, float]) -> dict[str, str]:
    """Return whether each figure that has a target meets it."""
    return {
        f"{name} <= {most:g}": "met" if figures[name] <= most else "missed"
        for name, most in AIMS[game].items()
        if name in figures
    }


@contextmanager
def served(game: str) -> Iterator[str]:
    """Play, load and serve a few matches; yield the address of the longest one's replay."""
    players, matches = PLAYED[game]
    with tempfile.TemporaryDirectory() as folder:
        logs, database = Path(folder) / "logs", Path(folder) / "scrub.duckdb"
        play = ["tournament", game, "--name", "scrub", "--players", players, "--matches", str(matches)]
        subprocess.run([HIMALAYA, *play, "--jobs", "1", "--out", logs], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([HIMALAYA, "ingest", logs, "--db", database], check=True, stdout=subprocess.DEVNULL)
        with duckdb.connect(database, read_only=True) as connection:
            longest = connection.execute("SELECT match FROM dim_matches ORDER BY events DESC, match LIMIT 1").fetchone()
        serve = [HIMALAYA, "serve", "--db", database, "--host", "127.0.0.1", "--port", "0"]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                assert longest is not None
                address = next(
                    (found[0] for line in server.stdout if (found := re.search(r"http://[\d.:]+", line))), None
                )
                assert address is not None, "the server did not start"
                yield f"{address}/replay?match={longest[0]}"
            finally:
                server.terminate()


def spent(session: CDPSession) -> tuple[float, float]:
    """Return the processor time used by the page so far, in milliseconds: its scripts, and its whole main thread."""
    metrics = {each["name"]: each["value"] * 1000 for each in session.send("Performance.getMetrics")["metrics"]}
    return metrics["ScriptDuration"], metrics["TaskDuration"]


def drive(
    page: Page, session: CDPSession, positions: list[int] | list[None], driven: str = SLIDER, way: Way = "seek"
) -> dict[str, Any]:
    """Drag the slider; return frame times, script time per frame, and the main thread's time, in milliseconds."""
    script, thread = spent(session)
    times: list[float] = page.evaluate(DRIVE, {"positions": positions, "driven": driven, "way": way})
    script, thread = (now - before for now, before in zip(spent(session), (script, thread), strict=True))
    return {"frames": times, "script": script / len(positions), "thread": thread / len(positions)}


def turned(page: Page, session: CDPSession, top: int) -> dict[str, Any]:
    """Turn the tower in its final position by dragging; the cost of the simulated input is subtracted."""
    page.locator(SLIDER).first.fill(str(top))
    page.locator(TOWER).hover(position={"x": 60, "y": 60})
    page.mouse.down()
    path = [60 + PIXELS * (number + 1) for number in range(SEEKS)]
    driving = drive(page, session, path, IDLE, "turn")
    turn = drive(page, session, path, TOWER, "turn")
    page.mouse.up()
    return {**turn, "script": turn["script"] - driving["script"]}


def branched(page: Page, session: CDPSession, top: int, positions: list[int]) -> dict[str, Any]:
    """Drag the slider with a branch open; the players continued it from the middle of the match to the end."""
    page.locator(SLIDER).first.fill(str(top // 2))
    page.keyboard.press("w")
    card = page.get_by_role("region", name="What if")
    card.get_by_text("is to decide").wait_for()
    card.locator("#entry-decisions").select_option("")
    card.get_by_role("button", name="Go on", exact=True).click()
    card.get_by_text("The match is over here").wait_for()
    page.wait_for_load_state("networkidle")
    return drive(page, session, positions)


def one_pass(browser: Any, address: str) -> dict[str, Any]:
    """Open the replay and measure it: idle, dragging, jumping, and turning where possible."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.add_init_script(NOTE_FIRST_BOARD)
    page.goto(address)
    page.locator("html[data-first-board]").wait_for()
    first_board = float(page.locator("html").get_attribute("data-first-board") or 0)
    page.wait_for_load_state("networkidle")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    top = int(page.locator(SLIDER).first.get_attribute("max") or 0)
    in_order = [number * top // (SEEKS - 1) for number in range(SEEKS)]
    rest = drive(page, session, [None] * SEEKS)
    page.evaluate(IDLE_SLIDER, top)
    driving = drive(page, session, in_order, IDLE)
    moves = {"drag": drive(page, session, in_order), "jump": drive(page, session, jumps(SEEKS, top))}
    if page.locator(TOWER).count():
        moves["turn"] = turned(page, session, top)
    moves["branch"] = branched(page, session, top, in_order)
    for name in ("drag", "jump", "branch"):
        moves[name]["script"] -= driving["script"]
    page.close()
    return {"first_board": first_board, "positions": top, "driving": driving["script"], "rest": rest, **moves}


def measure(browser: Any, game: str, count: int) -> None:
    """Measure a game several times and report."""
    with served(game) as address:
        passes = [one_pass(browser, address) for _ in range(count)]
    moves = [name for name in ("drag", "jump", "turn", "branch") if name in passes[0]]

    def middle(what: str, percent: int) -> float:
        return median([percentile(each[what]["frames"], percent) for each in passes], 1)

    def of_each(figure: str) -> dict[str, float]:
        return {name: median([each[name][figure] for each in passes]) for name in moves}

    script = of_each("script")
    first_board = median([each["first_board"] for each in passes], 0)
    figures = {
        **{f"{name}_p95_ms": middle(name, 95) for name in moves},
        **{f"{name}_script_ms": script[name] for name in moves},
        "first_board_ms": first_board,
    }
    report(
        "scrub",
        game=game,
        ratio=round(middle("drag", 95) / middle("rest", 95), 2),
        aim=aims(game, figures),
        frame_ms={name: {"p50": middle(name, 50), "p95": middle(name, 95)} for name in ("rest", *moves)},
        script_ms_per_frame=script,
        thread_ms_per_frame=of_each("thread"),
        driving_ms_per_frame=median([each["driving"] for each in passes]),
        first_board_ms=first_board,
        positions=passes[0]["positions"],
        passes=count,
    )


def main() -> None:
    """Measure the replay of each requested game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--game", choices=PLAYED, action="append", help="by default all of them")
    given = parser.parse_args()
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        for game in given.game or PLAYED:
            measure(browser, game, given.passes)
        browser.close()


if __name__ == "__main__":
    main()
