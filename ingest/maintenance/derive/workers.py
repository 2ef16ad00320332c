"""Workers that derive shares of logs: local processes, or tasks of a Spark cluster. Any may die without harm."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from importlib.util import find_spec
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from himalaya_core.pool import WorkerLost, ordered
from ingest.errors import WarehouseError

__all__ = ["LocalWorkers", "SparkWorkers", "Workers"]

Given = TypeVar("Given")
Answer = TypeVar("Answer")
SECONDS: Final = 0.5
"""Seconds between two checks for answers from a cluster."""


class Workers(Protocol):
    """Processes, local or remote, that see logs and lake by the same paths as this one."""

    @property
    def count(self) -> int:
        """Return how many work at the same time."""
        ...

    def answers(self, function: Callable[[Given], Answer], given: Sequence[Given]) -> Iterator[tuple[int, Answer]]:
        """Yield the index of an item and its answer, in order of completion; the work of a dead worker is redone.

        Raises `WarehouseError` if that does not help.
        """
        ...


class LocalWorkers:
    """Processes of this machine, as many as it has cores if no `count` is given."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1

    def answers(self, function: Callable[[Given], Answer], given: Sequence[Given]) -> Iterator[tuple[int, Answer]]:
        """Yield the index of an item and its answer, in order; see `Workers`."""
        try:
            yield from enumerate(ordered(function, given, self.count))
        except WorkerLost:
            raise WarehouseError(
                "a worker was killed twice, perhaps for lack of memory; run the same command with fewer: "
                "what was derived so far is kept"
            ) from None


class SparkWorkers:
    """Tasks of a Spark cluster. Use it in a `with` statement, which connects to it.

    Without a `master` it is the one in Spark's own settings, this machine by default. Raises `WarehouseError` if Spark
    or Java is missing. The machines need this himalaya, under the Python that `PYSPARK_PYTHON` names there.
    """

    def __init__(self, master: str | None = None) -> None:
        self._master = master
        self.count = 1

    def __enter__(self) -> Self:
        if find_spec("pyspark") is None:
            raise WarehouseError(
                "--on spark needs the extra 'spark', which is not installed: "
                "run pip install '.[spark]' in the folder of Himalaya's sources"
            )
        if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
            raise WarehouseError(
                "--on spark needs a Java runtime, 17 or later; in Debian: apt install openjdk-17-jre-headless"
            )
        from pyspark import SparkConf, SparkContext  # pyright: ignore[reportMissingImports]  it is an extra

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        settings = SparkConf().setAppName("himalaya derive").set("spark.ui.showConsoleProgress", "false")
        self._context = SparkContext(conf=settings.setMaster(self._master) if self._master else settings)
        self._context.setLogLevel("OFF")
        self.count = self._context.defaultParallelism
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._context.cancelAllJobs()
        self._context.stop()

    def answers(self, function: Callable[[Given], Answer], given: Sequence[Given]) -> Iterator[tuple[int, Answer]]:
        """Yield the index of an item and its answer, in order of completion; see `Workers`."""
        come = self._context.accumulator([], _Lists())

        def work(each: tuple[int, Given]) -> None:
            place, one = each
            come.add([(place, function(one))])

        tasks = self._context.parallelize(list(enumerate(given)), max(1, len(given)))
        with ThreadPoolExecutor(1) as runner:
            yield from self._as_they_come(runner.submit(tasks.foreach, work), come)

    def _as_they_come(self, job: "Future[None]", come: Any) -> Iterator[tuple[int, Any]]:
        seen = 0
        try:
            while True:
                is_over = bool(wait([job], SECONDS).done)
                new = come.value[seen:]
                yield from new
                seen += len(new)
                if is_over:
                    break
        finally:
            if not job.done():
                self._context.cancelAllJobs()
        if error := job.exception():
            raise WarehouseError(f"Spark gave up: {_reason(error)}; what was derived so far is kept") from None


class _Lists:
    """The way Spark merges the results of its tasks: lists, concatenated."""

    def zero(self, _: list[Any]) -> list[Any]:
        return []

    def addInPlace(self, one: list[Any], other: list[Any]) -> list[Any]:  # noqa: N802  the name is Spark's
        one += other
        return one


def _reason(error: BaseException) -> str:
    """Return the first line of Spark's message about a failure."""
    java: Any = getattr(error, "java_exception", None)
    return str(java.getMessage() if java else error).strip().partition("\n")[0]
