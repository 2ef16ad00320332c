"""Matches that are being recorded over HTTP: entered at a table, or played against programs and others.

The rules decide what is allowed, and every entry is on the disk before it is answered. In play a browser has a cookie
with a key to its seats, and is sent nothing that is secret to them.
"""

import gzip
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, current_app, request

from dashboards.boards.seats import names_of
from dashboards.http.access import Refused, Scope, caller, needs, note, require
from dashboards.http.bodies import accepting, json_object
from dashboards.http.kept import keeping, record_answer
from dashboards.http.openapi import drafts as operations
from dashboards.http.openapi.described import API, said, served
from dashboards.http.openapi.drafts import ListedRecord, RecordList
from dashboards.http.rates import Rate
from dashboards.http.replay import reading_or_said
from dashboards.http.uncollected import uncollected
from dashboards.replay.branch_document import DocumentError, read_action
from dashboards.replay.checking import Checked, checked
from dashboards.replay.draft import Draft, HandedIn
from dashboards.replay.draft_look import Look, Who
from dashboards.replay.draft_programs import Programs
from dashboards.replay.draft_setup import as_setup
from dashboards.replay.drafts import Drafts, NotNow, NotYours, Outrun
from dashboards.warehouse.reader import Reader
from himalaya_core.notation import NotationError, read
from himalaya_core.recording import RecordingError
from ingest.people.drafts import ListedDraft, list_drafts, remove_draft
from ingest.receive.receive import Intake
from ingest.warehouse import Warehouse

__all__ = ["close_programs", "register", "register_writing"]

RECORDS: Final = f"{API}/records"
RECORD: Final = f"{RECORDS}/<record>"
MOST_BYTES: Final = 64 << 10
"""Of a body; a tower of blocks is the longest that is entered."""
MOVES: Final = 600
"""Entries, checks and undos of one address in a minute."""
CHANGES: Final = 120
"""Matches that one address begins, removes or hands in, and seats that it takes, in a minute."""
DRAFTS: Final = "matches that are being recorded"
"""Under which a server has them."""
PROGRAMS: Final = "programs in matches that are being recorded"
"""Under which it has these, if it writes."""
KEPT_FOR: Final = 90 * 24 * 3600
"""Seconds for which a browser keeps the key to its seats."""
SETUP: Final = set(operations.SETUP)


def drafts_on(server: Flask, warehouse: Warehouse) -> Drafts:
    """Return the drafts of a server."""
    found: Drafts = server.extensions.setdefault(DRAFTS, Drafts(warehouse))
    return found


def register(server: Flask, reader: Reader) -> None:
    """Add the routes that read."""
    drafts = drafts_on(server, reader.warehouse)

    @served(server, "GET", RECORDS, operations.LIST)
    def find() -> Response:
        with reading_or_said(), reader.app() as store:
            found = list_drafts(store)
        return record_answer(RecordList([_listed(each) for each in found]))

    @served(server, "GET", RECORD, operations.SHOW)
    def show(record: str) -> Response:
        with uncollected(), refusing(), drafts.opened(record) as draft:
            look = _look(draft)
            problem = _woken(draft)
            tag = look.tag(problem)
            is_known = tag in request.if_none_match
            answer = Response(status=HTTPStatus.NOT_MODIFIED) if is_known else _state(look)
        answer.set_etag(tag)
        answer.headers["Cache-Control"] = "private, no-cache"
        return answer

    @served(server, "GET", f"{RECORD}/log.jsonl", operations.LOG)
    def log(record: str) -> Response:
        with refusing(), drafts.opened(record) as draft:
            return _file(_look(draft).log(), "application/jsonl", f"{draft.match}.jsonl")

    @served(server, "GET", f"{RECORD}/notation.txt", operations.NOTATION)
    def notation(record: str) -> Response:
        with refusing(), drafts.opened(record) as draft:
            return _file(_look(draft).notation().encode(), "text/plain", f"{draft.match}.txt")


def register_writing(server: Flask, warehouse: Warehouse, intake: Intake) -> None:
    """Add the routes that write."""
    drafts = drafts_on(server, warehouse)
    if not warehouse.read_only:
        server.extensions[PROGRAMS] = Programs(drafts)
    _register_moves(server, drafts)
    _register_changes(server, drafts, intake)


def close_programs(server: Flask) -> None:
    """End the thinking of programs; it is gone on with once somebody looks at their match."""
    if PROGRAMS in server.extensions:
        server.extensions[PROGRAMS].close()


def _register_moves(server: Flask, drafts: Drafts) -> None:
    """Add what is done all the time: entries, checks, and undo."""
    moves = Rate(MOVES)

    @served(server, "POST", f"{RECORD}/actions", operations.ACT)
    @needs(Scope.WRITE)
    def act(record: str) -> Response:
        moves.count(caller().key)
        body = json_object({"expects", "action", "text", "draw"}, MOST_BYTES)
        expects = _number(body.pop("expects", None), "expects")
        if len(body) != 1 or body.get("draw", True) is not True:
            raise Refused(HTTPStatus.BAD_REQUEST, "body: expected expects and one of action, text, and draw: true")
        with uncollected(), refusing(), drafts.opened(record) as draft:
            look = _look(draft)
            if "draw" in body:
                drafts.draw(look, expects)
            else:
                drafts.enter(look, expects, lambda look: _chosen(look, body))
            return _state(_look(draft))

    @served(server, "POST", f"{RECORD}/undo", operations.UNDO)
    @needs(Scope.WRITE)
    def undo(record: str) -> Response:
        moves.count(caller().key)
        body = json_object({"expects", "to"})
        expects, to = _number(body.get("expects"), "expects"), _number(body.get("to"), "to")
        with uncollected(), refusing(), drafts.opened(record) as draft:
            drafts.undo(_look(draft), expects, to)
            return _state(_look(draft))

    @served(server, "POST", f"{RECORD}/check", operations.CHECK)
    @needs(Scope.READ)
    def check(record: str) -> Response:
        moves.count(caller().key)
        body = json_object({"action", "text"}, MOST_BYTES)
        if len(body) != 1:
            raise Refused(HTTPStatus.BAD_REQUEST, "body: expected one of action and text")
        with refusing(), drafts.opened(record) as draft:
            found = _checked(_look(draft), body)
        return record_answer(found)


