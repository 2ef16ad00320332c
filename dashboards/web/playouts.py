"""Playouts of a match's last rounds or of one decision: `POST` requests them, `GET` returns their state."""

import gzip
import json
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Response

from dashboards.replay.reviews import packed_review
from dashboards.replay.scenes import folded
from dashboards.warehouse.logs import packed_log
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.values import confirmation_of, playouts_of
from dashboards.web.access import Scope, needs, note
from dashboards.web.refusals import API, Refused
from dashboards.web.replayed import THERE
from dashboards.web.routing import NO_STORE, limited, refusals
from dashboards.web.services import Services
from himalaya_core.arena.confirming import digest_of
from himalaya_core.review.document import as_judgement
from himalaya_core.review.swings import Evaluation
from ingest.jobs import Busy
from ingest.load.playing_out import Playouts, What

__all__ = ["routes"]

PLAYOUTS: Final = "/{match}/playouts"
DECISION: Final = "/{match}/confirmations/{seq}"
RATE: Final = 60
"""Playouts requested per caller and minute."""


class State(StrEnum):
    """State of a playout."""

    NOT_ASKED = "not asked"
    WAITING = "waiting"
    DONE = "done"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class PlayedOutChances:
    """Chances of winning, by seat: shares of `samples` playouts by the players of the match from one decision on.

    `seq` is that of the decision's last event in the log.
    """

    seq: int
    chances: list[float]


@dataclass(frozen=True, slots=True)
class PlayoutsOfMatch:
    """Playouts of the last two rounds of a match.

    `reason` says why they are impossible; `error` is the largest standard error of a share.
    """

    state: State
    reason: str | None = None
    samples: int = 0
    error: float = 0.0
    chances: list[PlayedOutChances] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ConfirmationOfDecision:
    """Playouts of a better decision that the model found, compared with the decision that was made.

    `text` is the sentence to show. `gain` is the seat's mean gain in chances of winning over `pairs` pairs, with the
    ends of its 95% interval; null if it was not selected. `reason` says why it cannot be played out.
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
    waits = playouts is not None and playouts.waits(what)  # first: playouts that end meanwhile are stored
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
    waits = playouts is not None and playouts.waits(what)  # first: playouts that end meanwhile are stored
    stored = playouts_of(reader, match)
    if stored is not None:
        rows = [PlayedOutChances(seq, list(chances)) for seq, chances in stored.chances]
        return PlayoutsOfMatch(State.DONE, None, stored.samples, round(stored.error, 4), rows)
    return PlayoutsOfMatch(*_state(playouts, what, waits=waits))
