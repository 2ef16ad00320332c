"""Starts Python processes quickly by forking a process that has already imported the product.

A command takes a tenth of a second, its imports up to two seconds, and the tests start over a hundred. `Popen` and
`run` accept commands of the form `[sys.executable, "-c", code, *arguments]`, and otherwise work like those of
`subprocess`: a forked process has its own memory, signals, limits and files. The tests of the demo and the arena start
commands that import everything themselves.
"""

import atexit
import gc
import importlib
import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from multiprocessing.connection import wait
from pathlib import Path
from typing import IO, Any, Final, NoReturn, Self

__all__ = ["HIMALAYA", "Popen", "run"]

HIMALAYA: Final = (sys.executable, "-c", "import sys; from himalaya_core.cli.main import main; sys.exit(main())")
MOST: Final = 1 << 17
"""Maximum bytes of a request: code, arguments and the environment."""
IMPORTED: Final = (
    *(
        "dashboards.server",
        "scipy.sparse",
        "scipy.special",
        "ingest.maintenance.backup",
        "ingest.maintenance.lake.write",
        "ingest.opening",
    ),
    *("ingest.validate.pool", "himalaya_core.caravan", "himalaya_core.summit", "himalaya_core.climbers"),
    *(f"himalaya_core.cli.{name}" for name in ("main", "play", "logs", "tournament")),
    *(f"ingest.cli.{name}" for name in ("check", "ingest", "loading", "maintenance", "push", "quarantine")),
    *(f"dashboards.cli.{name}" for name in ("demo", "export", "replay", "report", "serve")),
)


@cache
def _forebear() -> socket.socket:
    """Start the process that imports everything; it ends with this process."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command, number = [sys.executable, "-P", __file__], its.fileno()
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # set for each request
    with its:
        process = subprocess.Popen([*command, str(number)], pass_fds=[number], env=known)
    atexit.register(process.wait)
    atexit.register(ours.close)  # runs before other exit handlers
    return ours


class Popen:
    """A running process, for use in a `with` statement; `stdout` and `stderr` are set if requested as pipes."""

    def __init__(
        self, command: Sequence[str], stdout: int | None = None, stderr: int | None = None, *, text: bool = False
    ) -> None:
        python, flag, code, *arguments = command
        assert (python, flag) == (sys.executable, "-c")
        self._text = text
        self.stdout, out = _pipe(stdout, 1, text=text)
        self.stderr, err = _pipe(stderr, 2, text=text)
        self._status, status = _pipe(subprocess.PIPE, 0, text=True)
        environment = dict(os.environ)
        asked = {"code": code, "arguments": arguments, "folder": str(Path.cwd()), "environment": environment}
        socket.send_fds(_forebear(), [json.dumps(asked).encode()], [out, err, status])
        for file in (out, err, status):
            os.close(file)
        assert self._status is not None
        self.pid = int(self._status.readline())
        self.returncode: int | None = None
        self._read: list[Future[Any] | None] | None = None
        self._ended: Future[int] = Future()
        threading.Thread(target=self._await, daemon=True).start()

    def _await(self) -> None:
        assert self._status is not None
        with self._status as status:
            self._ended.set_result(int(status.readline()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
        for file in (self.stdout, self.stderr):
            if file is not None:
                file.close()

    def poll(self) -> int | None:
        return self.wait() if self._ended.done() else None

    def wait(self, timeout: float | None = None) -> int:
        try:
            self.returncode = self._ended.result(timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired("forked", timeout or 0) from None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[Any, Any]:
        """Return all remaining output, after all writers to the pipes have ended."""
        if self._read is None:
            pool = ThreadPoolExecutor(2)
            self._read = [pool.submit(file.read) if file else None for file in (self.stdout, self.stderr)]
            pool.shutdown(wait=False)
        self.wait(timeout)
        out, err = (each and each.result(timeout) for each in self._read)
        return out, err


def _pipe(wanted: int | None, number: int, *, text: bool) -> tuple[IO[Any] | None, int]:
    """Return the read end of a process's output, if wanted, and the write end."""
    if wanted == subprocess.PIPE:
        ours, its = os.pipe()
        return os.fdopen(ours, "r" if text else "rb"), its
    return None, os.open(os.devnull, os.O_WRONLY) if wanted == subprocess.DEVNULL else os.dup(number)


def run(command: Sequence[str], *, text: bool = False) -> subprocess.CompletedProcess[Any]:
    """Run a command and return its output."""
    with Popen(command, subprocess.PIPE, subprocess.PIPE, text=text) as process:
        out, err = process.communicate()
    assert process.returncode is not None
    return subprocess.CompletedProcess(command, process.returncode, out, err)


# Code that runs in the forked process


def serve(line: socket.socket) -> None:
    """Fork for each requested command until no client is left."""
    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()
    while True:
        text, files, *_ = socket.recv_fds(line, MOST, 3)
        if not text:
            return
        if not os.fork():
            line.close()
            watch_over(json.loads(text), *files)
        for file in files:
            os.close(file)
        os.waitpid(-1, os.WNOHANG)


def watch_over(asked: dict[str, Any], out: int, err: int, status: int) -> NoReturn:
    """Fork the command, report its process number, wait, and report how it ended.

    A command ends with its requester: a test that timed out stops its own processes, not the shared server.
    """

    def work() -> None:
        os.close(status)
        for file, number in ((os.open(os.devnull, os.O_RDONLY), 0), (out, 1), (err, 2)):
            os.dup2(file, number)
            os.close(file)
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        sys.path[:0] = ["", *filter(None, asked["environment"].get("PYTHONPATH", "").split(os.pathsep))]
        importlib.import_module("himalaya_core.games").rescan()
        sys.argv, sys.stdin = ["-c", *asked["arguments"]], open(0)  # noqa: SIM115  as a new process has it
        exec(asked["code"], {"__name__": "__main__"})

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    os.close(out)
    os.close(err)
    os.write(status, f"{process.pid}\n".encode())
    if process.sentinel not in wait([process.sentinel, status]):  # the client is gone, so the status is not read
        process.kill()
        os._exit(0)
    process.join()
    os.write(status, f"{process.exitcode}\n".encode())
    os._exit(0)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)
