"""Play out a branch and its match, pair by pair, in a separate process with regular reports."""

import json
import resource
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from himalaya_core.arena.branch import begin
from himalaya_core.arena.paired import playouts
from himalaya_core.child import Child, serve
from himalaya_core.log.codec import decode_action
from himalaya_core.replay import Replay

__all__ = ["main", "reports"]

NICE: Final = 5
SECONDS: Final = 120
"""Time limit, both of the clock and of the processor."""
REPORTS: Final = 0.25
"""Minimum seconds between two reports."""


def reports(what: dict[str, Any], gone: threading.Event, quiet: float = REPORTS) -> Iterator[bytes]:
    """Play out and yield lines of reports, or empty lines, until the end or until the client has gone."""
    child = Child("dashboards.replay.branch_playing:main")
    until = time.monotonic() + SECONDS
    try:
        child.ask(what)
        while not gone.is_set():
            try:
                line = child.line(quiet)
            except TimeoutError:
                line = b"\n"
            if line is None:
                return
            yield line
            if time.monotonic() > until:
                yield json.dumps({"error": f"it takes longer than {SECONDS} seconds"}).encode() + b"\n"
                return
    finally:
        child.end()


def main() -> None:
    """Play out the branch from the input and write reports."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * 2, SECONDS * 2))
    serve(_answer, NICE, once=True)


def _answer(what: dict[str, Any], say: Callable[[Any], None]) -> None:
    try:
        _play(what, say)
    except Exception as error:  # noqa: BLE001  a player may fail in any way in a position it never came to
        say({"error": str(error) if isinstance(error, ValueError) else f"a player fails ({type(error).__name__})"})


def _play(what: dict[str, Any], say: Callable[[Any], None]) -> None:
    replay = Replay.read(what["log"].encode().splitlines(keepends=True))
    branch = begin(replay, what["seq"], what["luck"])
    for action in what["actions"]:
        seat = action.pop("seat", None)
        branch = branch.play(decode_action(replay.game, action, seat))
    last = 0.0

    def report(found: Any) -> None:
        nonlocal last
        if time.monotonic() - last >= REPORTS:
            last = time.monotonic()
            say(found)

    say(playouts(branch, what["players"], what["samples"], report))
