"""Recording sessions over HTTP: matches entered at a table, or played against programs and other people.

The rules decide what is allowed, and every entry is on disk before its request is answered. In a match against
programs or people, a cookie holds the key to a browser's seats. The browser receives nothing that is secret to them.
"""

import gzip
import io
import re
import secrets
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from dashboards.queries.addresses import url
from dashboards.replay.branch_document import DocumentError, read_action
from dashboards.replay.scenes import Checked, checked
from dashboards.replay.session import Draft, HandedIn, as_setup
from dashboards.replay.session_view import Look, Who
from dashboards.replay.sessions import NotYours
from dashboards.web.access import Scope, caller, connection, needs, note, require
from dashboards.web.draft_models import (
    KEY,
    STATE,
    TAG,
    TEXT,
    Asked,
    Entered,
    ListedRecord,
    Record,
    RecordList,
    Seat,
    SetUp,
    Taken,
    Undone,
    Whole,
)
from dashboards.web.refusals import API, Refused
from dashboards.web.replay import answer_file, knows
from dashboards.web.routing import NO_STORE, UNCHANGED, Services, as_body, at_most, limited, refusals
from himalaya_core.games import title_of
from himalaya_core.notation import NotationError, read
from himalaya_core.winprob.review import names_in
from ingest.people.drafts import ListedDraft, list_drafts, remove_draft

__all__ = ["routes"]

RECORDS: Final = f"{API}/records"
RECORD: Final = "/{record}"
SMALL: Final = 16 << 10
MOST_BYTES: Final = 64 << 10
"""Maximum size of a request body with an entry, in bytes. The longest entry lists the blocks of a tower."""
MOVES: Final = 600
"""Maximum number of entries, checks and undos per caller and minute."""
CHANGES: Final = 120
"""Maximum number of sessions begun, removed or submitted and of seats claimed, per caller and minute."""
KEPT_FOR: Final = 90 * 24 * 3600
"""Lifetime in seconds of the cookie with the key to a browser's seats."""
REFUSED: Final = {
    400: "The body is not a JSON object with these fields",
    401: "A token is required, or the one sent is unknown",
    403: "The role does not allow this, or the seat is another's; or a request without a token came from another site",
    404: "There is no such recording session",
    409: "The session was changed meanwhile, or its state does not allow this; the message says what happened",
    413: "The body is too large",
    415: "The Content-Type is not JSON",
    422: "Something is not allowed; the message says what was expected, and nothing was changed",
    429: "Too many requests within a minute",
    503: "Nothing can be read or written at present",
}
THERE: Final = {status: REFUSED[status] for status in (404, 422, 503)}


def routes(services: Services) -> APIRouter:
    """Return the routes of recording sessions."""
    api, drafts = APIRouter(prefix=RECORDS, default_response_class=Response), services.drafts
    _add_reading(api, services)
    moves = [limited(MOVES), at_most(MOST_BYTES)]

    @api.post(
        f"{RECORD}/actions",
        operation_id="enterAction",
        summary="Enter an action or a result of chance",
        description="Send an `action`, a `text` in the notation of the game, or `draw` to let the server draw the "
        "result. The entry is on disk before the answer.",
        dependencies=moves,
        responses={200: STATE, **refusals(REFUSED)},
    )
    @needs(Scope.WRITE)
    def act(record: str, entered: Entered, seat: Seat = None) -> Response:
        fields = entered.given()
        expects = _number(fields.pop("expects", None), "expects")
        if len(fields) != 1 or fields.get("draw", True) is not True:
            raise Refused(HTTPStatus.BAD_REQUEST, "body: send expects and one of action, text and draw: true")
        with drafts.opened(record) as draft:
            look = _look(draft, seat)
            if "draw" in fields:
                drafts.draw(look, expects)
            else:
                drafts.enter(look, expects, lambda look: _chosen(look, fields))
            return _state(services, _look(draft, seat))

    @api.post(
        f"{RECORD}/undo",
        operation_id="undoEntries",
        summary="Undo entries, back to a number of them",
        description="If the server draws results, this goes back to a choice; with programs, to a choice of a person. "
        "A match against other people cannot be undone.",
        dependencies=moves,
        responses={200: STATE, **refusals(REFUSED)},
    )
    @needs(Scope.WRITE)
    def undo(record: str, undone: Undone, seat: Seat = None) -> Response:
        expects, to = _number(undone.expects, "expects"), _number(undone.to, "to")
        with drafts.opened(record) as draft:
            drafts.undo(_look(draft, seat), expects, to)
            return _state(services, _look(draft, seat))

    @api.post(
        f"{RECORD}/check",
        operation_id="checkRecordAction",
        summary="Check whether an action is allowed now; if not, say why",
        response_class=JSONResponse,
        dependencies=[NO_STORE, *moves],
        responses=refusals(REFUSED),
    )
    @needs(Scope.READ)
    def check(record: str, sent: Asked, seat: Seat = None) -> Checked:
        fields = sent.given()
        if len(fields) != 1:
            raise Refused(HTTPStatus.BAD_REQUEST, "body: send either action or text")
        with drafts.opened(record) as draft:
            return _checked(_look(draft, seat), fields)

    _add_changes(api, services)
    return api


