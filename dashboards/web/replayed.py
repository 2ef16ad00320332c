"""Shared by the routes of replays: the log of a match, its problems, and gzipped answers."""

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Query as FromQuery
from pydantic import WithJsonSchema
from starlette.responses import Response

from dashboards.boards.scene import Scene
from dashboards.replay.problems import Problem, problem
from dashboards.warehouse.logs import match_lines, quarantined_lines, sound_lines
from dashboards.warehouse.reader import Reader
from dashboards.web.access import connection
from dashboards.web.refusals import Refusal, Refused

__all__ = [
    "BROKEN",
    "SCENE",
    "THERE",
    "NoSuchPly",
    "NotReplayed",
    "Unreplayed",
    "View",
    "answer_file",
    "knows",
    "log_of",
    "packed",
]

MOST_PROBLEMS: Final = 20
SCENE: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What the replay draws: the board, and a frame for each event.",
    "required": sorted({*Scene.__required_keys__, "board", "frames"}),
}
THERE: Final = {404: "There is no such match", 503: "The database cannot be read at present"}
View = Annotated[
    Any,
    FromQuery(description="viewing seat, from 1; what it could not know is left out"),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 6}),
]


@dataclass(frozen=True, slots=True)
class NotReplayed:
    """Why a log cannot be shown, in one sentence, and its problems by line."""

    message: str
    problems: list[Problem]


BROKEN: Final[dict[int | str, dict[str, Any]]] = {
    422: {
        "model": NotReplayed | Refusal,
        "description": "The log cannot be replayed, or is in quarantine; the message says why",
    }
}


class Unreplayed(Exception):
    """A log that cannot be shown; `problems` say why."""

    def __init__(self, message: str, problems: Sequence[Problem]) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class NoSuchPly(ValueError):
    """A match has no such place."""


def log_of(reader: Reader, match: str) -> bytes:
    """Return the log of a match, or the valid lines of one in quarantine; `Unreplayed` if there are none."""
    lines = match_lines(reader, match) or sound_lines(reader, match)
    if lines is not None:
        return b"".join(lines)
    if quarantined := quarantined_lines(reader, match, MOST_PROBLEMS):
        problems = [problem(each.line, each.match, each.reason, each.message, each.file) for each in quarantined]
        raise Unreplayed(f"The match {match} is in quarantine: its log is not valid.", problems)
    raise Refused(HTTPStatus.NOT_FOUND, f"There is no match {match} in this database.")


def packed(tag: str, text: bytes, kind: str = "application/json", *, is_kept: bool = True) -> Response:
    """Answer with a gzipped text, as it is if the client accepts gzip.

    Browsers cache it if `is_kept`, and revalidate it each time, since names of matches may be reused.
    """
    is_packed = "gzip" in connection().headers.get("Accept-Encoding", "")
    headers = {"Cache-Control": "private, no-cache" if is_kept else "no-store"}
    if tag:
        headers["ETag"] = f'"{tag}-gzip"' if is_packed else f'"{tag}"'
        if knows(headers["ETag"]):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if is_packed:
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(text if is_packed else gzip.decompress(text), headers=headers, media_type=kind)


def knows(tag: str) -> bool:
    """Say whether the client has the answer of a tag in its cache."""
    tags = connection().headers.get("If-None-Match", "")
    return tags.strip() == "*" or tag in {each.strip().removeprefix("W/") for each in tags.split(",")}


def answer_file(text: bytes | str, kind: str, name: str) -> Response:
    """Answer with a file to download, which is not cached."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, headers=headers, media_type=kind)
