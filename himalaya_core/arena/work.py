"""A pool of processes that gives answers in the order of the tasks.

The processes come from a fork server, which imports the games and players in use once for all of them. Each is reached
by a pipe of its own and writes no file; when the parent is gone, the pipe closes and the process ends.
"""

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import cache
from itertools import islice
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from typing import Any, Final, TypeVar

from himalaya_core.errors import HimalayaError
from himalaya_core.registry import imported

__all__ = ["WorkerLost", "ordered"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")

SEARCHED: Final = "PYTHONPATH"
WAITING_PER_JOB: Final = 16
"""How many answers may wait for an earlier, slower one before no more tasks are given: a bound on memory."""


class WorkerLost(RuntimeError):
    """A process that was killed from outside."""


def ordered(
    function: Callable[[Task], Answer], tasks: Iterable[Task], jobs: int, *, ahead: int = 1
) -> Generator[Answer, None, None]:
    """Yield `function(task)` of each task, in order; with several jobs it and the tasks travel to processes.

    `ahead` is how many tasks a process has at a time: with two it never waits for the next, but tasks must be small
    enough for two to fit into its pipe. Close the iterator to stop the processes early.
    """
    if jobs == 1:
        yield from map(function, tasks)
        return
    workers = [_Worker(function) for _ in range(jobs)]
    try:
        yield from _handed_out(workers, tasks, ahead)
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process, the parent's end of its pipe, and how many tasks it has."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        context = _context()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, function), daemon=True)
        self.process.start()
        theirs.close()
        self.tasks = 0

    def give(self, task: tuple[int, Any]) -> None:
        try:
            self.pipe.send(task)
            self.tasks += 1
        except ConnectionError:
            raise WorkerLost from None

    def answer(self) -> tuple[int, Any]:
        try:
            number, answer, failure = self.pipe.recv()
            self.tasks -= 1
        except (EOFError, ConnectionError):
            raise WorkerLost from None
        if isinstance(failure, Exception):
            raise failure
        if failure is not None:
            raise RuntimeError(f"a process failed:\n{failure}")
        return number, answer

    def stop(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join()
        self.process.close()


@cache
def _context() -> Any:
    """Start the fork server with the import path of this process."""
    context = multiprocessing.get_context("forkserver")
    played = imported("himalaya.games", "himalaya.players")
    context.set_forkserver_preload(["__main__", "himalaya_core.arena.record", "himalaya_core.replay", *played])
    before = os.environ.get(SEARCHED)
    os.environ[SEARCHED] = os.pathsep.join(sys.path)
    try:
        forkserver.ensure_running()
    finally:
        if before is None:
            del os.environ[SEARCHED]
        else:
            os.environ[SEARCHED] = before
    return context


def _handed_out(workers: list[_Worker], tasks: Iterable[Any], ahead: int) -> Iterator[Any]:
    """Keep every process busy, and yield the answers in order."""
    numbered = enumerate(tasks)
    idle, busy = workers * ahead, dict[Any, _Worker]()
    answers = dict[int, Any]()
    given = due = 0
    while True:
        room = due + WAITING_PER_JOB * len(workers) - given
        for task in islice(numbered, min(room, len(idle))):
            worker = idle.pop()
            worker.give(task)
            busy[worker.pipe] = worker
            given += 1
        while due in answers:
            yield answers.pop(due)
            due += 1
        if not busy and room:
            return
        for pipe in wait(list(busy)) if busy else ():
            worker = busy[pipe]
            number, answers[number] = worker.answer()
            idle.append(worker)
            if not worker.tasks:
                del busy[pipe]


def _serve(pipe: Connection, function: Callable[[Any], Any]) -> None:
    """Answer tasks until the pipe closes; Ctrl-C is handled by the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            number, task = pipe.recv()
            try:
                answer: tuple[int, Any, str | Exception | None] = (number, function(task), None)
            except HimalayaError as error:
                answer = (number, None, error)
            except Exception:  # noqa: BLE001  whatever it is, it is raised again where the task came from
                answer = (number, None, traceback.format_exc())
            pipe.send(answer)
    except (EOFError, ConnectionError):
        return