def _add_reading(api: APIRouter, services: Services) -> None:
    """Add the routes that only read sessions."""
    drafts = services.drafts

    @api.get(
        "",
        operation_id="listRecords",
        summary="List recording sessions, the last changed first",
        response_class=JSONResponse,
        dependencies=[NO_STORE],
        responses=refusals({503: REFUSED[503]}),
    )
    def find() -> RecordList:
        with services.reader.app() as store:
            return RecordList([_listed(each) for each in list_drafts(store)])

    @api.get(
        RECORD,
        operation_id="showRecord",
        summary="Get a recording session, as the caller may see it",
        description="Each request lets programs decide that are due.",
        responses={
            200: {"model": Record, "description": "The session", "headers": TAG},
            304: UNCHANGED,
            **refusals(THERE, {400: "There is no such seat"}),
        },
    )
    def show(record: str, seat: Seat = None) -> Response:
        with drafts.opened(record) as draft:
            look = _look(draft, seat)
            tag = f'"{look.tag(_woken(services, draft))}"'
            is_known = knows(tag)
            answer = Response(status_code=HTTPStatus.NOT_MODIFIED) if is_known else _state(services, look)
        answer.headers["ETag"] = tag
        answer.headers["Cache-Control"] = "private, no-cache"
        return answer

    @api.get(
        f"{RECORD}/log.jsonl",
        operation_id="recordLog",
        summary="Download the log of a session, up to the first secret",
        responses={200: as_body("The log", TEXT, "application/jsonl"), **refusals(THERE)},
    )
    def log(record: str, seat: Seat = None) -> Response:
        with drafts.opened(record) as draft:
            return answer_file(_look(draft, seat).log(), "application/jsonl", f"{draft.match}.jsonl")

    @api.get(
        f"{RECORD}/notation.txt",
        operation_id="recordNotation",
        summary="Download a session in the notation of paper records, up to the first secret",
        responses={200: as_body("The notation, as `himalaya record` reads it", TEXT, "text/plain"), **refusals(THERE)},
    )
    def notation(record: str, seat: Seat = None) -> Response:
        with drafts.opened(record) as draft:
            return answer_file(_look(draft, seat).notation(), "text/plain", f"{draft.match}.txt")


def _add_changes(api: APIRouter, services: Services) -> None:
    """Add the routes that begin, submit or remove a session or claim a seat."""
    drafts, intake, rate = services.drafts, services.intake, limited(CHANGES)

    @api.post(
        "",
        status_code=HTTPStatus.CREATED,
        operation_id="beginRecord",
        summary="Begin a recording session",
        description="With people only, it is a match at a table: callers with the scope `write` enter for all seats. "
        "With programs, open seats or claimed seats it is a match in play: a browser decides for seats if it has "
        "their key, and secret choices stay secret until they are revealed.",
        dependencies=[rate, at_most(MOST_BYTES)],
        responses={
            201: {**STATE, "headers": KEY},
            **refusals({status: why for status, why in REFUSED.items() if status != HTTPStatus.NOT_FOUND}),
        },
    )
    @needs(Scope.WRITE)
    def begin(setup: SetUp) -> Response:
        seats = setup.seats
        if isinstance(seats, list) and any(isinstance(seat, dict) and seat.get("program") for seat in seats):
            require(Scope.RUN)
        key = secrets.token_urlsafe(32)
        number = drafts.begin(setup.given("title", "take"), setup.title, _seats(setup.take), _who(key), key)
        note("begin record", number)
        with drafts.opened(number) as draft:
            answer = _state(services, Look(draft, _who(key)))
        answer.status_code = HTTPStatus.CREATED
        answer.headers["Location"] = url(f"{RECORDS}/{number}")
        return _with_key(answer, number, key) if setup.take else answer

    @api.post(
        f"{RECORD}/seats",
        operation_id="takeSeat",
        summary="Claim a seat of a match in play",
        dependencies=[rate, at_most(SMALL)],
        responses={200: {**STATE, "headers": KEY}, **refusals(REFUSED)},
    )
    @needs(Scope.WRITE)
    def take(record: str, taken: Taken, seat: Seat = None) -> Response:
        key = connection().cookies.get(_cookie()) or secrets.token_urlsafe(32)
        with drafts.opened(record) as draft:
            drafts.take(_look(draft, seat), _number(taken.seat, "seat"), taken.name, key)
            answer = _state(services, Look(draft, _who(key)))
        note("take seat", record)
        return _with_key(answer, record, key)

    @api.post(
        f"{RECORD}/hand-in",
        operation_id="handIn",
        summary="Submit the match as a log",
        description="A match at a table can be submitted at any time, and again after further entries; a match in play "
        "once it is over.",
        dependencies=[rate, at_most(SMALL)],
        responses={200: STATE, **refusals(REFUSED, {507: "The disk is full"})},
    )
    @needs(Scope.SEND, by_pages=True)
    def hand_in(record: str, whole: Whole, seat: Seat = None) -> Response:
        expects = _number(whole.expects, "expects")

        def send(log: bytes) -> str:
            intake.require_room()
            return intake.receive(io.BytesIO(log), source=caller().name).receipt

        with drafts.opened(record) as draft:
            drafts.hand_in(_look(draft, seat), expects, send)
            answer = _state(services, _look(draft, seat))
        note("hand in", record)
        return answer

    @api.delete(
        RECORD,
        operation_id="removeRecord",
        summary="Remove a recording session",
        response_class=JSONResponse,
        dependencies=[NO_STORE, rate],
        responses=refusals({status: REFUSED[status] for status in (401, 403, 404, 429, 503)}),
    )
    @needs(Scope.WRITE)
    def remove(record: str) -> ListedRecord:
        removed = remove_draft(drafts.warehouse.app, record)
        note("remove record", record)
        return _listed(removed)


