"""Matches that are being recorded over HTTP: entered at a table, or played against programs and others.

The rules decide what is allowed, and every entry is on the disk before it is answered. In play a browser has a cookie
with a key to its seats, and is sent nothing that is secret to them.
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

from dashboards.boards.seats import names_of
from dashboards.replay.branch_document import DocumentError, read_action
from dashboards.replay.checking import Checked, checked
from dashboards.replay.draft import Draft, HandedIn
from dashboards.replay.draft_look import Look, Who
from dashboards.replay.draft_setup import as_setup
from dashboards.replay.drafts import NotYours
from dashboards.warehouse.addresses import url
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
from dashboards.web.replayed import answer_file, knows
from dashboards.web.routing import NO_STORE, UNCHANGED, as_body, at_most, limited, refusals
from dashboards.web.services import Services
from himalaya_core.notation import NotationError, read
from ingest.people.drafts import ListedDraft, list_drafts, remove_draft

__all__ = ["routes"]

RECORDS: Final = f"{API}/records"
RECORD: Final = "/{record}"
SMALL: Final = 16 << 10
MOST_BYTES: Final = 64 << 10
"""Of a body with an entry; a tower of blocks is the longest."""
MOVES: Final = 600
"""Entries, checks and undos of one address in a minute."""
CHANGES: Final = 120
"""Matches that one address begins, removes or hands in, and seats that it takes, in a minute."""
KEPT_FOR: Final = 90 * 24 * 3600
"""Seconds for which a browser keeps the key to its seats."""
REFUSED: Final = {
    400: "The body is not a JSON object with these fields",
    401: "A token is needed, or the one sent is unknown to this server",
    403: "The token is not for that, or the choice is another's; or without a token, it came from another site",
    404: "No match of that id is being recorded",
    409: "Somebody was faster, or it cannot be done as the match stands; the message says what happened",
    413: "The body is too large",
    415: "The Content-Type is not JSON",
    422: "What is not allowed, and what was expected; nothing was changed",
    429: "Too many requests within a minute",
    503: "Nothing can be read or written at present",
}
THERE: Final = {status: REFUSED[status] for status in (404, 422, 503)}


def routes(services: Services) -> APIRouter:
    """Return the routes of matches that are being recorded."""
    api, drafts = APIRouter(prefix=RECORDS, default_response_class=Response), services.drafts
    _add_reading(api, services)
    moves = [limited(MOVES), at_most(MOST_BYTES)]

    @api.post(
        f"{RECORD}/actions",
        operation_id="enterAction",
        summary="Enter what was chosen, or what fell",
        description="As an action, as a text in the notation of the game, or `draw`: the server says what falls. It is "
        "on the disk when it is answered.",
        dependencies=moves,
        responses={200: STATE, **refusals(REFUSED)},
    )
    @needs(Scope.WRITE)
    def act(record: str, entered: Entered, seat: Seat = None) -> Response:
        said = entered.said()
        expects = _number(said.pop("expects", None), "expects")
        if len(said) != 1 or said.get("draw", True) is not True:
            raise Refused(HTTPStatus.BAD_REQUEST, "body: expected expects and one of action, text, and draw: true")
        with drafts.opened(record) as draft:
            look = _look(draft, seat)
            if "draw" in said:
                drafts.draw(look, expects)
            else:
                drafts.enter(look, expects, lambda look: _chosen(look, said))
            return _state(services, _look(draft, seat))

    @api.post(
        f"{RECORD}/undo",
        operation_id="undoEntries",
        summary="Go back to so many entries",
        description="Where dice are drawn it goes back to a choice, with programs to one of a person. A match against "
        "others is not taken back.",
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
        summary="Ask whether an action is allowed now, and if not, why",
        response_class=JSONResponse,
        dependencies=[NO_STORE, *moves],
        responses=refusals(REFUSED),
    )
    @needs(Scope.READ)
    def check(record: str, asked: Asked, seat: Seat = None) -> Checked:
        said = asked.said()
        if len(said) != 1:
            raise Refused(HTTPStatus.BAD_REQUEST, "body: expected one of action and text")
        with drafts.opened(record) as draft:
            return _checked(_look(draft, seat), said)

    _add_changes(api, services)
    return api


def _add_reading(api: APIRouter, services: Services) -> None:
    """Add the routes that read."""
    drafts = services.drafts

    @api.get(
        "",
        operation_id="listRecords",
        summary="Matches that are being recorded, the one that was changed last first",
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
        summary="A match that is being recorded, as whoever asks may see it",
        description="Programs that are due go on while somebody asks.",
        responses={
            200: {"model": Record, "description": "It", "headers": TAG},
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
        summary="A match that is being recorded as a log, as far as nothing in it is secret",
        responses={200: as_body("The log", TEXT, "application/jsonl"), **refusals(THERE)},
    )
    def log(record: str, seat: Seat = None) -> Response:
        with drafts.opened(record) as draft:
            return answer_file(_look(draft, seat).log(), "application/jsonl", f"{draft.match}.jsonl")

    @api.get(
        f"{RECORD}/notation.txt",
        operation_id="recordNotation",
        summary="A match that is being recorded on paper, as far as nothing in it is secret",
        responses={200: as_body("As `himalaya record` reads it", TEXT, "text/plain"), **refusals(THERE)},
    )
    def notation(record: str, seat: Seat = None) -> Response:
        with drafts.opened(record) as draft:
            return answer_file(_look(draft, seat).notation(), "text/plain", f"{draft.match}.txt")


def _add_changes(api: APIRouter, services: Services) -> None:
    """Add what is done now and then: a match begun, a seat taken, the match handed in or removed."""
    drafts, intake, rate = services.drafts, services.intake, limited(CHANGES)

    @api.post(
        "",
        status_code=HTTPStatus.CREATED,
        operation_id="beginRecord",
        summary="Begin to record a match",
        description="Of persons alone it is one at a table: whoever may write enters for all. With programs, open "
        "seats or seats to take it is one in play: a browser decides for the seats that it has a key to, and what is "
        "chosen in secret stays secret until it is revealed.",
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
        number = drafts.begin(setup.said("title", "take"), setup.title, _seats(setup.take), _who(key), key)
        note("begin record", number)
        with drafts.opened(number) as draft:
            answer = _state(services, Look(draft, _who(key)))
        answer.status_code = HTTPStatus.CREATED
        answer.headers["Location"] = url(f"{RECORDS}/{number}")
        return _with_key(answer, number, key) if setup.take else answer

    @api.post(
        f"{RECORD}/seats",
        operation_id="takeSeat",
        summary="Take a seat of a match in play",
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
        summary="Hand the match in as a log, like any other",
        description="At a table at any time, and again once more was entered; in play when it is over.",
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
        summary="Remove a match that is being recorded",
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
        raise Refused(HTTPStatus.BAD_REQUEST, f"seat: expected 0 to {most}, found {seat[:40]!r}")
    return Look(draft, _who(connection().cookies.get(_cookie())), None if seat is None else int(seat))


def _who(key: str | None) -> Who:
    who = caller()
    return Who(who.name, Scope.WRITE in who.scopes, None if key is None else sha256(key.encode()).hexdigest())


def _chosen(look: Look, body: dict[str, Any]) -> Any:
    """Return the action that a body says; a text is that of the seat whose choices were told, if it names none."""
    draft = look.draft
    if "action" in body:
        if not isinstance(body["action"], dict):
            raise DocumentError("action: expected an object, found something else")
        return read_action(draft.game, body["action"])
    text = body["text"]
    if not isinstance(text, str):
        raise DocumentError("text: expected an action in the notation of the game, found no text")
    try:
        return read(draft.game, draft.state, text, look.turn)
    except NotationError as error:
        raise DocumentError(str(error)) from None


def _checked(look: Look, body: dict[str, Any]) -> Checked:
    """Return whether an action is allowed now; of another's seat nothing is told."""
    draft = look.draft
    try:
        action = _chosen(look, body)
    except DocumentError as error:
        return Checked(legal=False, message=str(error))
    seat = getattr(action, "seat", None)
    if seat is not None and seat in range(len(draft.seats)) and seat not in look.own:
        raise NotYours(f"expected an action of a seat of your own, found seat {seat + 1}")
    return checked(draft.game, draft.state, action, names_of(draft.replay.header))


