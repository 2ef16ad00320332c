"""A log sent only to be replayed: looked at by the gate that `himalaya ingest` has, shown, and kept nowhere."""

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

from dashboards.replay.problems import Problem, problem
from dashboards.replay.reviews import review_document
from dashboards.replay.scenes import as_bytes, fold, pack, scene_of
from dashboards.web.access import Scope, body, needs
from dashboards.web.bodies import check_log, encoding
from dashboards.web.logs import BODY_OF_LOG
from dashboards.web.refusals import API, Refused
from dashboards.web.replay import REVIEWED
from dashboards.web.replayed import SCENE, NotReplayed, Unreplayed, View, packed
from dashboards.web.routing import as_body, limited, refusals
from dashboards.web.services import Services
from himalaya_core.replay import Replay, ReplayError
from ingest.errors import NotAccepted, Reason
from ingest.quarantine.preview import FoundMatch, Preview, begins, preview
from ingest.receive.inbox import Encoding, Inbox, Limits

__all__ = ["DROP", "LIMITS", "REVIEW", "DroppedLog", "routes"]

DROP: Final = f"{API}/replay"
NAME: Final = "dropped log"
REVIEW: Final = "review"
"""The part of a match that `part` names instead of its scene."""
MOST_PROBLEMS: Final = 100
MOST_MATCHES: Final = 2_000
MOST_EVENTS: Final = 3_000
"""Events of a match that is shown; one of six players with every option has 900. A scene grows faster than they do."""
AT_ONCE: Final = 2
"""Logs looked at, and as many reviewed; each takes a thread of the server, the others are for those who read."""


class _Limits(Limits):
    """What is accepted: a body as it is sent, and what it may grow to."""

    @property
    def text(self) -> int:
        """Bytes of a body without its compression."""
        return 32 << 20


LIMITS: Final = _Limits(body=16 << 20, lines=200_000)


CHOICE: Final = {"$ref": "#/components/schemas/DroppedLog"}
LOOKS: Final = 60
"""Logs that one address sends in a minute only to have them looked at."""
ABOUT: Final = f"""\
The body is a log as `POST {API}/logs` takes it, at most {LIMITS.body >> 20} MiB as sent, {LIMITS.text >> 20} MiB of
text. It is checked as strictly, and kept nowhere. A log of one valid match is answered with its scene, one of several
with the list of them. What is not valid is named in `problems`, in the words of `himalaya ingest`."""
REFUSED: Final = {
    400: "The body is empty, or the match has no such seat",
    403: "It came from a page of another site",
    413: "The body is too large, or has too many lines or matches, or the match too many events",
    415: "The Content-Type is not that of a log",
    429: "Too many requests within a minute",
    503: "Other logs are being checked",
}
Which = Annotated[str | None, FromQuery(description="which one, of a log of several")]
Part = Annotated[Any, FromQuery(description="its review instead of its scene"), WithJsonSchema({"enum": [REVIEW]})]


@dataclass(frozen=True, slots=True)
class DroppedMatch:
    """A valid match of a log of several; `line` is where it starts."""

    match: str
    status: str
    players: int
    line_up: str
    rounds: int
    events: int
    line: int


@dataclass(frozen=True, slots=True)
class DroppedLog:
    """The matches of a log to choose from, and what is wrong with the rest of it."""

    matches: list[DroppedMatch]
    problems: list[Problem]


def routes(services: Services) -> APIRouter:  # noqa: ARG001  as all modules of routes have it
    """Return the route."""
    api = APIRouter(default_response_class=Response)
    looking, reviewing = threading.BoundedSemaphore(AT_ONCE), threading.BoundedSemaphore(AT_ONCE)

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
            422: {"model": NotReplayed, "description": "It holds no such valid match, or is compressed and damaged"},
            **refusals(REFUSED),
        },
        openapi_extra={"requestBody": BODY_OF_LOG},
    )
    @needs(Scope.READ)
    def replay_dropped(request: Request, match: Which = None, view: View = None, part: Part = None) -> Response:
        check_log(request.headers, LIMITS.body)
        # a review goes on when its page was left: nobody who wants to see a log waits for it
        with _place(reviewing if part == REVIEW else looking):
            found = _looked_at(encoding(request.headers))
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


def _looked_at(how: Encoding | None) -> Preview:
    """Look at the body of the request, which lies in a folder of its own for as long as that takes."""
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
    """Return the match that is named, or the only one, as the request wants it, or which matches there are."""
    problems = [problem(each.line, each.match, each.reason, each.message) for each in found.problems]
    match = found.match(name) if name is not None else found.only
    if match:
        if is_review:
            return _made(match, lambda replay: review_document(replay, view))
        told = [asdict(each) for each in problems[:MOST_PROBLEMS]]
        return {**_made(match, lambda replay: scene_of(replay, view)), **({"problems": told} if told else {})}
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
    """Return what is made of a match, of which nothing is kept: a reader's own matches stay at hand for the others."""
    if match.events > MOST_EVENTS:
        message = f"match {match.match}: expected at most {MOST_EVENTS} events to replay, found {match.events}"
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, MOST_EVENTS, match.events)
    try:
        return dict(make(fold(match.text())))
    except ReplayError as error:
        line = match.line + error.line - 1
        found = problem(line, match.match, "cannot_be_replayed", str(error).partition(": ")[2])
        raise Unreplayed(f"The match {match.match} of this log cannot be replayed: {error}.", [found]) from None
