"""Whether a server lives, `/healthz`, and whether it can serve, `/readyz`: for whoever starts, watches and replaces it.

Neither needs a token, and neither tells what is in the database or where it lies. `/healthz` asks nothing at all.
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

__all__ = ["HEALTH", "READY", "Late", "PatientQuestion", "routes"]

HEALTH: Final = "/healthz"
READY: Final = "/readyz"
PATIENCE: Final = 1.0
"""Seconds that the warehouse has to answer."""
OK: Final = "ok"

Check = Callable[[], str]
"""Returns `OK`, or what is wrong."""
T = TypeVar("T")


class Late(Exception):
    """An answer did not come in time."""


class PatientQuestion(Generic[T]):
    """A question that may be asked by many, and has one thread at most: who asks waits no longer than they have."""

    def __init__(self, question: Callable[[], T]) -> None:
        self._question = question
        self._lock = threading.Lock()
        self._asked: _Asked[T] | None = None

    def answer(self, seconds: float = PATIENCE) -> T:
        """Return the answer, or raise what the question raised; `Late` if it takes longer."""
        with self._lock:
            asked = self._asked
            if asked is None or asked.done.is_set():
                asked = self._asked = _Asked(self._question)
                threading.Thread(target=asked.run, name="health", daemon=True).start()
        if not asked.done.wait(seconds):
            raise Late
        return asked.answer()


class _Asked(Generic[T]):
    """A question under way, and what came of it."""

    def __init__(self, question: Callable[[], T]) -> None:
        self.done = threading.Event()
        self._question = question
        self._found: list[T] = []
        self._problem: Exception | None = None

    def run(self) -> None:
        try:
            self._found.append(self._question())
        except Exception as error:  # noqa: BLE001  it is raised for who asked
            self._problem = error
        finally:
            self.done.set()

    def answer(self) -> T:
        if self._problem is not None:
            raise self._problem
        return self._found[0]


def routes(services: Services) -> APIRouter:
    """Return both addresses; a server is ready if every check returns `OK`."""
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
        failed = [name for name, said in found.items() if said != OK]
        if failed:
            answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
            return {"status": "not ready", "failed": failed, "checks": found}
        return {"status": OK, "checks": found}

    return api


def checks_of(reader: Reader, intake: Intake) -> dict[str, Check]:
    """Return what must hold: the warehouse answers, and unless it is only read, it and the inbox can be written to."""
    question = PatientQuestion(lambda: answers(reader))

    def readable() -> str:
        try:
            question.answer()
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
        "intake": lambda: OK if intake.is_running else "the thread that loads what was received has ended",
    }


def _writable(file: Path) -> str:
    """Say whether the file and its folder can be written to; that needs no write, a disk gone read-only shows too."""
    return OK if os.access(file, os.W_OK) and os.access(file.parent, os.W_OK) else "the database cannot be written to"


def _room(folder: Path, least: int) -> str:
    free = shutil.disk_usage(folder).free
    return OK if free >= least else f"expected room for the largest body, {least} bytes; {free} are free"
