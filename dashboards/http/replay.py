"""The replay over plain HTTP: `/api/replay/<match>` is the scene to draw, beside it positions and the offline file."""

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from flask import Flask, Response, jsonify, request

from dashboards.boards.engine import DrawingError
from dashboards.boards.positions import frame_at, ply_names
from dashboards.boards.scene import NOBODY
from dashboards.games.analytics import analytics_of
from dashboards.http.openapi import replay as operations
from dashboards.http.openapi.described import Refusal, said, served
from dashboards.http.openapi.replay import NotReplayed, Opened, Position
from dashboards.http.upload import Unreplayed, register_drop
from dashboards.replay.bundle import PLAYER, register_bundles
from dashboards.replay.chances import chances_of
from dashboards.replay.offline import offline_name, offline_page
from dashboards.replay.origin import origin_of
from dashboards.replay.pictures import packed_picture, packed_png
from dashboards.replay.problems import problem
from dashboards.replay.reviews import packed_review
from dashboards.replay.same_seed import siblings
from dashboards.replay.scenes import ViewError, as_bytes, folded, pack, packed_scene, seat_of
from dashboards.warehouse.logs import has_match, is_live, match_lines, quarantined_lines, sound_lines
from dashboards.warehouse.reader import DatabaseError, Reader
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.show import shown

__all__ = ["ViewError", "log_of", "reading_or_said", "register", "seat_of"]

PAGE: Final = "/replay"
REPLAY: Final = "/api/replay/<match>"
MOST_PROBLEMS: Final = 20
OPENS_NOTHING: Final = (
    "Expected a match of a game in which a move opens places, and in `view` the seat to which it does."
)


def register(server: Flask, reader: Reader) -> None:
    """Add the routes to the server."""

    @served(server, "GET", REPLAY, operations.REPLAY)
    def replay_scene(match: str) -> Response:
        log = log_of(reader, match)
        with reading_or_said():
            live = is_live(reader, match)
        return _answer(*packed_scene(log, _view(), is_live=live))

    @served(server, "GET", f"{REPLAY}/position.json", operations.POSITION)
    def position_as_data(match: str) -> Response:
        replay, index, seat = _position(reader, match)
        state, entry = replay.states[index], replay.entries[index]
        name = ply_names([each.ply for each in replay.entries])[index]
        data = replay.game.position(state if seat is None else replay.game.view(state, seat))
        whose = NOBODY if seat is None else seat
        return _answer(*pack(as_bytes(asdict(Position(match, entry.seq, entry.ply, name, entry.round, whose, data)))))

    @served(server, "GET", f"{REPLAY}/position.txt", operations.POSITION_AS_TEXT)
    def position_as_text(match: str) -> Response:
        replay, index, seat = _position(reader, match)
        name = ply_names([each.ply for each in replay.entries])[index]
        return _answer(*pack(f"{shown(replay, index, seat, name)}\n".encode()), "text/plain")

    @served(server, "GET", f"{REPLAY}/opens", operations.OPENS)
    def opens(match: str) -> Response:
        replay, index, seat = _position(reader, match)
        find = analytics_of(replay.header.game).opens
        if find is None or seat is None:
            raise _PlyError(OPENS_NOTHING)
        return _answer(*pack(as_bytes(asdict(Opened(find(replay.states[index], seat))))))

    @served(server, "GET", f"{REPLAY}/same-luck", operations.SAME_SEED)
    def same_luck(match: str) -> dict[str, Any]:
        log_of(reader, match)
        with reading_or_said():
            return asdict(siblings(reader, match))

    @served(server, "GET", f"{REPLAY}/origin", operations.ORIGIN)
    def origin(match: str) -> dict[str, Any]:
        header = folded(log_of(reader, match)).header
        with reading_or_said():
            return asdict(origin_of(reader, match, header, said(operations.LIST)))

    @served(server, "GET", f"{REPLAY}/offline.html", operations.OFFLINE)
    def offline(match: str) -> Response:
        log, view = log_of(reader, match), _view()
        scene, found = (gzip.decompress(packed) for _, packed in (packed_scene(log, view), packed_review(log, view)))
        answer = _answer(*pack(offline_page(scene, found, None if view else log)), "text/html")
        answer.headers["Content-Disposition"] = f'attachment; filename="{offline_name(match, view)}"'
        return answer

    _register_chances(server, reader)
    _register_made(server, reader)
    register_bundles(server, _answer)
    register_drop(server)
    _register_refusals(server)

    @server.after_request
    def hint(answer: Response) -> Response:
        """Let the browser fetch the scene and the player while it still reads the page."""
        match = request.args.get("match")
        if request.path != PAGE or not match or answer.status_code != HTTPStatus.OK:
            return answer
        if _is_there(reader, match):
            view = f"?view={quote(request.args['view'], safe='')}" if "view" in request.args else ""
            scene = f"</api/replay/{quote(match, safe='')}{view}>; rel=preload; as=fetch; crossorigin"
            answer.headers["Link"] = f"{scene}, <{PLAYER}>; rel=modulepreload"
        return answer


