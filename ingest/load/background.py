"""Background work of a server, after all other work: waiting matches are verified, then reviewed."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Self

from ingest.errors import WarehouseStopped
from ingest.load import judging, reviewing
from ingest.warehouse import Warehouse

__all__ = ["BackgroundWork"]

PAUSE: Final = 5.0
"""Seconds until the next check for waiting matches."""
LONG_PAUSE: Final = 60.0
"""Seconds until failed work is tried again."""
PATIENCE: Final = 10.0
"""Maximum seconds that a review waits for the intake: a constant stream of logs must not block all reviews."""
LOOK: Final = 0.2
"""Seconds between two looks at the intake."""
ALONE: Final = {"jobs": 1}
"""Arguments of both operations."""

log = logging.getLogger(__name__)


class BackgroundWork:
    """Verifies and reviews waiting matches while a server runs; unfinished work waits for the next run.

    A match that waits to be verified precedes all that wait to be reviewed, and so do new logs. While `is_busy` is
    true, reviews are made one by one, `PATIENCE` seconds apart.
    """

    def __init__(self, warehouse: Warehouse, is_busy: Callable[[], bool] = lambda: False) -> None:
        self._warehouse = warehouse
        self._is_busy = is_busy
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)

    def __enter__(self) -> Self:
        if not self._warehouse.read_only:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(PAUSE):
            try:
                with suppress(_Stopped):
                    self._judge()
                    self._review()
            except WarehouseStopped:
                return
            except Exception:
                log.exception("waiting matches could not be judged or reviewed; trying again")
                self._stopping.wait(LONG_PAUSE)

    def _judge(self) -> None:
        if judging.a_match_waits(self._warehouse):
            judging.judge_waiting(self._warehouse, ALONE, self._go_on)

    def _review(self) -> None:
        if not reviewing.a_match_waits(self._warehouse):
            return
        self._let_intake_go_first()
        for problem in reviewing.review_waiting(self._warehouse, ALONE, self._go_on_reviewing)["problems"]:
            log.warning("%s", problem)

    def _go_on(self, _: Mapping[str, Any]) -> None:
        if self._stopping.is_set():
            raise _Stopped

    def _go_on_reviewing(self, at: Mapping[str, Any]) -> None:
        self._let_intake_go_first()
        self._go_on(at)
        if judging.a_match_waits(self._warehouse):
            raise _Stopped

    def _let_intake_go_first(self) -> None:
        until = time.monotonic() + PATIENCE
        while self._is_busy() and time.monotonic() < until and not self._stopping.wait(LOOK):
            pass


class _Stopped(Exception):
    """The server stops, or other work takes priority; unfinished work waits."""
