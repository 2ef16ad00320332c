"""Playouts over HTTP: of the last rounds of a match, of a better decision, and of a branch compared with its match."""

import gzip
import json
import threading
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Response
from pydantic import WithJsonSchema
from starlette.responses import StreamingResponse

from dashboards.queries.logs import packed_log
from dashboards.queries.reader import Reader
from dashboards.queries.reviews import confirmation_of
from dashboards.replay.branch_document import read_record
from dashboards.replay.branch_lines import reports
from dashboards.replay.branches import MOST_SAMPLES, USUAL_SAMPLES, PlayOut
from dashboards.replay.reviews import PlayoutsOfMatch, State, packed_review, played_out
from dashboards.replay.scenes import folded, seat_of
from dashboards.web.access import caller, gone, needs, note
from dashboards.web.branches import BRANCH, NOT_ALLOWED, REFUSED, found
from dashboards.web.refusals import API, Refused
from dashboards.web.replay import THERE, View, log_of
from dashboards.web.routing import NO_STORE, Body, Services, as_body, at_most, limited, refusals
from himalaya_core.tournament.confirming import digest_of
from himalaya_core.winprob.key_moments import Evaluation
from himalaya_core.winprob.review import as_judgement
from ingest.jobs import Busy
from ingest.load.reviews import Playouts, What
from ingest.people.tokens import Scope

__all__ = ["branch_playout_routes", "routes"]


PLAYOUTS: Final = "/{match}/playouts"
DECISION: Final = "/{match}/confirmations/{seq}"
RATE: Final = 60
"""Maximum number of playouts requested per caller and minute."""


@dataclass(frozen=True, slots=True)
class ConfirmationOfDecision:
    """Playouts of a better decision that the model found, compared with the decision that was made.

    `text` is the sentence to show. `gain` has the seat's mean gain in chances of winning over `pairs` pairs of
    playouts, and the ends of its 95% interval; null if the decision was not selected for playouts. `reason` tells why
    it cannot be played out.
    """

    state: State
    reason: str | None = None
    is_confirmed: bool = False
    pairs: int = 0
    gain: list[float] | None = None
    text: str | None = None


ASKED: Final = {
    401: "A token is required",
    403: "The role does not allow running; or the request came from another site or for another host",
    429: "Too many requests within a minute",
    503: "Too many matches wait to be played out, or the database cannot be read",
}
NO_DECISION: Final = {404: "There is no such match, or no better decision was found at this event"}


def routes(services: Services) -> APIRouter:
    """Return the routes; on a read-only database they only return stored playouts."""
    api, rate = APIRouter(prefix=f"{API}/replay", dependencies=[NO_STORE]), limited(RATE)
    reader, playouts = services.reader, services.playouts

    @api.get(
        PLAYOUTS,
        operation_id="lookAtPlayouts",
        summary="Get playouts of the last two rounds",
        responses=refusals(THERE),
    )
    def look_at_playouts(match: str) -> PlayoutsOfMatch:
        return _playouts(reader, playouts, match)

    @api.post(
        PLAYOUTS,
        operation_id="askForPlayouts",
        summary="Request playouts of the last two rounds",
        description="The players of the match play in the background, one match at a time; the result is stored.",
        dependencies=[rate],
        responses={202: {"model": PlayoutsOfMatch, "description": "Queued"}, **refusals(THERE, ASKED)},
    )
    @needs(Scope.RUN)
    def ask_for_playouts(match: str, answer: Response) -> PlayoutsOfMatch:
        current, log = _playouts(reader, playouts, match), packed_log(reader, match)
        if current.state is not State.NOT_ASKED or playouts is None or log is None:
            return current
        _ask(playouts, What(match, log.sha256), log.text())
        answer.status_code = HTTPStatus.ACCEPTED
        return _playouts(reader, playouts, match)

    @api.get(
        DECISION,
        operation_id="lookAtConfirmation",
        summary="Get playouts of a better decision",
        responses=refusals(THERE, NO_DECISION),
    )
    def look_at_decision(match: str, seq: int) -> ConfirmationOfDecision:
        return _confirmation(reader, playouts, _decision(reader, match, seq))

    @api.post(
        DECISION,
        operation_id="askForConfirmation",
        summary="Request playouts of a better decision",
        description="The players of the match play it and the decision that was made; the result is stored. If the "
        "player of a seat cannot play here, the answer names the one that plays for it.",
        dependencies=[rate],
        responses={
            202: {"model": ConfirmationOfDecision, "description": "Queued"},
            **refusals(THERE, NO_DECISION, ASKED),
        },
    )
    @needs(Scope.RUN)
    def ask_for_decision(match: str, seq: int, answer: Response) -> ConfirmationOfDecision:
        decision = _decision(reader, match, seq)
        current = _confirmation(reader, playouts, decision)
        if current.state is not State.NOT_ASKED or playouts is None:
            return current
        _ask(playouts, *decision)
        answer.status_code = HTTPStatus.ACCEPTED
        return _confirmation(reader, playouts, decision)

    return api