def _register_chances(server: Flask, reader: Reader) -> None:
    """Add what a model of the chances of winning says of a match; nothing of it depends on who looks."""

    @served(server, "GET", f"{REPLAY}/chances", operations.CHANCES)
    def chances(match: str) -> Response:
        with reading_or_said():
            found = chances_of(reader, match, lambda: log_of(reader, match))
        return _answer(*pack(as_bytes(asdict(found))))


def _register_made(server: Flask, reader: Reader) -> None:
    """Add what is made from a log with some work: its review, and pictures."""

    @served(server, "GET", f"{REPLAY}/review", operations.REVIEW)
    def replay_review(match: str) -> Response:
        return _answer(*packed_review(log_of(reader, match), _view()))

    @served(server, "GET", f"{REPLAY}/board.svg", operations.PICTURE)
    def replay_picture(match: str) -> Response:
        theme, part = said(operations.THEME), said(operations.PART)
        log = log_of(reader, match)
        return _answer(*packed_picture(log, _view(), said(operations.AFTER), theme, part), "image/svg+xml")

    @served(server, "GET", f"{REPLAY}/board.png", operations.PICTURE_AS_PNG)
    def replay_png(match: str) -> Response:
        theme, part = said(operations.THEME), said(operations.PART)
        log = log_of(reader, match)
        return _answer(*packed_png(log, _view(), said(operations.AFTER), theme, part), "image/png")


def _register_refusals(server: Flask) -> None:
    """Say as JSON what stands in the way, on every route of the replay."""

    def refused(kind: type[Exception], status: HTTPStatus, sentence: Callable[[Any], str] = str) -> None:
        @server.errorhandler(kind)
        def answer(error: Exception) -> Response:
            return _refusal(Refusal(sentence(error)), status)

    refused(ViewError, HTTPStatus.BAD_REQUEST)
    refused(_PlyError, HTTPStatus.BAD_REQUEST)
    refused(_Unknown, HTTPStatus.NOT_FOUND)
    refused(_Unreadable, HTTPStatus.SERVICE_UNAVAILABLE)

    @server.errorhandler(ReplayError)
    def broken(error: ReplayError) -> Response:
        match = (request.view_args or {}).get("match")
        message = f"The match {match} cannot be replayed: {error}."
        return _refusal(NotReplayed(message, []), HTTPStatus.UNPROCESSABLE_ENTITY)

    @server.errorhandler(DrawingError)
    def not_drawn(error: DrawingError) -> Response:
        message = f"The position cannot be drawn: {str(error).splitlines()[0]}."
        return _refusal(NotReplayed(message, []), HTTPStatus.UNPROCESSABLE_ENTITY)

    @server.errorhandler(Unreplayed)
    def not_valid(error: Unreplayed) -> Response:
        return _refusal(NotReplayed(str(error), list(error.problems)), HTTPStatus.UNPROCESSABLE_ENTITY)


class _Unknown(Exception):
    """A match of a name that nothing has here."""


class _PlyError(ValueError):
    """A place in a match that is none."""


class _Unreadable(Exception):
    """A database that cannot be read; elsewhere in the app that is not said as JSON."""


@contextmanager
def reading_or_said() -> Iterator[None]:
    """Say as JSON that the database cannot be read, if it cannot within the block."""
    try:
        yield
    except DatabaseError as error:
        raise _Unreadable(str(error)) from None


def log_of(reader: Reader, match: str) -> bytes:
    """Return the log of a match, of one in quarantine what is sound; `Unreplayed` says why if that is nothing."""
    with reading_or_said():
        lines = match_lines(reader, match) or sound_lines(reader, match)
        if lines is not None:
            return b"".join(lines)
        quarantined = quarantined_lines(reader, match, MOST_PROBLEMS)
    if quarantined:
        problems = [problem(each.line, each.match, each.reason, each.message, each.file) for each in quarantined]
        raise Unreplayed(f"The match {match} is in quarantine: its log is not valid.", problems)
    raise _Unknown(f"There is no match {match} in this database.")


def _view() -> str | None:
    return said(operations.VIEW)


def _position(reader: Reader, match: str) -> tuple[Replay, int, int | None]:
    """Return the replay, the entry after which the position is that was asked for, and the seat that asks."""
    replay = folded(log_of(reader, match))
    seat = seat_of(_view(), len(replay.header.seats))
    try:
        return replay, frame_at(said(operations.AFTER), [entry.ply for entry in replay.entries]), seat
    except ValueError as error:
        raise _PlyError(f"{error}.") from None


def _is_there(reader: Reader, match: str) -> bool:
    try:
        return has_match(reader, match)
    except DatabaseError:
        return False


def _answer(tag: str, packed: bytes, mimetype: str = "application/json") -> Response:
    """Answer with a text. A browser keeps it and asks each time whether it is still the one: names may be reused."""
    wants_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = Response(packed if wants_gzip else gzip.decompress(packed), mimetype=mimetype)
    if wants_gzip:
        answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.set_etag(tag + ("-gzip" if wants_gzip else ""))
    answer.make_conditional(request)
    return answer


def _refusal(why: Refusal | NotReplayed, status: HTTPStatus) -> Response:
    answer = jsonify(asdict(why))
    answer.status_code = status
    return answer
