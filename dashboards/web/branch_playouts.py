"""Stream playouts of a branch and its match as JSON Lines, until all are done or the client disconnects."""

import threading
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter
from pydantic import WithJsonSchema
from starlette.responses import StreamingResponse

from dashboards.replay.branch_document import read_record
from dashboards.replay.branch_playing import reports
from dashboards.replay.branches import MOST_SAMPLES, USUAL_SAMPLES, PlayOut
from dashboards.replay.scenes import folded, seat_of
from dashboards.web.access import Scope, caller, gone, needs, note
from dashboards.web.branches import BRANCH, NOT_ALLOWED, REFUSED, found
from dashboards.web.refusals import Refused
from dashboards.web.replayed import View, log_of
from dashboards.web.routing import Body, as_body, at_most, limited, refusals
from dashboards.web.services import Services

__all__ = ["routes"]

RATE: Final = 30
"""Branches played out per caller and minute."""
AT_ONCE: Final = 2
"""Jobs of all callers together; each takes a thread of the server and the processors."""
MOST_BYTES: Final = 16 << 10
LINES: Final = (
    "Lines of JSON. A report has the numbers of pairs, `done` and `of`, each seat's share of the win in `branch` and "
    "`original`, and the `difference` with its 95% interval. A failure is a line with `error`. Empty lines keep the "
    "connection alive"
)


class WantedPlayouts(Body):
    """How often to play a branch out, and with which programs."""

    samples: Annotated[
        Any,
        WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MOST_SAMPLES, "default": USUAL_SAMPLES}),
    ] = None
    players: Annotated[
        Any,
        WithJsonSchema(
            {
                "type": ["array", "null"],
                "items": {"type": ["string", "null"]},
                "description": "by seat, the name of the program that decides; null for the player that sat there",
            }
        ),
    ] = None


class _Jobs:
    """Callers that have a playout running."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callers = set[str]()

    def begin(self, who: str) -> None:
        """Register a job; `Refused` if the caller has one, or all `AT_ONCE` are taken."""
        with self._lock:
            if who in self._callers:
                message = "you have a branch played out already; stop it or wait until it is done"
                raise Refused(HTTPStatus.TOO_MANY_REQUESTS, message, 1, 2, {"Retry-After": "5"})
            if len(self._callers) >= AT_ONCE:
                message = f"{AT_ONCE} branches are being played out; try again in a moment"
                raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, message, headers={"Retry-After": "5"})
            self._callers.add(who)

    def end(self, who: str) -> None:
        """Remove the job of a caller."""
        with self._lock:
            self._callers.discard(who)


def routes(services: Services) -> APIRouter:
    """Return the route."""
    api, reader, tried, jobs = APIRouter(), services.reader, services.branches, _Jobs()

    @api.post(
        f"{BRANCH}/playouts",
        operation_id="playOutBranch",
        summary="Play a branch and its match out many times, each pair on the same seed",
        description="Results are streamed until all pairs are played or the client disconnects.",
        response_class=StreamingResponse,
        dependencies=[limited(RATE), at_most(MOST_BYTES)],
        responses={
            200: as_body(LINES, {"type": "string"}, "application/jsonl"),
            **NOT_ALLOWED,
            **refusals(REFUSED, {429: "The caller has a playout running, or sent too many requests within a minute"}),
        },
    )
    @needs(Scope.RUN)
    def play_out(branch: str, wanted: WantedPlayouts, view: View = None) -> StreamingResponse:
        who, left = caller().key, gone()
        document, _ = found(services, branch)
        log = log_of(reader, document.match)
        seat = seat_of(view, len(folded(log).header.seats))
        what = tried.to_play_out(log, document, read_record(PlayOut, wanted.given()), seat)
        jobs.begin(who)
        note("play out branch", branch)
        threading.Thread(target=_end, args=(left, jobs, who), name="ending", daemon=True).start()
        headers = {"Cache-Control": "no-store"}
        return StreamingResponse(reports(what, left), headers=headers, media_type="application/jsonl")

    return api


def _end(left: threading.Event, jobs: _Jobs, who: str) -> None:
    """Remove the job once its request ends or its client disconnects."""
    left.wait()
    jobs.end(who)
