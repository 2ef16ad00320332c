"""Liveness, `/healthz`, and readiness, `/readyz`, for process managers and load balancers.

Neither needs a token, and neither reveals contents or location of the database. `/healthz` checks nothing.
"""

import os
import shutil
import threading
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from fastapi import APIRouter, Response

from dashboards.warehouse.reader import DatabaseError, Reader
from dashboards.warehouse.state import answers
from dashboards.web.access import needs
from dashboards.web.routing import NO_STORE
from dashboards.web.services import Services
from ingest.receive.receive import Intake

__all__ = ["HEALTH", "READY", "Late", "SharedQuery", "routes"]

HEALTH: Final = "/healthz"
READY: Final = "/readyz"
PATIENCE: Final = 1.0
"""Seconds that the warehouse has to answer."""
OK: Final = "ok"

Check = Callable[[], str]
"""Returns `OK`, or what is wrong."""
T = TypeVar("T")


class Late(Exception):
    """The answer took too long."""


class SharedQuery(Generic[T]):
    """A query shared by its callers, in at most one thread; each caller waits up to its own limit."""

    def __init__(self, query: Callable[[], T]) -> None:
        self._query = query
        self._lock = threading.Lock()
        self._running: _Running[T] | None = None

    def answer(self, seconds: float = PATIENCE) -> T:
        """Return the answer, or raise the error of the query; `Late` if it takes longer."""
        with self._lock:
            running = self._running
            if running is None or running.done.is_set():
                running = self._running = _Running(self._query)
                threading.Thread(target=running.run, name="health", daemon=True).start()
        if not running.done.wait(seconds):
            raise Late
        return running.answer()


class _Running(Generic[T]):
    """A running query, and its outcome."""

    def __init__(self, query: Callable[[], T]) -> None:
        self.done = threading.Event()
        self._query = query
        self._found: list[T] = []
        self._problem: Exception | None = None

    def run(self) -> None:
        try:
            self._found.append(self._query())
        except Exception as error:  # noqa: BLE001  it is raised again for each caller
            self._problem = error
        finally:
            self.done.set()

    def answer(self) -> T:
        if self._problem is not None:
            raise self._problem
        return self._found[0]


def routes(services: Services) -> APIRouter:
    """Return both routes; a server is ready if every check returns `OK`."""
    api, checks = (
        APIRouter(dependencies=[NO_STORE], include_in_schema=False),
        checks_of(services.reader, services.intake),
    )

    @api.get(HEALTH)
    @needs()
    def healthz() -> dict[str, str]:
        return {"status": OK}

    @api.get(READY)
    @needs()
    def readyz(answer: Response) -> dict[str, Any]:
        found = {name: check() for name, check in checks.items()}
        failed = [name for name, result in found.items() if result != OK]
        if failed:
            answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
            return {"status": "not ready", "failed": failed, "checks": found}
        return {"status": OK, "checks": found}

    return api


def checks_of(reader: Reader, intake: Intake) -> dict[str, Check]:
    """Return the checks: the warehouse answers; unless it is read-only, it and the inbox can be written to."""
    query = SharedQuery(lambda: answers(reader))

    def readable() -> str:
        try:
            query.answer()
        except Late:
            return f"no answer within {PATIENCE:g} s"
        except DatabaseError:
            return "it cannot be read"
        return OK

    if reader.warehouse.read_only:
        return {"warehouse": readable}
    file = reader.database.resolve()
    return {
        "warehouse": readable,
        "writable": lambda: _writable(file),
        "disk": lambda: _room(file.parent, intake.limits.body),
        "intake": lambda: OK if intake.is_running else "loading has stopped; restart the server",
    }


def _writable(file: Path) -> str:
    """Check write access to the file and its folder without a write; a disk that became read-only shows too."""
    return OK if os.access(file, os.W_OK) and os.access(file.parent, os.W_OK) else "the database cannot be written to"


def _room(folder: Path, least: int) -> str:
    free = shutil.disk_usage(folder).free
    return OK if free >= least else f"{free} bytes are free; the largest body needs {least}"
