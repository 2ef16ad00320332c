"""Map exceptions to HTTP error responses, for all routes."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import asdict
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dashboards.boards.engine import DrawingError
from dashboards.queries.addresses import without_folder_of
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.replay.branch_document import DocumentError
from dashboards.replay.branches import OtherLines
from dashboards.replay.scenes import ViewError
from dashboards.replay.sessions import NotNow, NotYours, Outrun
from dashboards.web.refusals import Refused, refusal
from dashboards.web.replay import NoSuchPly, NotReplayed, Unreplayed
from dashboards.web.routing import NO_OBJECT, invalid
from himalaya_core.recording import RecordingError
from himalaya_core.replay import ReplayError
from ingest.errors import (
    ChangedMeanwhile,
    NoBookmark,
    NoBranch,
    NoDraft,
    NoMatch,
    NoStudy,
    NotAccepted,
    Reason,
    TooMany,
    Unfit,
    WarehouseError,
)

__all__ = ["handlers"]

STATUS: Final[Mapping[type[Exception], HTTPStatus]] = {
    **dict.fromkeys((NoMatch, NoBookmark, NoBranch, NoDraft, NoStudy), HTTPStatus.NOT_FOUND),
    ChangedMeanwhile: HTTPStatus.PRECONDITION_FAILED,
    **dict.fromkeys((TooMany, OtherLines, NotNow, Outrun), HTTPStatus.CONFLICT),
    NotYours: HTTPStatus.FORBIDDEN,
    **dict.fromkeys((Unfit, DocumentError, RecordingError), HTTPStatus.UNPROCESSABLE_ENTITY),
    **dict.fromkeys((ViewError, NoSuchPly), HTTPStatus.BAD_REQUEST),
    **dict.fromkeys((DatabaseError, WarehouseError), HTTPStatus.SERVICE_UNAVAILABLE),
}
NOT_ACCEPTED: Final[Mapping[Reason, HTTPStatus]] = {
    Reason.EMPTY: HTTPStatus.BAD_REQUEST,
    Reason.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Reason.BROKEN: HTTPStatus.UNPROCESSABLE_ENTITY,
    Reason.NO_SPACE: HTTPStatus.INSUFFICIENT_STORAGE,
    Reason.NOT_WRITABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    Reason.READ_ONLY: HTTPStatus.FORBIDDEN,
    Reason.BUSY: HTTPStatus.SERVICE_UNAVAILABLE,
}
Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]


def handlers(reader: Reader) -> dict[Any, Handler]:
    """Return the exception handlers of the application, by type of error."""
    return {
        **dict.fromkeys(STATUS, partial(_stated, reader)),
        Refused: _refused,
        NotAccepted: _not_accepted,
        RequestValidationError: _invalid,
        HTTPException: _by_starlette,
        ReplayError: _broken,
        DrawingError: _not_drawn,
        Unreplayed: _not_valid,
    }


async def _stated(reader: Reader, request: Request, error: Exception) -> Response:
    status = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    text = str(error.args[0]) if status is HTTPStatus.NOT_FOUND else str(error)
    message = without_folder_of(reader.database, text)
    limit, found = getattr(error, "limit", None), getattr(error, "found", None)
    return refusal(request.url.path, Refused(status, message, limit, found))


async def _refused(request: Request, error: Refused) -> Response:
    return refusal(request.url.path, error)


async def _not_accepted(request: Request, error: NotAccepted) -> Response:
    headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
    refused = Refused(NOT_ACCEPTED[error.reason], str(error), error.limit, error.found, headers)
    return refusal(request.url.path, refused)


async def _invalid(request: Request, error: RequestValidationError) -> Response:
    return refusal(request.url.path, invalid(request, error))


async def _by_starlette(request: Request, error: HTTPException) -> Response:
    if error.status_code == HTTPStatus.BAD_REQUEST:  # the body is not JSON
        return refusal(request.url.path, Refused(HTTPStatus.BAD_REQUEST, NO_OBJECT))
    return refusal(request.url.path, Refused(HTTPStatus(error.status_code), error.detail, headers=error.headers))


async def _broken(request: Request, error: ReplayError) -> Response:
    return _not_replayed(f"The match {request.path_params.get('match')} cannot be replayed: {error}.")


async def _not_drawn(_: Request, error: DrawingError) -> Response:
    return _not_replayed(f"The position cannot be drawn: {str(error).splitlines()[0]}.")


async def _not_valid(_: Request, error: Unreplayed) -> Response:
    return JSONResponse(asdict(NotReplayed(str(error), list(error.problems))), HTTPStatus.UNPROCESSABLE_ENTITY)


def _not_replayed(message: str) -> Response:
    return JSONResponse(asdict(NotReplayed(message, [])), HTTPStatus.UNPROCESSABLE_ENTITY)
