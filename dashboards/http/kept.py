"""What routes that keep what people write share: why something is refused, and a record as an answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from flask import Response, current_app, jsonify

from dashboards.http.access import Refused
from dashboards.http.openapi.document import as_json
from dashboards.warehouse.paths import without_folder_of
from ingest.errors import (
    ChangedMeanwhile,
    NoBookmark,
    NoBranch,
    NoDraft,
    NoMatch,
    NoStudy,
    TooMany,
    Unfit,
    WarehouseError,
)

__all__ = ["keeping", "record_answer", "unavailable"]


@contextmanager
def keeping() -> Iterator[None]:
    """Refuse the request with the reason for which something is not found or kept within the block."""
    try:
        yield
    except (NoMatch, NoBookmark, NoBranch, NoDraft, NoStudy) as error:
        raise Refused(HTTPStatus.NOT_FOUND, str(error.args[0])) from None
    except ChangedMeanwhile as error:
        raise Refused(HTTPStatus.PRECONDITION_FAILED, str(error)) from None
    except TooMany as error:
        raise Refused(HTTPStatus.CONFLICT, str(error), error.limit, error.found) from None
    except Unfit as error:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error), error.limit, error.found) from None
    except WarehouseError as error:
        raise unavailable(error) from None


def unavailable(error: WarehouseError) -> Refused:
    """Return why a request is refused, without the folder of the database."""
    database = current_app.config["READER"].database
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, without_folder_of(database, str(error)))


def record_answer(record: Any, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """Answer with a record, which nobody is to keep."""
    answer = jsonify(as_json(record))
    answer.status_code = status
    answer.headers["Cache-Control"] = "no-store"
    return answer