def _register_changes(server: Flask, drafts: Drafts, intake: Intake) -> None:
    """Add what is done now and then: a match begun, a seat taken, the match handed in or removed."""
    changes = Rate(CHANGES)

    @served(server, "POST", RECORDS, operations.BEGIN)
    @needs(Scope.WRITE)
    def begin() -> Response:
        changes.count(caller().key)
        body = json_object(SETUP, MOST_BYTES)
        title, take = body.pop("title", None), body.pop("take", None)
        seats = body.get("seats")
        if isinstance(seats, list) and any(isinstance(seat, dict) and seat.get("program") for seat in seats):
            require(Scope.RUN)
        key = secrets.token_urlsafe(32)
        with refusing():
            number = drafts.begin(body, title, _seats(take), _who(key), key)
            note("begin record", number)
            with drafts.opened(number) as draft:
                answer = _state(Look(draft, _who(key)))
        answer.status_code = HTTPStatus.CREATED
        answer.headers["Location"] = f"{RECORDS}/{number}"
        return _with_key(answer, number, key) if take else answer

    @served(server, "POST", f"{RECORD}/seats", operations.TAKE)
    @needs(Scope.WRITE)
    def take(record: str) -> Response:
        changes.count(caller().key)
        body = json_object({"seat", "name"})
        key = request.cookies.get(_cookie()) or secrets.token_urlsafe(32)
        with refusing(), drafts.opened(record) as draft:
            drafts.take(_look(draft), _number(body.get("seat"), "seat"), body.get("name"), key)
            answer = _state(Look(draft, _who(key)))
        note("take seat", record)
        return _with_key(answer, record, key)

    @served(server, "POST", f"{RECORD}/hand-in", operations.HAND_IN)
    @needs(Scope.SEND, by_pages=True)
    def hand_in(record: str) -> Response:
        changes.count(caller().key)
        expects = _number(json_object({"expects"}).get("expects"), "expects")

        def send(log: bytes) -> str:
            with accepting():
                intake.require_room()
                return intake.receive(_Body(log), source=caller().name).receipt

        with refusing(), drafts.opened(record) as draft:
            drafts.hand_in(_look(draft), expects, send)
            answer = _state(_look(draft))
        note("hand in", record)
        return answer

    @served(server, "DELETE", RECORD, operations.REMOVE)
    @needs(Scope.WRITE)
    def remove(record: str) -> Response:
        changes.count(caller().key)
        with refusing():
            removed = remove_draft(drafts.warehouse.app, record)
        note("remove record", record)
        return record_answer(_listed(removed))


class _Body:
    """A log that is sent from here."""

    def __init__(self, log: bytes) -> None:
        self._left = log

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most so many."""
        found, self._left = self._left[:size], self._left[size:]
        return found


@contextmanager
def refusing() -> Iterator[None]:
    """Say why within the block something is not found or not done."""
    try:
        with keeping(), reading_or_said():
            yield
    except NotYours as error:
        raise Refused(HTTPStatus.FORBIDDEN, str(error)) from None
    except (NotNow, Outrun) as error:
        raise Refused(HTTPStatus.CONFLICT, str(error)) from None
    except (DocumentError, RecordingError) as error:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None


def _look(draft: Draft) -> Look:
    asked, most = said(operations.SEAT), len(draft.seats) - 1
    if asked is not None and (not re.fullmatch("[0-9]", asked) or int(asked) > most):
        raise Refused(HTTPStatus.BAD_REQUEST, f"seat: expected 0 to {most}, found {asked[:40]!r}")
    return Look(draft, _who(request.cookies.get(_cookie())), None if asked is None else int(asked))


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


def _woken(draft: Draft) -> str | None:
    """Have a program decide that is due; return why it does not."""
    programs = current_app.extensions.get(PROGRAMS)
    if programs is None:
        return None
    programs.wake(draft)
    why: str | None = programs.problem(draft)
    return why


def _state(look: Look) -> Response:
    """Answer with a match; whoever has followed it knows by the tag that this is what there is."""
    problem = _woken(look.draft)
    packed = look.packed(problem)
    answer = Response(mimetype="application/json")
    wants_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    if wants_gzip:
        answer.headers["Content-Encoding"] = "gzip"
    answer.set_data(packed if wants_gzip else gzip.decompress(packed))
    answer.vary.update(("Accept-Encoding", "Cookie"))
    answer.headers["Cache-Control"] = "no-store"
    answer.set_etag(look.tag(problem))
    return answer


def _cookie() -> str:
    """Return the name of the cookie with the key to seats; over TLS a browser takes it over TLS alone."""
    return "__Secure-himalaya-seats" if request.is_secure else "himalaya-seats"


def _with_key(answer: Response, number: str, key: str) -> Response:
    answer.set_cookie(
        _cookie(),
        key,
        max_age=KEPT_FOR,
        path=f"{RECORDS}/{number}",
        secure=request.is_secure,
        httponly=True,
        samesite="Strict",
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


def _file(text: bytes, kind: str, name: str) -> Response:
    answer = Response(text, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.headers["Cache-Control"] = "no-store"
    return answer
