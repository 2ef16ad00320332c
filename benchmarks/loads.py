"""Time until each page can be read on a first visit with an empty browser cache.

`paint` is the largest contentful paint. `settled` is the time when the last element was drawn and loading ended. `grey`
is the longest time that a placeholder for a figure was visible. All are milliseconds since navigation. `thread` is the
processor time of the page's main thread, which is more reliable than wall-clock time on a busy machine. The baseline is
the glossary page, which has the page frame and no figure; it is opened alternately with the other pages.
"""

import argparse
import json
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

from playwright.sync_api import Browser, sync_playwright

from measure import median, report

HIMALAYA = Path(sys.executable).with_name("himalaya")
PAGES = {
    "glossary": "/glossary",
    "home": "/",
    "matches": "/matches",
    "replay": "/replay?match=shown.000001",
    "tournaments": "/tournaments",
    "tournament": "/tournament?tournament=shown",
    "compare": "/analysis/compare?game=caravan",
    "outcomes": "/analysis?game=caravan",
    "traffic": "/analysis/where?game=caravan",
    "intake": "/intake",
}
AIMS = {"paint": 1200, "settled": 2000, "grey": 500}
WATCH = """
const seen = { paint: 0, changed: 0, loads: 0, grey: 0 };
window.loading = seen;
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.paint = entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
document.addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => { seen.changed = performance.now(); })
        .observe(document.body, { subtree: true, childList: true, attributes: true });
});
const shown = (card) => {
    const { top, bottom } = card.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
};
const since = new Map();
setInterval(() => {
    const now = performance.now();
    for (const card of document.querySelectorAll(".figure-card")) {
        if (!shown(card) || card.dataset.state) continue;
        if (!since.has(card)) since.set(card, now);
        seen.grey = Math.max(seen.grey, now - since.get(card));
    }
}, 20);
"""
CALM = """async () => {
    const page = "main h1, #replay[data-ready=true]"; // until then nothing changes while scripts are waited for
    const waits = "[aria-busy=true], [data-dash-is-loading=true]";
    const calm = () => performance.now() - window.loading.changed > 700
        && document.querySelector(page) && !document.querySelector(waits);
    while (!calm()) await new Promise((done) => setTimeout(done, 50));
    const fetched = performance.getEntriesByType("resource");
    const last = Math.max(window.loading.changed, ...fetched.map((each) => each.responseEnd));
    const bytes = fetched.reduce((sum, each) => sum + each.encodedBodySize, 0);
    return { paint: window.loading.paint, settled: last, grey: window.loading.grey, kilobytes: bytes / 1024 };
}"""


@contextmanager
def served(matches: int) -> Iterator[str]:
    """Play, load and serve a tournament; yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        logs, database = Path(folder) / "logs", Path(folder) / "loads.duckdb"
        play = ["tournament", "caravan", "--name", "shown", "--players", "trader,greedy,envoy,random"]
        subprocess.run(
            [HIMALAYA, *play, "--matches", str(matches), "--out", logs], check=True, stdout=subprocess.DEVNULL
        )
        subprocess.run([HIMALAYA, "ingest", logs, "--db", database], check=True, stdout=subprocess.DEVNULL)
        serve = [HIMALAYA, "serve", "--db", database, "--host", "127.0.0.1", "--port", "0"]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                yield next(found[0] for line in server.stdout if (found := re.search(r"http://[\d.:]+", line)))
            finally:
                server.terminate()


def opened(browser: Browser, address: str) -> dict[str, float]:
    """Open a page in a new browser context, and return its measurements."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.add_init_script(WATCH)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(address)
        found: dict[str, float] = page.evaluate(CALM)
        metrics: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
    thread = next(each["value"] for each in metrics if each["name"] == "TaskDuration")
    return {**found, "thread": 1000 * thread}


def main() -> None:
    """Open each page a few times, alternating between pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--page", choices=PAGES, action="append")
    given = parser.parse_args()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-headless-shell")
    pages = {name: PAGES[name] for name in given.page or PAGES}
    found: dict[str, list[dict[str, float]]] = {name: [] for name in pages}
    with served(given.matches) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for path in pages.values():
            opened(browser, address + path)  # lets the server compute each figure once before timing
        for _ in range(given.passes):
            for name, path in pages.items():
                found[name].append(opened(browser, address + path))
    each = {name: {key: median([run[key] for run in runs], 0) for key in runs[0]} for name, runs in found.items()}
    for name, took in each.items():
        missed = [key for key, most in AIMS.items() if took[key] >= most]
        print(json.dumps({"page": name, **took, "missed": missed}), file=sys.stderr)
    first = next(iter(each))
    report(
        "loads",
        ratio={name: round(took["thread"] / each[first]["thread"], 2) for name, took in each.items()},
        aims={f"{key}_ms": f"< {most}" for key, most in AIMS.items()},
        slowest={key: max(each, key=lambda name: each[name][key]) for key in AIMS},
        pages=each,
    )


if __name__ == "__main__":
    main()
