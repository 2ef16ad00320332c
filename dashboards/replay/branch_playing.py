"""A process that plays a branch and its match out, pair by pair: what to play comes in, lines of reports go out.

It is a process of its own because it takes seconds of the interpreter, in which a server would not answer, and so that
it can be ended at any time.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final

from himalaya_core.arena.branch import begin
from himalaya_core.arena.paired import playouts
from himalaya_core.log.codec import decode_action
from himalaya_core.replay import Replay

__all__ = ["Playing", "main"]

NICE: Final = 5
SECONDS: Final = 120
"""How long it may play, by the clock and of processor time."""
REPORTS: Final = 0.25
"""Seconds from one report to the next, at least."""
COMMAND: Final = (
    sys.executable,
    "-P",  # nothing is imported from the folder at hand: it may be one of somebody's logs
    "-c",
    "from dashboards.replay.branch_playing import main; main()",
)


class Playing:
    """Such a process, and what it says."""

    def __init__(self, what: dict[str, Any]) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self._process = subprocess.Popen(  # noqa: S603  ourselves, once more
            COMMAND, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self._said: SimpleQueue[bytes | None] = SimpleQueue()
        self._talking = threading.Thread(target=self._talk, args=(json.dumps(what).encode(),), name="playing")
        self._talking.start()

    def lines(self, gone: threading.Event | None, quiet: float = REPORTS) -> Iterator[bytes]:
        """Yield its lines, and an empty one where it says nothing, until all is said, or nobody is there any more."""
        until = time.monotonic() + SECONDS
        try:
            while gone is None or not gone.is_set():
                try:
                    line = self._said.get(timeout=quiet)
                except Empty:
                    line = b"\n"
                if line is None:
                    return
                yield line
                if time.monotonic() > until:
                    yield _line({"error": f"it takes longer than {SECONDS} seconds"})
                    return
        finally:
            self.end()

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def end(self) -> None:
        """End it, with what it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._talking.join()

    def _talk(self, what: bytes) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._process.stdout as said:
            with suppress(OSError), self._process.stdin as into:  # it was ended
                into.write(what)
            for line in said:
                self._said.put(line)
        self._said.put(None)


def main() -> None:
    """Play out what the input says, and write reports."""
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * 2, SECONDS * 2))
    try:
        _play(json.load(sys.stdin))
    except Exception as error:  # noqa: BLE001  a player may fail in any way in a position it never came to
        _say({"error": str(error) if isinstance(error, ValueError) else f"a player fails ({type(error).__name__})"})


def _play(what: dict[str, Any]) -> None:
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
            _say(found)

    _say(playouts(branch, what["players"], what["samples"], report))


def _say(what: dict[str, Any]) -> None:
    sys.stdout.buffer.write(_line(what))
    sys.stdout.buffer.flush()


def _line(what: dict[str, Any]) -> bytes:
    return json.dumps(what, separators=(",", ":")).encode() + b"\n"
