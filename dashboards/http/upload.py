"""A log sent only to be replayed: looked at by the gate that `himalaya ingest` has, shown, and kept nowhere."""

import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, request

from dashboards.http.access import Refused, Scope, needs
from dashboards.http.bodies import accepting, check_log, encoding
from dashboards.http.openapi.described import API, Answer, Operation, said, served
from dashboards.http.openapi.replay import REVIEWED, SCENE, VIEW, DroppedLog, DroppedMatch, NotReplayed
from dashboards.replay.problems import Problem, problem
from dashboards.replay.reviews import review_document
from dashboards.replay.scenes import as_bytes, fold, pack, scene_of
from dashboards.warehouse.addresses import TEXT, Key
from himalaya_core.replay import Replay, ReplayError
from ingest.errors import NotAccepted, Reason
from ingest.quarantine.preview import FoundMatch, Preview, begins, preview
from ingest.receive.inbox import Inbox, Limits

__all__ = ["DROP", "LIMITS", "REVIEW", "Unreplayed", "register_drop"]

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


class Unreplayed(Exception):
    """A log that nothing can be shown of; the problems say why."""

    def __init__(self, message: str, problems: Sequence[Problem]) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


TYPES: Final = ("application/jsonl", "application/gzip", "application/zstd", "application/octet-stream")
WHICH: Final = Key("match", "which one, of a log of several", TEXT)
PART: Final = Key("part", "its review instead of its scene", {"enum": [REVIEW]})
REPLAY_LOG: Final = Operation(
    "replayLog",
    "Replay a log without loading it",
    {
        "200": Answer("The scene or the review, or the matches to choose from", (SCENE, REVIEWED, DroppedLog)),
        "422": Answer("It holds no such valid match, or is compressed and damaged", NotReplayed),
    },
    {
        "400": "The body is empty, or the match has no such seat",
        "403": "It came from a page of another site",
        "413": "The body is too large, or has too many lines or matches, or the match too many events",
        "415": "The Content-Type is not that of a log",
        "429": "Too many requests within a minute",
        "503": "Other logs are being checked",
    },
    description=f"The body is a log as `POST {API}/logs` takes it, at most {LIMITS.body >> 20} MiB as sent, "
    f"{LIMITS.text >> 20} MiB of text. It is checked as strictly, and kept nowhere. A log of one valid match is "
    "answered with its scene, one of several with the list of them. What is not valid is named in `problems`, in the "
    "words of `himalaya ingest`.",
    query=(WHICH, VIEW, PART),
    body={
        "required": True,
        "content": {kind: {"schema": {"contentMediaType": "application/jsonl"}} for kind in TYPES},
    },
)


def register_drop(server: Flask) -> None:
    """Add the route to the server."""
    looking, reviewing = threading.BoundedSemaphore(AT_ONCE), threading.BoundedSemaphore(AT_ONCE)

    @served(server, "POST", DROP, REPLAY_LOG)
    @needs(Scope.READ)
    def replay_dropped() -> Response:
        check_log(LIMITS.body)
        # a review goes on when its page was left: nobody who wants to see a log waits for it
        with _place(reviewing if request.args.get("part") == REVIEW else looking):
            found = _looked_at()
            answer = _shown_or_choice(found, said(WHICH), said(VIEW))
        return _unkept(as_bytes(answer))


@contextmanager
def _place(places: threading.BoundedSemaphore) -> Iterator[None]:
    if not places.acquire(blocking=False):
        message = f"{AT_ONCE} logs are being checked; try again in a moment"
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, message, headers={"Retry-After": "1"})
    try:
        yield
    finally:
        places.release()


def _looked_at() -> Preview:
    """Look at the body of the request, which lies in a folder of its own for as long as that takes."""
    with tempfile.TemporaryDirectory(prefix="himalaya-") as folder, accepting():
        inbox = Inbox(Path(folder), LIMITS)
        with inbox.written(request.stream) as body:
            try:
                inbox.check(body, encoding())
            except NotAccepted as error:
                if error.reason is Reason.BROKEN:
                    raise Unreplayed(str(error), []) from None
                raise
            if (found := begins(body.path, MOST_MATCHES)) > MOST_MATCHES:
                message = f"body: expected at most {MOST_MATCHES} matches, found more"
                raise NotAccepted(Reason.TOO_LARGE, message, MOST_MATCHES, found)
            return preview(body.path, NAME)


def _shown_or_choice(found: Preview, name: str | None, view: str | None) -> Any:
    """Return the match that is named, or the only one, as the request wants it, or which matches there are."""
    problems = [problem(each.line, each.match, each.reason, each.message) for each in found.problems]
    match = found.match(name) if name is not None else found.only
    if match:
        if said(PART) == REVIEW:
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


def _unkept(text: bytes) -> Response:
    """Answer with JSON that no browser keeps."""
    wants_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = Response(pack(text)[1] if wants_gzip else text, mimetype="application/json")
    if wants_gzip:
        answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cache-Control"] = "no-store"
    return answer
