"""The last rounds of a match played out by its players: `POST` asks for it, `GET` says what came of it."""

from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from flask import Flask, Response

from dashboards.http.access import Refused, Scope, caller, needs, note
from dashboards.http.kept import record_answer
from dashboards.http.openapi.described import API, UNREADABLE, Answer, Operation, served
from dashboards.http.rates import Rate
from dashboards.warehouse.logs import packed_log
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.values import playouts_of
from ingest.load.playing_out import Busy, Playouts
from ingest.warehouse import Warehouse

__all__ = ["register_playouts"]

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


THERE: Final = {"404": "There is no match of that name", "503": UNREADABLE}
LOOK: Final = Operation(
    "lookAtPlayouts",
    "The last two rounds, played out",
    {"200": Answer("What is known", PlayoutsOfMatch)},
    THERE,
)
ASK: Final = Operation(
    "askForPlayouts",
    "Have the last two rounds played out",
    {"200": Answer("What is known", PlayoutsOfMatch), "202": Answer("Queued", PlayoutsOfMatch)},
    THERE
    | {
        "401": "A token is needed",
        "403": "The token is not for running; or it came from a page of another site, or under another name",
        "429": "Too many requests within a minute",
        "503": "Too many matches wait to be played out, or the database cannot be read",
    },
    description="One match at a time, in the background, by the players that sat there; it is kept.",
)


def register_playouts(server: Flask, warehouse: Warehouse) -> Playouts | None:
    """Add the routes, and return what plays, which is to be closed.

    Where the database can only be read, nothing is played; what is kept is told.
    """
    rate, reader = Rate(RATE), Reader(warehouse)
    playouts = None if warehouse.read_only else Playouts(warehouse)

    @served(server, "GET", f"{API}/replay/<match>/playouts", LOOK)
    def look_at_playouts(match: str) -> Response:
        return record_answer(_known(reader, playouts, match))

    @served(server, "POST", f"{API}/replay/<match>/playouts", ASK)
    @needs(Scope.RUN)
    def ask_for_playouts(match: str) -> Response:
        rate.count(caller().key)
        known, log = _known(reader, playouts, match), packed_log(reader, match)
        if known.state is not State.NOT_ASKED or playouts is None or log is None:
            return record_answer(known)
        try:
            playouts.ask(match, log.sha256, log.text())
        except Busy as error:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, str(error), headers={"Retry-After": "10"}) from None
        note("play out", f"log {log.sha256[:12]}")
        return record_answer(_known(reader, playouts, match), HTTPStatus.ACCEPTED)

    return playouts


def _known(reader: Reader, playouts: Playouts | None, match: str) -> PlayoutsOfMatch:
    log = packed_log(reader, match)
    if log is None:
        raise Refused(HTTPStatus.NOT_FOUND, f"There is no match {match}.")
    waits = playouts is not None and playouts.waits(match, log.sha256)  # before looking: what is done meanwhile is kept
    kept = playouts_of(reader, match)
    if kept is not None:
        rows = [PlayedOutChances(seq, list(chances)) for seq, chances in kept.chances]
        return PlayoutsOfMatch(State.DONE, None, kept.samples, round(kept.error, 4), rows)
    if waits:
        return PlayoutsOfMatch(State.WAITING)
    reason = "the database can only be read" if playouts is None else playouts.reason(match, log.sha256)
    return PlayoutsOfMatch(State.IMPOSSIBLE, reason) if reason else PlayoutsOfMatch(State.NOT_ASKED)
