"""Replay of a log without loading it: checked like `himalaya ingest` does, shown, and not stored."""

import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Request
from fastapi import Query as FromQuery
from pydantic import WithJsonSchema
from starlette.responses import Response

from dashboards.replay.reviews import review_document
from dashboards.replay.scenes import Problem, as_bytes, fold, pack, problem, scene_of
from dashboards.web.access import Scope, body, needs
from dashboards.web.logs import BODY_OF_LOG, check_log, encoding
from dashboards.web.refusals import API, Refused
from dashboards.web.replay import REVIEWED, SCENE, NotReplayed, Unreplayed, View, packed
from dashboards.web.routing import Services, as_body, limited, refusals
from himalaya_core.replay import Replay, ReplayError
from ingest.errors import NotAccepted, Reason
from ingest.inbox.inbox import Encoding, Inbox, Limits
from ingest.quarantine.preview import FoundMatch, Preview, begins, preview

__all__ = ["DROP", "LIMITS", "REVIEW", "DroppedLog", "routes"]

DROP: Final = f"{API}/replay"
NAME: Final = "dropped log"
REVIEW: Final = "review"
"""Value of the query key `part` that requests the review instead of the scene."""
MOST_PROBLEMS: Final = 100
MOST_MATCHES: Final = 2_000
MOST_EVENTS: Final = 3_000
"""Maximum number of events in a match. Six players with every option reach 900; scenes grow faster than linearly."""
AT_ONCE: Final = 2
"""Maximum number of logs checked at the same time, and of logs reviewed. Other server threads stay free for readers."""


class _Limits(Limits):
    """Limits of a request body, as sent and after decompression."""

    @property
    def text(self) -> int:
        """Maximum bytes of a body after decompression."""
        return 32 << 20


LIMITS: Final = _Limits(body=16 << 20, lines=200_000)


CHOICE: Final = {"$ref": "#/components/schemas/DroppedLog"}
LOOKS: Final = 60
"""Maximum number of logs sent for replay per caller and minute."""
ABOUT: Final = f"""\
The body is a log as for `POST {API}/logs`, at most {LIMITS.body >> 20} MiB as sent and {LIMITS.text >> 20} MiB
decompressed. It is checked as strictly, and not stored. If the log has one valid match, the answer is its scene; if it
has several, the list of them. `problems` names what is not valid, as `himalaya ingest` does."""
REFUSED: Final = {
    400: "The body is empty, or the match has no such seat",
    403: "The request came from another site",
    413: "The body is too large, or has too many lines or matches, or the match too many events",
    415: "The Content-Type is not that of a log",
    429: "Too many requests within a minute",
    503: "Other logs are being checked",
}
Which = Annotated[str | None, FromQuery(description="the match to show, if the log has several")]
Part = Annotated[
    Any, FromQuery(description="the review of the match instead of its scene"), WithJsonSchema({"enum": [REVIEW]})
]


@dataclass(frozen=True, slots=True)
class DroppedMatch:
    """A valid match of a log with several; `line` is where it starts."""

    match: str
    status: str
    players: int
    line_up: str
    rounds: int
    events: int
    line: int


@dataclass(frozen=True, slots=True)
class DroppedLog:
    """The valid matches of a log to choose from, and the problems of the rest."""

    matches: list[DroppedMatch]
    problems: list[Problem]


def routes(services: Services) -> APIRouter:  # noqa: ARG001  as all modules of routes have it
    """Return the route."""
    api = APIRouter(default_response_class=Response)
    checking, reviewing = threading.BoundedSemaphore(AT_ONCE), threading.BoundedSemaphore(AT_ONCE)

    @api.post(
        DROP,
        operation_id="replayLog",
        summary="Replay a log without loading it",
        description=ABOUT,
        dependencies=[limited(LOOKS)],
        responses={
            200: as_body(
                "The scene or the review, or the matches to choose from", {"oneOf": [SCENE, REVIEWED, CHOICE]}
            ),
            422: {
                "model": NotReplayed,
                "description": "The log has no such valid match, or its compression is damaged",
            },
            **refusals(REFUSED),
        },
        openapi_extra={"requestBody": BODY_OF_LOG},
    )
    @needs(Scope.READ)
    def replay_dropped(request: Request, match: Which = None, view: View = None, part: Part = None) -> Response:
        check_log(request.headers, LIMITS.body)
        # a review continues after its page is closed; its separate limit keeps it from blocking checks
        with _place(reviewing if part == REVIEW else checking):
            found = _previewed(encoding(request.headers))
            answer = _shown_or_choice(found, match, view, is_review=part == REVIEW)
        return packed("", pack(as_bytes(answer))[1], is_kept=False)

    return api


@contextmanager
def _place(places: threading.BoundedSemaphore) -> Iterator[None]:
    if not places.acquire(blocking=False):
        message = f"{AT_ONCE} logs are being checked; try again in a moment"
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, message, headers={"Retry-After": "1"})
    try:
        yield
    finally:
        places.release()


def _previewed(how: Encoding | None) -> Preview:
    """Check the body of the request, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="himalaya-") as folder:
        inbox = Inbox(Path(folder), LIMITS)
        with inbox.written(body()) as kept:
            try:
                inbox.check(kept, how)
            except NotAccepted as error:
                if error.reason is Reason.BROKEN:
                    raise Unreplayed(str(error), []) from None
                raise
            if (found := begins(kept.path, MOST_MATCHES)) > MOST_MATCHES:
                message = f"body: expected at most {MOST_MATCHES} matches, found more"
                raise NotAccepted(Reason.TOO_LARGE, message, MOST_MATCHES, found)
            return preview(kept.path, NAME)


def _shown_or_choice(found: Preview, name: str | None, view: str | None, *, is_review: bool) -> Any:
    """Return the scene or review of the named or only match, or the list of matches."""
    problems = [problem(each.line, each.match, each.reason, each.message) for each in found.problems]
    match = found.match(name) if name is not None else found.only
    if match:
        if is_review:
            return _made(match, lambda replay: review_document(replay, view))
        listed = [asdict(each) for each in problems[:MOST_PROBLEMS]]
        return {**_made(match, lambda replay: scene_of(replay, view)), **({"problems": listed} if listed else {})}
    if name is not None:
        about = [each for each in problems if each.match == name]
        message = f"The match {name} of this log is not valid." if about else f"There is no match {name} in this log."
        raise Unreplayed(message, (about or problems)[:MOST_PROBLEMS])
    if not found.matches:
        raise Unreplayed("There is no valid match in this log.", problems[:MOST_PROBLEMS])
    fields = DroppedMatch.__slots__
    choice = [DroppedMatch(*(getattr(each, field) for field in fields)) for each in found.matches]
    return asdict(DroppedLog(choice, problems[:MOST_PROBLEMS]))


def _made(match: FoundMatch, make: Callable[[Replay], Mapping[str, Any]]) -> dict[str, Any]:
    """Return the result of `make` for a match. Nothing is cached, because an upload would evict stored matches."""
    if match.events > MOST_EVENTS:
        message = f"match {match.match} has {match.events} events; at most {MOST_EVENTS} can be replayed"
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, MOST_EVENTS, match.events)
    try:
        return dict(make(fold(match.text())))
    except ReplayError as error:
        line = match.line + error.line - 1
        found = problem(line, match.match, "cannot_be_replayed", str(error).partition(": ")[2])
        raise Unreplayed(f"The match {match.match} of this log cannot be replayed: {error}.", [found]) from None
