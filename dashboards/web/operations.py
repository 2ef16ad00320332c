"""Work that commands hand over: `POST /api/operations/<name>`, for who knows the secret of this server's note.

The answer is JSON Lines: reports of progress, empty lines while there is nothing to report, then the result, or the
error in one sentence. A command that goes away ends its work: what it reads is interrupted, and what it writes stops at
the next safe point.
"""

import json
import logging
import threading
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from queue import Empty, SimpleQueue
from typing import Any, Final

import duckdb
from fastapi import APIRouter
from starlette.responses import StreamingResponse

from dashboards.report.operations import REPORT_OPERATIONS
from dashboards.web.access import gone
from dashboards.web.refusals import Refused
from ingest.errors import WarehouseError
from ingest.operations import OPERATIONS, Operation, noted
from ingest.owner import OPERATIONS_PATH
from ingest.warehouse import Warehouse

__all__ = ["routes"]

AT_ONCE: Final = 4
"""Operations; more wait for none."""
QUIET: Final = 1.0
"""Seconds without a report after which an empty line is sent, since only what is sent shows that nobody is there."""
AGAIN: Final = 0.2
"""Seconds after which the work of somebody who went away is interrupted once more, until it has ended."""

log = logging.getLogger(__name__)


class _GoneAway(Exception):
    """Who asked for the work is not there any more."""


ALL: Final[dict[str, Operation]] = {**OPERATIONS, **REPORT_OPERATIONS}


def routes(warehouse: Warehouse) -> APIRouter:
    """Return the route of all operations; the middleware lets in only who knows the secret of the server's note."""
    api, places = APIRouter(include_in_schema=False), threading.BoundedSemaphore(AT_ONCE)

    @api.post(f"{OPERATIONS_PATH}{{name}}")
    def operate(name: str, arguments: dict[str, Any]) -> StreamingResponse:
        operation = ALL.get(name)
        if operation is None:
            raise Refused(HTTPStatus.NOT_FOUND, f"expected an operation of this himalaya, found {name}")
        if not places.acquire(blocking=False):
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, f"{AT_ONCE} operations are under way; try again")
        work = _Work()
        done = (partial(noted, name, operation), warehouse, arguments)
        thread = threading.Thread(target=work.do, args=done, name="operation", daemon=True)
        thread.start()
        threading.Thread(
            target=_end, args=(work, warehouse, thread, gone(), places), name="ending", daemon=True
        ).start()
        return StreamingResponse(work.lines(), media_type="application/jsonl")

    return api


def _end(
    work: "_Work", warehouse: Warehouse, thread: threading.Thread, left: threading.Event, places: threading.Semaphore
) -> None:
    """End the work once its request is over or whoever asked went away, and make room for another."""
    left.wait()
    assert thread.ident is not None
    if not work.is_over.is_set():
        work.is_wanted.clear()
        while not work.is_over.wait(AGAIN):
            warehouse.interrupt(thread.ident)
    places.release()


class _Work:
    """An operation that runs in a thread of its own, and what it says."""

    def __init__(self) -> None:
        self.is_wanted = threading.Event()
        self.is_wanted.set()
        self.is_over = threading.Event()
        self._said: SimpleQueue[dict[str, Any] | None] = SimpleQueue()

    def lines(self) -> Iterator[str]:
        """Yield what is said, and an empty line now and then."""
        while True:
            try:
                answer = self._said.get(timeout=QUIET)
            except Empty:
                yield "\n"
                continue
            if answer is None:
                return
            yield f"{json.dumps(answer)}\n"

    def do(
        self,
        operation: Operation,
        warehouse: Warehouse,
        arguments: dict[str, Any],
    ) -> None:
        """Run the operation."""
        try:
            result = operation(warehouse, arguments, self._report)
            self._said.put({"result": result})
        except WarehouseError as error:
            self._said.put({"error": str(error)})
        except Exception as error:
            if self.is_wanted.is_set():
                log.exception("an operation failed")
            elif not isinstance(error, _GoneAway | duckdb.InterruptException):
                log.exception("an operation that nobody wanted any more failed")
            self._said.put({"error": "the server could not do it; its log says why"})
        finally:
            self.is_over.set()
            self._said.put(None)
            if not self.is_wanted.is_set():
                log.info("who asked for an operation went away; it was stopped")

    def _report(self, progress: dict[str, Any]) -> None:
        if not self.is_wanted.is_set():
            raise _GoneAway
        self._said.put({"progress": progress})
