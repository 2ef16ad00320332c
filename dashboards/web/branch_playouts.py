"""A branch and its match played out many times while one watches: JSON Lines, until all is done or nobody is there."""

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
"""Branches that one address has played out in a minute."""
AT_ONCE: Final = 2
"""Of all callers: each takes a thread of the server, and the processors."""


MOST_BYTES: Final = 16 << 10
LINES: Final = (
    "Lines of JSON: after `done` pairs `of` so many the share of the win of each seat in the `branch` and in the "
    "`original`, and the `difference` with its 95 % interval; empty lines where there is nothing to report; or why it "
    "ends, `error`"
)


class WantedPlayouts(Body):
    """How often a branch is to be played out, and by whom."""

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
                "description": "by seat the name of the program that decides, null for the player that sat there",
            }
        ),
    ] = None


class _Jobs:
    """Who has something played out now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callers = set[str]()

    def begin(self, who: str) -> None:
        """Take note of a job; `Refused` if the caller has one, or others have all there are."""
        with self._lock:
            if who in self._callers:
                message = "expected one branch to be played out at a time, found another under way; stop it first"
                raise Refused(HTTPStatus.TOO_MANY_REQUESTS, message, 1, 2, {"Retry-After": "5"})
            if len(self._callers) >= AT_ONCE:
                message = f"{AT_ONCE} branches are being played out; try again in a moment"
                raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, message, headers={"Retry-After": "5"})
            self._callers.add(who)

    def end(self, who: str) -> None:
        """Take note that it is over."""
        with self._lock:
            self._callers.discard(who)


def routes(services: Services) -> APIRouter:
    """Return the route."""
    api, reader, tried, jobs = APIRouter(), services.reader, services.branches, _Jobs()

    @api.post(
        f"{BRANCH}/playouts",
        operation_id="playOutBranch",
        summary="Play a branch and its match out many times, each pair on the same seed",
        description="It ends when the client goes away.",
        response_class=StreamingResponse,
        dependencies=[limited(RATE), at_most(MOST_BYTES)],
        responses={
            200: as_body(LINES, {"type": "string"}, "application/jsonl"),
            **NOT_ALLOWED,
            **refusals(REFUSED, {429: "The caller has one played out already, or too many requests within a minute"}),
        },
    )
    @needs(Scope.RUN)
    def play_out(branch: str, said: WantedPlayouts, view: View = None) -> StreamingResponse:
        who, left = caller().key, gone()
        document, _ = found(services, branch)
        log = log_of(reader, document.match)
        seat = seat_of(view, len(folded(log).header.seats))
        what = tried.to_play_out(log, document, read_record(PlayOut, said.said()), seat)
        jobs.begin(who)
        note("play out branch", branch)
        threading.Thread(target=_end, args=(left, jobs, who), name="ending", daemon=True).start()
        headers = {"Cache-Control": "no-store"}
        return StreamingResponse(reports(what, left), headers=headers, media_type="application/jsonl")

    return api


def _end(left: threading.Event, jobs: _Jobs, who: str) -> None:
    """Make room for another once the request is over, or whoever asked has gone away."""
    left.wait()
    jobs.end(who)
