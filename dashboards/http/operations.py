"""Work that commands hand over: `POST /api/operations/<name>`, for who knows the secret of this server's note.

The answer is JSON Lines: reports of progress, empty lines while there is nothing to report, then the result, or the
error in one sentence. A command that goes away ends its work: what it reads is interrupted, and what it writes stops at
the next safe point.
"""

import json
import logging
import threading
from collections.abc import Iterator, Mapping
from functools import partial
from http import HTTPStatus
from queue import Empty, SimpleQueue
from typing import Any, Final

import duckdb
from flask import Flask, Response, jsonify, request

from ingest.errors import WarehouseError
from ingest.operations import Operation, noted
from ingest.owner import OPERATIONS_PATH, Owner
from ingest.warehouse import Warehouse

__all__ = ["register"]

AT_ONCE: Final = 4
"""Operations, each of which takes a thread of the server; the others are for those who read."""
QUIET: Final = 1.0
"""Seconds without a report after which an empty line is sent, since only what is sent shows that nobody is there."""
AGAIN: Final = 0.2
"""Seconds after which the work of somebody who went away is interrupted once more, until it has ended."""

log = logging.getLogger(__name__)


class _GoneAway(Exception):
    """Who asked for the work is not there any more."""


def register(
    server: Flask,
    warehouse: Warehouse,
    owner: Owner,
    operations: Mapping[str, Operation],
) -> None:
    """Add the route to the server, for operations by their names."""
    places = threading.BoundedSemaphore(AT_ONCE)

    @server.post(f"{OPERATIONS_PATH}<name>")
    def operate(name: str) -> Response:
        if not owner.is_shown(request.headers.get("Authorization", "")):
            return _refusal("expected the secret of this server's note", HTTPStatus.FORBIDDEN)
        operation = operations.get(name)
        arguments = request.get_json(silent=True)
        if operation is None or not isinstance(arguments, dict):
            return _refusal(f"expected an operation of this himalaya, found {name}", HTTPStatus.NOT_FOUND)
        if not places.acquire(blocking=False):
            return _refusal(f"{AT_ONCE} operations are under way; try again", HTTPStatus.SERVICE_UNAVAILABLE)
        answer = Response(_answers(name, operation, warehouse, arguments), mimetype="application/jsonl")
        answer.call_on_close(places.release)
        return answer


def _refusal(message: str, status: HTTPStatus) -> Response:
    answer = jsonify(message=message)
    answer.status_code = status
    return answer


def _answers(name: str, operation: Operation, warehouse: Warehouse, arguments: dict[str, Any]) -> Iterator[str]:
    """Yield what an operation says while it runs, line by line."""
    work = _Work()
    thread = threading.Thread(
        target=work.do,
        args=(partial(noted, name, operation), warehouse, arguments),
        name="operation",
        daemon=True,
    )
    thread.start()
    try:
        yield from work.lines()
    finally:
        if not work.is_over.is_set():
            work.is_wanted.clear()
            threading.Thread(target=_end, args=(work, warehouse, thread), name="ending", daemon=True).start()


def _end(work: "_Work", warehouse: Warehouse, thread: threading.Thread) -> None:
    """End the work of somebody who went away."""
    assert thread.ident is not None
    while not work.is_over.wait(AGAIN):
        warehouse.interrupt(thread.ident)


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