def _seats(said: Any) -> list[int]:
    if said is None:
        return []
    if not isinstance(said, list):
        raise Refused(HTTPStatus.BAD_REQUEST, "take: expected a list of seats, from 0")
    return [_number(each, "take") for each in said]


def _number(said: Any, name: str) -> int:
    if type(said) is not int:
        raise Refused(HTTPStatus.BAD_REQUEST, f"{name}: expected a whole number, found {str(said)[:40]}")
    return said


def _woken(services: Services, draft: Draft) -> str | None:
    """Have a program decide that is due; return why it does not."""
    if services.programs is None:
        return None
    services.programs.wake(draft)
    return services.programs.problem(draft)


def _state(services: Services, look: Look) -> Response:
    """Answer with a match; whoever has followed it knows by the tag that this is what there is."""
    problem = _woken(services, look.draft)
    packed = look.packed(problem)
    headers = {"Vary": "Cookie", "Cache-Control": "no-store", "ETag": f'"{look.tag(problem)}"'}
    if "gzip" not in connection().headers.get("Accept-Encoding", ""):
        return Response(gzip.decompress(packed), headers=headers, media_type="application/json")
    headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding, Cookie"}
    return Response(packed, headers=headers, media_type="application/json")


def _cookie() -> str:
    """Return the name of the cookie with the key to seats; over TLS a browser takes it over TLS alone."""
    return "__Secure-himalaya-seats" if connection().url.is_secure else "himalaya-seats"


def _with_key(answer: Response, number: str, key: str) -> Response:
    answer.set_cookie(
        _cookie(),
        key,
        max_age=KEPT_FOR,
        path=f"{RECORDS}/{number}",
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
        draft.id, draft.game, draft.title, players, draft.made_by, *times, found.entries, found.is_over, handed_in
    )
