"""A pool of processes that gives answers in the order of the tasks.

The processes come from a fork server, which imports the games and players in use once for all of them. Each has one end
of a pipe, the lifeline: when the other end closes, as when the parent is gone, the process ends at once.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from itertools import islice
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from himalaya_core.errors import HimalayaError
from himalaya_core.registry import imported

__all__ = ["WorkerLost", "ordered"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")

SEARCHED: Final = "PYTHONPATH"
WAITING_PER_JOB: Final = 16
"""How many answers may wait for an earlier, slower one before no more tasks are given: a bound on memory."""
LOST: Final = 2
"""How often in a row processes may die without an answer in between."""


class WorkerLost(HimalayaError):
    """Processes were killed from outside, again and again; names the first task that was not done."""

    def __init__(self, task: str) -> None:
        super().__init__(
            f"processes were killed {LOST} times in a row, at {task} or just after it, perhaps for want of memory; "
            "run the same again"
        )


def ordered(
    function: Callable[[Task], Answer], tasks: Iterable[Task], jobs: int, called: Callable[[Task], str] = str
) -> Generator[Answer, None, None]:
    """Yield `function(task)` of each task, in order; with several jobs it and the tasks travel to processes.

    If a process dies, what was not done is tried once more by new ones, then `WorkerLost` is raised; `called` names a
    task in it. What the function raises is raised here. Close the iterator to stop the processes early.
    """
    if jobs == 1:
        yield from map(function, tasks)
        return
    coming, waiting = iter(tasks), deque[tuple[Task, Future[Answer]]]()
    pool, lost = _Pool(function, jobs), 0
    try:
        while True:
            for task in islice(coming, WAITING_PER_JOB * jobs - len(waiting)):
                waiting.append((task, pool.submit(task)))
            if not waiting:
                pool.executor.shutdown()
                return
            task, answer = waiting[0]
            try:
                found = answer.result()
            except BrokenProcessPool:
                lost += 1
                if lost == LOST:
                    raise WorkerLost(called(task)) from None
                pool.close()
                pool = _Pool(function, jobs)
                waiting = deque((task, one if _is_done(one) else pool.submit(task)) for task, one in waiting)
                continue
            waiting.popleft()
            lost = 0
            yield found
    finally:
        pool.close()


class _Pool:
    """Processes that answer tasks with a function."""

    def __init__(self, function: Callable[[Any], Any], jobs: int) -> None:
        context = _context()
        theirs, self._lifeline = context.Pipe(duplex=False)
        self._theirs = theirs
        self.executor = ProcessPoolExecutor(jobs, context, _begin, (theirs, function))

    def submit(self, task: Any) -> Future[Any]:
        """Have a task be done; a pool that broke says so in the answer."""
        try:
            return self.executor.submit(_work, task)
        except BrokenProcessPool as error:
            broken: Future[Any] = Future()
            broken.set_exception(error)
            return broken

    def close(self) -> None:
        """End the processes, whatever they are at."""
        self._lifeline.close()
        self._theirs.close()
        self.executor.shutdown(cancel_futures=True)


def _is_done(answer: Future[Any]) -> bool:
    return answer.done() and not answer.cancelled() and not isinstance(answer.exception(), BrokenProcessPool)


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


_function: Callable[[Any], Any]


def _begin(lifeline: Connection, function: Callable[[Any], Any]) -> None:
    """Prepare a process: Ctrl-C is handled by the parent, and the process ends with its lifeline."""
    global _function  # noqa: PLW0603  sent once for each process, not with each task
    _function = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        lifeline.poll(None)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _work(task: Any) -> Any:
    return _function(task)
