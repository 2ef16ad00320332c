"""How smoothly the replay follows the hand: frame times while its slider moves in headless Chromium, 1440x900.

The slider gets a new value in every animation frame, as from a hand that drags it: 240 positions in order, then 240
jumps. A frame's time is the distance between two animation frames; the same page's frames at rest are measured beside
them. Script time is all script the page ran for each seek, less what the driving itself takes: the same values given to
a slider that nobody listens to.
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
from typing import Any

import duckdb
from playwright.sync_api import CDPSession, Page, sync_playwright

from measure import median, percentile, report

SEEKS = 240
HIMALAYA = Path(sys.executable).with_name("himalaya")
PLAYERS = "trader,pilgrim,envoy,random"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
AIMS = {"drag_p95_ms": 17.5, "jump_p95_ms": 20.0, "drag_script_ms": 1.0, "jump_script_ms": 1.0, "first_board_ms": 800.0}
SLIDER = "input[type=range]"
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
DRIVE = """async ({ positions, driven }) => {
    const slider = document.querySelector(driven);
    const frame = () => new Promise(requestAnimationFrame);
    const times = [];
    let before = await frame();
    for (const position of positions) {
        if (position !== null) {
            slider.value = position;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
        }
        const now = await frame();
        times.push(now - before);
        before = now;
    }
    return times;
}"""


def jumps(count: int, top: int) -> list[int]:
    """Return positions far from one another, the same every time."""
    return [(number * 7919 + 13) % (top + 1) for number in range(count)]


def aims(figures: dict[str, float]) -> dict[str, str]:
    """Say of each figure that has an aim whether it is met."""
    return {f"{name} <= {most:g}": "met" if figures[name] <= most else "missed" for name, most in AIMS.items()}


@contextmanager
def served(matches: int) -> Iterator[tuple[str, str]]:
    """Play, load and serve a few matches; yield the address and the name of the longest match."""
    with tempfile.TemporaryDirectory() as folder:
        logs, database = Path(folder) / "logs", Path(folder) / "scrub.duckdb"
        play = ["tournament", "caravan", "--name", "scrub", "--players", PLAYERS, "--matches", str(matches)]
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
                yield address, longest[0]
            finally:
                server.terminate()


def script_seconds(session: CDPSession) -> float:
    """Return the script time of the page so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "ScriptDuration")


def drive(
    page: Page, session: CDPSession, positions: list[int] | list[None], slider: str = SLIDER
) -> tuple[list[float], float]:
    """Return the frame times in milliseconds and the script time of one seek."""
    before = script_seconds(session)
    times: list[float] = page.evaluate(DRIVE, {"positions": positions, "driven": slider})
    return times, (script_seconds(session) - before) * 1000 / len(positions)


def one_pass(browser: Any, address: str) -> dict[str, Any]:
    """Open the replay afresh, let it rest, drag, jump."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.add_init_script(NOTE_FIRST_BOARD)
    page.goto(address)
    page.locator("html[data-first-board]").wait_for()
    first_board = float(page.locator("html").get_attribute("data-first-board") or 0)
    page.wait_for_load_state("networkidle")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    top = int(page.locator(SLIDER).first.get_attribute("max") or 0)
    in_order = [number * top // (SEEKS - 1) for number in range(SEEKS)]
    rest, _ = drive(page, session, [None] * SEEKS)
    page.evaluate(IDLE_SLIDER, top)
    _, driving = drive(page, session, in_order, "#idle")
    drag, drag_script = drive(page, session, in_order)
    jump, jump_script = drive(page, session, jumps(SEEKS, top))
    page.close()
    return {
        "first_board": first_board,
        "rest": rest,
        "drag": drag,
        "jump": jump,
        "drag_script": drag_script - driving,
        "jump_script": jump_script - driving,
        "driving": driving,
        "positions": top,
    }


def main() -> None:
    """Take the passes together and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=5)
    given = parser.parse_args()
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with served(8) as (url, match), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        passes = [one_pass(browser, f"{url}/replay?match={match}") for _ in range(given.passes)]
        browser.close()

    def middle(what: str, percent: int) -> float:
        return median([percentile(each[what], percent) for each in passes], 1)

    script = {kind: median([each[f"{kind}_script"] for each in passes]) for kind in ("drag", "jump")}
    first_board = median([each["first_board"] for each in passes], 0)
    figures = {
        "drag_p95_ms": middle("drag", 95),
        "jump_p95_ms": middle("jump", 95),
        "drag_script_ms": script["drag"],
        "jump_script_ms": script["jump"],
        "first_board_ms": first_board,
    }
    report(
        "scrub",
        ratio=round(middle("drag", 95) / middle("rest", 95), 2),
        aim=aims(figures),
        rest_frame_ms={"p50": middle("rest", 50), "p95": middle("rest", 95)},
        drag_frame_ms={"p50": middle("drag", 50), "p95": middle("drag", 95)},
        jump_frame_ms={"p50": middle("jump", 50), "p95": middle("jump", 95)},
        script_ms_per_seek=script,
        driving_ms_per_seek=median([each["driving"] for each in passes]),
        first_board_ms=first_board,
        positions=passes[0]["positions"],
        passes=given.passes,
    )


if __name__ == "__main__":
    main()