def _ask(playouts: Playouts, what: What, text: bytes, decision: Evaluation | None = None) -> None:
    try:
        playouts.ask(what, text, decision)
    except Busy as error:
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, str(error), headers={"Retry-After": "10"}) from None
    note("play out", f"log {what.sha256[:12]}")


def _decision(reader: Reader, match: str, seq: int) -> tuple[What, bytes, Evaluation]:
    """Return the key of a decision's playouts, the log of the match, and the better decision that the model found."""
    log = packed_log(reader, match)
    if log is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"There is no match {match}.")
    text = log.text()
    found = json.loads(gzip.decompress(packed_review(text, None)[1]))
    row = next((each for each in found["judgements"] if each["seq"] == seq), None)
    if row is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"The review found no better decision at event {seq}.")
    replay, judged = folded(text), as_judgement(row)
    return What(match, log.sha256, digest_of(replay, log.sha256, judged, found["model"]["sha256"])), text, judged


def _confirmation(
    reader: Reader, playouts: Playouts | None, decision: tuple[What, bytes, Evaluation]
) -> ConfirmationOfDecision:
    what, _, _ = decision
    # asked before the stored playouts are read: a playout that ends in between is found there
    waits = playouts is not None and playouts.waits(what)
    stored = confirmation_of(reader, what.match, what.digest)
    if stored is not None:
        gain = None if stored.gain is None else list(stored.gain)
        return ConfirmationOfDecision(State.DONE, None, stored.is_confirmed, stored.pairs, gain, stored.text)
    return ConfirmationOfDecision(*_state(playouts, what, waits=waits))


def _state(playouts: Playouts | None, what: What, *, waits: bool) -> tuple[State, str | None]:
    """Return the state of playouts that are not stored, and the reason if they are impossible."""
    if waits:
        return State.WAITING, None
    reason = "the database can only be read" if playouts is None else playouts.reason(what)
    return (State.IMPOSSIBLE, reason) if reason else (State.NOT_ASKED, None)


def _playouts(reader: Reader, playouts: Playouts | None, match: str) -> PlayoutsOfMatch:
    log = packed_log(reader, match)
    if log is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"There is no match {match}.")
    what = What(match, log.sha256)
    # asked before the stored playouts are read: a playout that ends in between is found there
    waits = playouts is not None and playouts.waits(what)
    if (found := played_out(reader, match)) is not None:
        return found
    return PlayoutsOfMatch(*_state(playouts, what, waits=waits))


BRANCH_RATE: Final = 30
"""Maximum number of branches played out per caller and minute."""
AT_ONCE: Final = 2
"""Maximum number of jobs of all callers together; each occupies a server thread and the processors."""
MOST_BYTES: Final = 16 << 10
LINES: Final = (
    "Lines of JSON. A report has the numbers of pairs, `done` and `of`, each seat's share of the win in `branch` and "
    "`original`, and the `difference` with its 95% interval. The last report has `ended`: `all`, `precision`, or "
    "`time` if the time limit came first. A failure is a line with `error`. Empty lines keep the connection alive"
)


class WantedPlayouts(Body):
    """The number of playouts of a branch, and the programs that play."""

    samples: Annotated[
        Any,
        WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MOST_SAMPLES, "default": USUAL_SAMPLES}),
    ] = None
    precision: Annotated[
        Any,
        WithJsonSchema(
            {
                "type": "number",
                "minimum": 0,
                "maximum": 1,
                "default": 0,
                "description": "stop once half of each 95% interval is at most this; 0: play all",
            }
        ),
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
    """Callers that have a running playout; each may have one at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callers = set[str]()

    def begin(self, who: str) -> None:
        """Register a job; raises `Refused` if the caller already has one or `AT_ONCE` jobs are running."""
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


def branch_playout_routes(services: Services) -> APIRouter:
    """Return the route."""
    api, reader, tried, jobs = APIRouter(), services.reader, services.branches, _Jobs()

    @api.post(
        f"{BRANCH}/playouts",
        operation_id="playOutBranch",
        summary="Play a branch and its match out many times, each pair on the same seed",
        description="Results are streamed until all pairs are played, the time limit is reached or the client "
        "disconnects.",
        response_class=StreamingResponse,
        dependencies=[limited(BRANCH_RATE), at_most(MOST_BYTES)],
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
    """Wait until the request ends or its client disconnects, then remove the job."""
    left.wait()
    jobs.end(who)
