"""Operations that commands delegate to the server: `POST /api/operations/<name>`.

A request needs the secret from the note file that the server keeps next to the database.

The answer is JSON Lines: progress reports, empty lines while there are none, then the result, or the error in one
sentence. If the command disconnects, its queries are interrupted, and its writes stop at the next safe point.
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

from dashboards.report.render import REPORT_OPERATIONS
from dashboards.web.access import gone
from dashboards.web.refusals import Refused
from ingest.errors import WarehouseError
from ingest.operations import OPERATIONS, Operation, noted
from ingest.owner import OPERATIONS_PATH
from ingest.warehouse import Warehouse

__all__ = ["routes"]

AT_ONCE: Final = 4
"""Maximum number of operations running at the same time; further ones are refused."""
QUIET: Final = 1.0
"""Seconds without a progress report after which an empty line is sent. Only sending reveals a closed connection."""
AGAIN: Final = 0.2
"""Seconds between two interrupts of abandoned work, which repeat until it has ended."""

log = logging.getLogger(__name__)


class _GoneAway(Exception):
    """Error that ends an operation after its client has disconnected."""


ALL: Final[dict[str, Operation]] = {**OPERATIONS, **REPORT_OPERATIONS}


def routes(warehouse: Warehouse) -> APIRouter:
    """Return the route of all operations; the middleware admits only callers that know the server's secret."""
    api, places = APIRouter(include_in_schema=False), threading.BoundedSemaphore(AT_ONCE)

    @api.post(f"{OPERATIONS_PATH}{{name}}")
    def operate(name: str, arguments: dict[str, Any]) -> StreamingResponse:
        operation = ALL.get(name)
        if operation is None:
            raise Refused(
                HTTPStatus.NOT_FOUND,
                f"this server has no operation {name}; use the same version of himalaya as the server",
            )
        if not places.acquire(blocking=False):
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, f"{AT_ONCE} operations are running; try again later")
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
    """Wait until the request ends or its client disconnects; then stop the work, and let another operation start."""
    left.wait()
    assert thread.ident is not None
    if not work.is_over.is_set():
        work.is_wanted.clear()
        while not work.is_over.wait(AGAIN):
            warehouse.interrupt(thread.ident)
    places.release()


class _Work:
    """An operation in a separate thread, and its output."""

    def __init__(self) -> None:
        self.is_wanted = threading.Event()
        self.is_wanted.set()
        self.is_over = threading.Event()
        self._output: SimpleQueue[dict[str, Any] | None] = SimpleQueue()

    def lines(self) -> Iterator[str]:
        """Yield the lines of output, and an empty line after each `QUIET` seconds without output."""
        while True:
            try:
                answer = self._output.get(timeout=QUIET)
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
            self._output.put({"result": result})
        except WarehouseError as error:
            self._output.put({"error": str(error)})
        except Exception as error:
            if self.is_wanted.is_set():
                log.exception("an operation failed")
            elif not isinstance(error, _GoneAway | duckdb.InterruptException):
                log.exception("an abandoned operation failed")
            self._output.put({"error": "the server failed; its log says why"})
        finally:
            self.is_over.set()
            self._output.put(None)
            if not self.is_wanted.is_set():
                log.info("an operation was stopped: its client disconnected")

    def _report(self, progress: dict[str, Any]) -> None:
        if not self.is_wanted.is_set():
            raise _GoneAway
        self._output.put({"progress": progress})
