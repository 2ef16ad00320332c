"""A match played out by its players, its last rounds or a decision: `POST` asks for it, `GET` says what came of it."""

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
"""Matches that one address has played out in a minute."""


class State(StrEnum):
    """How the playing out of a match stands."""

    NOT_ASKED = "not asked"
    WAITING = "waiting"
    DONE = "done"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class PlayedOutChances:
    """Chances of winning, by seat: the share of so many playouts (`samples`) from there by the players of the match.

    `seq` is the place in the log of the last event of a decision.
    """

    seq: int
    chances: list[float]


@dataclass(frozen=True, slots=True)
class PlayoutsOfMatch:
    """What is known of the last two rounds of a match by playing them out.

    `reason` says why that is impossible; `error` is the largest standard error of a share.
    """

    state: State
    reason: str | None = None
    samples: int = 0
    error: float = 0.0
    chances: list[PlayedOutChances] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ConfirmationOfDecision:
    """What is known of a better decision that the model found, by playing it out beside the one that was made.

    `text` is the sentence to show. `gain` is the mean of so many `pairs` and the ends of its 95 % interval, in chances
    of winning of the seat; null if it was not selected. `reason` says why it cannot be played out.
    """

    state: State
    reason: str | None = None
    is_confirmed: bool = False
    pairs: int = 0
    gain: list[float] | None = None
    text: str | None = None


ASKED: Final = {
    401: "A token is needed",
    403: "The token is not for running; or it came from a page of another site, or under another name",
    429: "Too many requests within a minute",
    503: "Too many matches wait to be played out, or the database cannot be read",
}
NO_DECISION: Final = {404: "There is no such match, or no better decision was found there"}


def routes(services: Services) -> APIRouter:
    """Return the routes. Where the database can only be read, nothing is played; what is kept is told."""
    api, rate = APIRouter(prefix=f"{API}/replay", dependencies=[NO_STORE]), limited(RATE)
    reader, playouts = services.reader, services.playouts

    @api.get(
        PLAYOUTS,
        operation_id="lookAtPlayouts",
        summary="The last two rounds, played out",
        responses=refusals(THERE),
    )
    def look_at_playouts(match: str) -> PlayoutsOfMatch:
        return _known(reader, playouts, match)

    @api.post(
        PLAYOUTS,
        operation_id="askForPlayouts",
        summary="Have the last two rounds played out",
        description="One match at a time, in the background, by the players that sat there; it is kept.",
        dependencies=[rate],
        responses={202: {"model": PlayoutsOfMatch, "description": "Queued"}, **refusals(THERE, ASKED)},
    )
    @needs(Scope.RUN)
    def ask_for_playouts(match: str, answer: Response) -> PlayoutsOfMatch:
        known, log = _known(reader, playouts, match), packed_log(reader, match)
        if known.state is not State.NOT_ASKED or playouts is None or log is None:
            return known
        _ask(playouts, What(match, log.sha256), log.text())
        answer.status_code = HTTPStatus.ACCEPTED
        return _known(reader, playouts, match)

    @api.get(
        DECISION,
        operation_id="lookAtConfirmation",
        summary="A better decision, played out",
        responses=refusals(THERE, NO_DECISION),
    )
    def look_at_decision(match: str, seq: int) -> ConfirmationOfDecision:
        return _confirmation(reader, playouts, _decision(reader, match, seq))

    @api.post(
        DECISION,
        operation_id="askForConfirmation",
        summary="Have a better decision played out",
        description="By the players that sat there, beside the decision that was made; it is kept. A seat that cannot "
        "be asked is played by a player that the answer names.",
        dependencies=[rate],
        responses={
            202: {"model": ConfirmationOfDecision, "description": "Queued"},
            **refusals(THERE, NO_DECISION, ASKED),
        },
    )
    @needs(Scope.RUN)
    def ask_for_decision(match: str, seq: int, answer: Response) -> ConfirmationOfDecision:
        decision = _decision(reader, match, seq)
        known = _confirmation(reader, playouts, decision)
        if known.state is not State.NOT_ASKED or playouts is None:
            return known
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
    """Return what is played out of a match for a decision, its log, and the better one that the model found."""
    log = packed_log(reader, match)
    if log is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"There is no match {match}.")
    text = log.text()
    found = json.loads(gzip.decompress(packed_review(text, None)[1]))
    row = next((each for each in found["judgements"] if each["seq"] == seq), None)
    if row is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"No better decision was found to event {seq}.")
    replay, judged = folded(text), as_judgement(row)
    return What(match, log.sha256, digest_of(replay, log.sha256, judged, found["model"]["sha256"])), text, judged


def _confirmation(
    reader: Reader, playouts: Playouts | None, decision: tuple[What, bytes, Evaluation]
) -> ConfirmationOfDecision:
    what, _, _ = decision
    waits = playouts is not None and playouts.waits(what)  # before looking: what is done meanwhile is kept
    kept = confirmation_of(reader, what.match, what.digest)
    if kept is not None:
        gain = None if kept.gain is None else list(kept.gain)
        return ConfirmationOfDecision(State.DONE, None, kept.is_confirmed, kept.pairs, gain, kept.text)
    return ConfirmationOfDecision(*_state(playouts, what, waits=waits))


def _state(playouts: Playouts | None, what: What, *, waits: bool) -> tuple[State, str | None]:
    """Return how it stands with what nothing is kept of, and why it is impossible, if it is."""
    if waits:
        return State.WAITING, None
    reason = "the database can only be read" if playouts is None else playouts.reason(what)
    return (State.IMPOSSIBLE, reason) if reason else (State.NOT_ASKED, None)


def _known(reader: Reader, playouts: Playouts | None, match: str) -> PlayoutsOfMatch:
    log = packed_log(reader, match)
    if log is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"There is no match {match}.")
    what = What(match, log.sha256)
    waits = playouts is not None and playouts.waits(what)  # before looking: what is done meanwhile is kept
    kept = playouts_of(reader, match)
    if kept is not None:
        rows = [PlayedOutChances(seq, list(chances)) for seq, chances in kept.chances]
        return PlayoutsOfMatch(State.DONE, None, kept.samples, round(kept.error, 4), rows)
    return PlayoutsOfMatch(*_state(playouts, what, waits=waits))
