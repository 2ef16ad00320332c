"""A child process that answers questions. Questions and answers are lines of JSON.

A server uses it for work that would block its own interpreter for seconds. The child can be killed at any time, and
exits when its parent process is gone.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

__all__ = ["Child", "serve"]

Answer = Callable[[Any], None]


class Child:
    """A child process that runs `serve`. Any thread may end it."""

    def __init__(self, main: str) -> None:
        """Start a process that calls `main`, given as `module:function`."""
        module, _, function = main.partition(":")
        code = f"from {module} import {function}; {function}()"
        self._process = subprocess.Popen(  # noqa: S603  this command is fixed: our own interpreter
            [sys.executable, "-P", "-c", code],  # -P: the current folder may contain untrusted modules
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._listening = threading.Thread(target=self._listen, name="child")
        self._listening.start()

    def ask(self, what: Any) -> None:
        """Send a question. If the process has exited, nothing is sent, and `line` returns `None`."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.write(_line(what))
            self._process.stdin.flush()

    def line(self, seconds: float) -> bytes | None:
        """Return the next line of the child's output; `None` if the process has exited.

        Raises `TimeoutError` if no line arrives within `seconds`.
        """
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            raise TimeoutError(f"no answer within {seconds} seconds") from None
        if line is None:
            self._lines.put(None)
        return line

    @property
    def is_over(self) -> bool:
        """True if the process has exited."""
        return self._process.poll() is not None

    def end(self) -> None:
        """Kill the process and every process it started."""
        with suppress(ProcessLookupError):
            if not self.is_over:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._listening.join()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(None)


def serve(answer: Callable[[Any, Answer], None], niceness: int, *, once: bool = False) -> None:
    """Answer questions from standard input until the parent closes it; with `once`, answer only the first.

    `answer` is called with each question and with a function that sends an answer to it. Text that `answer` prints is
    redirected to standard error.
    """
    os.nice(niceness)
    into, sys.stdout = sys.stdout.buffer, sys.stderr
    asked = SimpleQueue[bytes]()
    threading.Thread(target=_read, args=(asked,), daemon=True).start()

    def say(what: Any) -> None:
        into.write(_line(what))
        into.flush()

    while True:
        answer(json.loads(asked.get()), say)
        if once:
            return


def _read(asked: SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        asked.put(line)
    os._exit(0)


def _line(what: Any) -> bytes:
    return json.dumps(what, separators=(",", ":")).encode() + b"\n"