def _look(draft: Draft, seat: str | None) -> Look:
    most = len(draft.seats) - 1
    if seat is not None and (not re.fullmatch("[0-9]", seat) or int(seat) > most):
        raise Refused(HTTPStatus.BAD_REQUEST, f"seat: this match has seats 0 to {most}, not {seat[:40]!r}")
    return Look(draft, _who(connection().cookies.get(_cookie())), None if seat is None else int(seat))


def _who(key: str | None) -> Who:
    who = caller()
    return Who(who.name, Scope.WRITE in who.scopes, None if key is None else sha256(key.encode()).hexdigest())


def _chosen(look: Look, body: dict[str, Any]) -> Any:
    """Parse a request body into an action. If a text names no seat, the seat that chooses next is meant."""
    draft = look.draft
    if "action" in body:
        if not isinstance(body["action"], dict):
            raise DocumentError("action: send a JSON object")
        return read_action(draft.game, body["action"])
    text = body["text"]
    if not isinstance(text, str):
        raise DocumentError("text: send an action in the notation of the game, as a string")
    try:
        return read(draft.game, draft.state, text, look.turn)
    except NotationError as error:
        raise DocumentError(str(error)) from None


def _checked(look: Look, body: dict[str, Any]) -> Checked:
    """Check whether an action is allowed now; raises `NotYours` for another person's seat."""
    draft = look.draft
    try:
        action = _chosen(look, body)
    except DocumentError as error:
        return Checked(legal=False, message=str(error))
    seat = getattr(action, "seat", None)
    if seat is not None and seat in range(len(draft.seats)) and seat not in look.own:
        raise NotYours(f"seat {seat + 1} is not yours; check an action of your own seat")
    return checked(draft.game, draft.state, action, names_in(draft.replay))


def _seats(value: Any) -> list[int]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise Refused(HTTPStatus.BAD_REQUEST, "take: send a list of seats, from 0")
    return [_number(each, "take") for each in value]


def _number(value: Any, name: str) -> int:
    if type(value) is not int:
        found = "none" if value is None else str(value)[:40]
        raise Refused(HTTPStatus.BAD_REQUEST, f"{name}: expected a whole number, found {found}")
    return value


def _woken(services: Services, draft: Draft) -> str | None:
    """If it is a program's turn, let it decide. Return the problem if it already failed in this position."""
    if services.programs is None:
        return None
    services.programs.wake(draft)
    return services.programs.problem(draft)


def _state(services: Services, look: Look) -> Response:
    """Answer with a session and its ETag, which clients send back to skip a state that they already have."""
    problem = _woken(services, look.draft)
    packed = look.packed(problem)
    headers = {"Vary": "Cookie", "Cache-Control": "no-store", "ETag": f'"{look.tag(problem)}"'}
    if "gzip" not in connection().headers.get("Accept-Encoding", ""):
        return Response(gzip.decompress(packed), headers=headers, media_type="application/json")
    headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding, Cookie"}
    return Response(packed, headers=headers, media_type="application/json")


def _cookie() -> str:
    """Return the name of the cookie with the key to seats; the prefix `__Secure-` restricts it to TLS."""
    return "__Secure-himalaya-seats" if connection().url.is_secure else "himalaya-seats"


def _with_key(answer: Response, number: str, key: str) -> Response:
    answer.set_cookie(
        _cookie(),
        key,
        max_age=KEPT_FOR,
        path=url(f"{RECORDS}/{number}"),
        secure=connection().url.is_secure,
        httponly=True,
        samesite="strict",
    )
    return answer


def _listed(found: ListedDraft) -> ListedRecord:
    draft, setup = found.draft, as_setup(found.draft.setup)
    players = list(setup.names)
    for each in found.taken:
        players[each["take"]] = each["name"]
    handed_in = None if found.handed_in is None else HandedIn(**found.handed_in)
    times = (draft.made_at, found.changed_at)
    return ListedRecord(
        draft.id,
        draft.game,
        title_of(draft.game),
        draft.title,
        players,
        draft.made_by,
        *times,
        found.entries,
        found.is_over,
        handed_in,
    )
