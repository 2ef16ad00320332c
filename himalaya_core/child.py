"""A child process next to this one, queried and answering in lines of JSON.

It is for work that takes seconds of the interpreter, in which a server would not answer, and can be ended at any time.
It ends by itself when this process is gone.
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
    """A process that calls `serve`; it may be ended from another thread."""

    def __init__(self, main: str) -> None:
        """Start a function, `module:function`."""
        module, _, function = main.partition(":")
        code = f"from {module} import {function}; {function}()"
        self._process = subprocess.Popen(  # noqa: S603  ourselves, once more
            [sys.executable, "-P", "-c", code],  # -P: never import from the current folder, which may be foreign
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._listening = threading.Thread(target=self._listen, name="child")
        self._listening.start()

    def ask(self, what: Any) -> None:
        """Send a question; if the process has ended, the answer says so."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.write(_line(what))
            self._process.stdin.flush()

    def line(self, seconds: float) -> bytes | None:
        """Return the next line of its answers, or `None` if it has ended; `TimeoutError` if none arrives in time."""
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            raise TimeoutError(f"no answer within {seconds} seconds") from None
        if line is None:
            self._lines.put(None)
        return line

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def end(self) -> None:
        """End it, with the processes it started."""
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
    """Answer the questions of the input, or one of them, until the input ends because the parent is gone.

    `answer` is called with a question and with the function that writes an answer to it. Printed text is sent to
    standard error.
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
