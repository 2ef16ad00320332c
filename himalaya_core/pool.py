"""A pool of processes that returns answers in the order of the tasks.

Worker processes are forked from a fork server, which imports modules once for all of them. Each worker holds one end of
a pipe. When the other end closes, for instance because the parent is gone, the worker exits immediately.

This module imports little, so a command can start the fork server first and import the rest meanwhile.
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
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

from himalaya_core.errors import HimalayaError
from himalaya_core.games import imported

__all__ = ["ONE_BLAS_THREAD", "Pool", "WorkerLost", "ordered", "start_fork_server"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")

ONE_BLAS_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1"}
"""Environment for workers. By default numpy starts one thread per core, which slows down parallel processes."""
WAITING_PER_JOB: Final = 16
"""Maximum number of finished answers per process that wait for an earlier, slower task. This limits memory."""
LOST: Final = 2
"""Number of consecutive failures, in which worker processes die without finishing a task, before giving up."""


class WorkerLost(HimalayaError):
    """Worker processes were killed from outside repeatedly; the message names the first unfinished task."""

    def __init__(self, task: str) -> None:
        super().__init__(
            f"processes were killed {LOST} times in a row, at {task} or just after it, perhaps for want of memory; "
            "run the same again"
        )


def ordered(
    function: Callable[[Task], Answer], tasks: Iterable[Task], jobs: int, called: Callable[[Task], str] = str
) -> Generator[Answer, None, None]:
    """Yield `function(task)` for each task, in order. If `jobs` is above 1, worker processes call it.

    `called` returns the name of a task for error messages. Close the iterator to stop the processes early. See `Pool`.
    """
    if jobs > 1:
        played = imported("himalaya.games", "himalaya.players")
        start_fork_server("__main__", "himalaya_core.tournament.plan", "himalaya_core.replay", *played)
    with Pool(function, jobs if jobs > 1 else 0, called=called) as pool:
        yield from pool.answers(tasks)


class Pool(Generic[Task, Answer]):
    """Worker processes that apply a function to tasks, started with the first task.

    If `processes` is 0, no workers are started, and the calling process runs the function.

    Tasks are submitted in advance until the total `cost` of unfinished ones reaches `ahead`. `niceness` is added to the
    niceness of this process. `called` returns the name of a task for error messages.
    """

    def __init__(
        self,
        function: Callable[[Task], Answer],
        processes: int,
        *,
        ahead: int | None = None,
        cost: Callable[[Task], int] = lambda _: 1,
        niceness: int = 0,
        called: Callable[[Task], str] = str,
    ) -> None:
        self._function = function
        self._processes = processes
        self._ahead = WAITING_PER_JOB * processes if ahead is None else ahead
        self._cost = cost
        self._niceness = niceness
        self._called = called
        self._running: _Running | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(at_once=error is not None)

    @property
    def is_started(self) -> bool:
        """True if worker processes have been started."""
        return self._running is not None

    def answers(self, tasks: Iterable[Task]) -> Generator[Answer, None, None]:
        """Yield the function's answer to each task, in order.

        If a process dies, new processes retry the unfinished tasks once; after that, `WorkerLost` is raised. Exceptions
        of the function are raised here. Close the iterator, or leave the `with` statement, to stop early.
        """
        if not self._processes:
            yield from map(self._function, tasks)
            return
        coming, waiting = iter(tasks), deque[tuple[Task, int, Future[Answer]]]()
        cost = lost = 0
        try:
            while True:
                for task in coming if cost < self._ahead else ():
                    waiting.append((task, self._cost(task), self._submit(task)))
                    cost += waiting[-1][1]
                    if cost >= self._ahead:
                        break
                if not waiting:
                    return
                task, its_cost, answer = waiting[0]
                try:
                    found = answer.result()
                except BrokenProcessPool:
                    lost += 1
                    if lost == LOST:
                        raise WorkerLost(self._called(task)) from None
                    self._end(at_once=True)
                    waiting = deque((t, c, one if _is_done(one) else self._submit(t)) for t, c, one in waiting)
                    continue
                waiting.popleft()
                cost -= its_cost
                lost = 0
                del task, answer  # free memory early: the task and its answer may both be large
                yield found
                del found
        finally:
            if waiting:
                self._end(at_once=True)

    def _submit(self, task: Task) -> Future[Answer]:
        """Submit a task. If the pool is broken, return a future that has failed with that error."""
        if self._running is None:
            self._running = _Running(self._function, self._processes, self._niceness)
        try:
            return self._running.executor.submit(_work, task)
        except BrokenProcessPool as error:
            broken: Future[Answer] = Future()
            broken.set_exception(error)
            return broken

    def _end(self, *, at_once: bool) -> None:
        if self._running is not None:
            running, self._running = self._running, None
            running.end(at_once=at_once)


class _Running:
    """The running processes of a pool, and the pipe that ends them."""

    def __init__(self, function: Callable[[Any], Any], processes: int, niceness: int) -> None:
        context = start_fork_server()
        self._theirs, self._lifeline = context.Pipe(duplex=False)
        self.executor = ProcessPoolExecutor(
            processes, context, _begin, (self._theirs, function, niceness, {**os.environ})
        )

    def end(self, *, at_once: bool) -> None:
        """End the processes immediately, or after their current tasks."""
        if at_once:
            self._lifeline.close()
        self.executor.shutdown(cancel_futures=True)
        self._lifeline.close()
        self._theirs.close()


def _is_done(answer: Future[Any]) -> bool:
    return answer.done() and not answer.cancelled() and not isinstance(answer.exception(), BrokenProcessPool)


def start_fork_server(*preload: str) -> ForkServerContext:
    """Start the fork server, which imports the modules in `preload`; a running server is kept unchanged."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*preload])
    # PYTHONSAFEPATH: do not import from the current folder, which contains logs
    searched = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONSAFEPATH": "1"}
    before = os.environ.copy()
    os.environ.update({**ONE_BLAS_THREAD, **before, **searched})
    try:
        forkserver.ensure_running()
    finally:
        for name in {*ONE_BLAS_THREAD, *searched}:
            os.environ.pop(name)
        os.environ.update(before)
    return context


_function: Callable[[Any], Any]


def _begin(lifeline: Connection, function: Callable[[Any], Any], niceness: int, environ: dict[str, str]) -> None:
    """Initialise a worker process: ignore Ctrl-C, which the parent handles, and exit when the parent is gone."""
    global _function  # noqa: PLW0603  set once per process, so tasks need not carry it
    _function = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(niceness)
    os.environ.clear()
    os.environ.update(environ)

    def wait() -> None:
        lifeline.poll(None)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _work(task: Any) -> Any:
    return _function(task)
