"""The demonstration: tournaments of mixed strategies, played, loaded and served in one go."""

import contextvars
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from himalaya_core.arena.tournament import Plan, run_tournament

__all__ = ["PLANS", "run_demo"]

PLANS: Final = (
    Plan("four-ways", "caravan", ("pilgrim", "envoy", "trader", "greedy"), 100),
    Plan("specialists", "caravan", ("pilgrim", "envoy", "trader"), 60),
    Plan("newcomers", "caravan", ("random", "greedy", "envoy", "random"), 40),
)
SAMPLES: Final = Path(__file__).parents[1] / "logs"
START_SECONDS: Final = 60

ProgressBar = Callable[[str, int | None], AbstractContextManager[Callable[[int], None]]]


def run_demo(
    folder: Path, jobs: int, host: str, port: int, *, once: bool, show: ProgressBar, say: Callable[[str], None]
) -> int:
    """Play, ingest and serve; return the exit code. A folder that was filled before is served as it is."""
    from dashboards.server import serve
    from ingest.pipeline import ingest

    logs, database = folder / "logs", folder / "himalaya.duckdb"
    for plan in PLANS:
        with show(f"playing {plan.name}", plan.matches) as progress:
            run_tournament(plan, logs / plan.name, jobs, progress)
    samples = [SAMPLES] if any(SAMPLES.glob("**/*.jsonl.zst")) else []
    say(str(ingest([logs, *samples], database)))
    if not once:
        serve(database, host, port, lambda address: say(f"Himalaya is at {address} (Ctrl-C stops it)"))
        return 0
    return _serve_once(lambda ready: serve(database, host, port, ready), f"{PLANS[0].name}.000000", say)


def _serve_once(serve: Callable[[Callable[[str], None]], None], match: str, say: Callable[[str], None]) -> int:
    """Serve in the background, ask every page for an answer, and report."""
    started = threading.Event()
    outcome: list[str | BaseException] = []

    def ready(address: str) -> None:
        outcome.append(address)
        started.set()

    def background() -> None:
        try:
            serve(ready)
        except BaseException as error:  # noqa: BLE001  whatever it is, it is raised again below, in the thread that reports it
            outcome.append(error)
            started.set()

    # Dash keeps what its pages register in a context variable, which a new thread would not see
    threading.Thread(target=contextvars.copy_context().run, args=(background,), daemon=True).start()
    if not started.wait(START_SECONDS):
        say(f"the server did not start within {START_SECONDS} seconds")
        return 1
    first = outcome[0]
    if isinstance(first, BaseException):
        raise first
    return _ask(first.rstrip("/"), match, say)


def _ask(address: str, match: str, say: Callable[[str], None]) -> int:
    failed = 0
    for path in ("/", f"/replay?match={match}&ply=0", "/traffic", "/outcomes", f"/api/replay/{match}", "/_dash-layout"):
        try:
            with urllib.request.urlopen(address + path, timeout=START_SECONDS) as answer:  # noqa: S310  our own server
                body = answer.read()
                said = f"{answer.status}, {len(body):,} bytes"
                if path.startswith("/api/"):
                    said += f", {len(json.loads(body)['frames']):,} frames"
        except (urllib.error.URLError, ValueError, KeyError) as error:
            failed += 1
            said = f"failed: {error}"
        say(f"{address}{path}: {said}")
    return 1 if failed else 0
