"""A branch and its match played out many times while one watches: JSON Lines, until all is done or nobody is there."""

import threading
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, request

from dashboards.http.access import GONE, Refused, Scope, caller, needs, note
from dashboards.http.bodies import json_object
from dashboards.http.branches import BRANCH, found, refusing, tried_on, viewing
from dashboards.http.openapi.branches import PLAYOUTS
from dashboards.http.openapi.described import served
from dashboards.http.rates import Rate
from dashboards.http.replay import log_of
from dashboards.replay.branch_document import read_record
from dashboards.replay.branch_playing import Playing
from dashboards.replay.branches import PlayOut
from dashboards.warehouse.reader import Reader
from ingest.warehouse import Warehouse

__all__ = ["register"]

RATE: Final = 30
"""Branches that one address has played out in a minute."""
AT_ONCE: Final = 2
"""Of all callers: each takes a thread of the server, and the processors."""


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


def register(server: Flask, warehouse: Warehouse) -> None:
    """Add the route."""
    reader, tried, rate, jobs = Reader(warehouse), tried_on(server), Rate(RATE), _Jobs()

    @served(server, "POST", f"{BRANCH}/playouts", PLAYOUTS)
    @needs(Scope.RUN)
    def play_out(branch: str) -> Response:
        who = caller().key
        rate.count(who)
        body = json_object({"samples", "players"})
        document, _ = found(reader, tried, branch)
        with refusing():
            asked = read_record(PlayOut, body)
            log = log_of(reader, document.match)
            what = tried.to_play_out(log, document, asked, viewing(log))
        jobs.begin(who)
        note("play out branch", branch)
        answer = Response(_lines(what, request.environ.get(GONE)), mimetype="application/jsonl")
        answer.headers["Cache-Control"] = "no-store"
        answer.call_on_close(lambda: jobs.end(who))
        return answer


def _lines(what: dict[str, Any], gone: threading.Event | None) -> Iterator[bytes]:
    yield from Playing(what).lines(gone)
