"""Work that commands hand over: `POST /api/operations/<name>`, for who knows the secret of this server's note.

The answer is JSON Lines: reports of progress, then the result, or the error in one sentence. A command that goes away
ends its work at the next safe point.
"""

import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from queue import SimpleQueue
from typing import Any, Final

from flask import Flask, Response, jsonify, request

from ingest.errors import WarehouseError
from ingest.operations import Operation, noted
from ingest.owner import OPERATIONS_PATH, Owner
from ingest.warehouse import Warehouse

__all__ = ["register"]

AT_ONCE: Final = 4
"""Operations, each of which takes a thread of the server; the others are for those who read."""

log = logging.getLogger(__name__)


class _GoneAway(Exception):
    """Who asked for the work is not there any more."""


def register(
    server: Flask,
    warehouse: Warehouse,
    owner: Owner,
    operations: Mapping[str, Operation],
    settle: Callable[[], None] = lambda: None,
) -> None:
    """Add the route to the server, for operations by their names.

    The server will `settle` after each one, before anybody hears that it is done.
    """
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
        answer = Response(_answers(name, operation, warehouse, arguments, settle), mimetype="application/jsonl")
        answer.call_on_close(places.release)
        return answer


def _refusal(message: str, status: HTTPStatus) -> Response:
    answer = jsonify(message=message)
    answer.status_code = status
    return answer


def _answers(
    name: str, operation: Operation, warehouse: Warehouse, arguments: dict[str, Any], settle: Callable[[], None]
) -> Iterator[str]:
    """Yield what an operation says while it runs, line by line."""
    said: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
    gone = threading.Event()

    def report(progress: dict[str, Any]) -> None:
        if gone.is_set():
            raise _GoneAway
        said.put({"progress": progress})

    def work() -> None:
        try:
            result = noted(name, operation, warehouse, arguments, report)
            settle()
            said.put({"result": result})
        except _GoneAway:
            log.info("who asked for an operation went away; it was stopped")
        except WarehouseError as error:
            said.put({"error": str(error)})
        except Exception:
            log.exception("an operation failed")
            said.put({"error": "the server could not do it; its log says why"})
        finally:
            said.put(None)

    threading.Thread(target=work, name="operation", daemon=True).start()
    try:
        while (answer := said.get()) is not None:
            yield f"{json.dumps(answer)}\n"
    finally:
        gone.set()
