"""Refusals of requests, in one sentence: JSON for programs, text for people."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.responses import JSONResponse, PlainTextResponse, Response

from dashboards.queries.addresses import without_folder_of
from ingest.errors import WarehouseError

__all__ = ["API", "CALLBACKS", "Refusal", "Refused", "is_asked_by_programs", "is_data", "refusal", "unavailable"]

API: Final = "/api"
CALLBACKS: Final = "/_dash-update-component"
DATA: Final = ("/api/", "/csv/", "/_dash-")
"""Prefixes of paths that only programs request."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request was refused, in one sentence; if it exceeded a limit, the `limit` and what was `found`."""

    message: str
    limit: int | None = None
    found: int | None = None


class Refused(Exception):
    """A refused request: status, message and headers of the answer."""

    def __init__(
        self,
        status: HTTPStatus,
        message: str,
        limit: int | None = None,
        found: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.limit = limit
        self.found = found
        self.headers = headers or {}


def refusal(path: str, error: Refused) -> Response:
    """Return the HTTP answer to a refused request: JSON for programs, plain text for people."""
    if not is_asked_by_programs(path):
        return PlainTextResponse(f"{error}\n", error.status, error.headers)
    return JSONResponse(asdict(Refusal(str(error), error.limit, error.found)), error.status, error.headers)


def unavailable(database: Path, error: WarehouseError) -> Refused:
    """Return the refusal for a database error. Its message does not show the folder of the database."""
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, without_folder_of(database, str(error)))


def is_asked_by_programs(path: str) -> bool:
    """Return whether answers at a path are JSON for programs, not text for people."""
    return path in {API, CALLBACKS} or path.startswith(f"{API}/")


def is_data(path: str) -> bool:
    """Return whether only programs request a path. Such a path never redirects to a page."""
    return path.startswith(DATA)
