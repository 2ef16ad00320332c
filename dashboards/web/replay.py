"""Replays over HTTP: the log of a match, the scene to draw, positions, reviews and the offline file."""

import gzip
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter
from fastapi import Query as FromQuery
from pydantic import WithJsonSchema
from starlette.responses import JSONResponse, Response

from dashboards.boards.scene import NOBODY, Scene, frame_at, ply_names
from dashboards.games.analytics import analytics_of
from dashboards.queries.addresses import url
from dashboards.queries.logs import has_match, is_live, match_lines, quarantined_lines, sound_lines
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.replay.offline import PLAYER, bundles, offline_name, offline_page
from dashboards.replay.origin import Origin, Siblings, origin_of, siblings
from dashboards.replay.pictures import packed_picture, packed_png
from dashboards.replay.reviews import Chances, chances_of, packed_review, played_out
from dashboards.replay.scenes import Problem, as_bytes, folded, pack, packed_scene, problem, seat_of
from dashboards.web.access import connection
from dashboards.web.refusals import API, Refusal, Refused
from dashboards.web.routing import UNCHANGED, Services, as_body, refusals
from himalaya_core.replay import Replay
from himalaya_core.show import shown

__all__ = [
    "BROKEN",
    "REVIEWED",
    "SCENE",
    "THERE",
    "NoSuchPly",
    "NotReplayed",
    "Unreplayed",
    "View",
    "answer_file",
    "knows",
    "log_of",
    "packed",
    "preload_hint",
    "routes",
]


MOST_PROBLEMS: Final = 20
SCENE: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What the replay draws: the board, and a frame for each event.",
    "required": sorted({*Scene.__required_keys__, "board", "frames"}),
}
THERE: Final = {404: "There is no such match", 503: "The database cannot be read at present"}
View = Annotated[
    Any,
    FromQuery(description="viewing seat, from 1; what it could not know is left out"),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 6}),
]


@dataclass(frozen=True, slots=True)
class NotReplayed:
    """Why a log cannot be shown, in one sentence, and its problems by line."""

    message: str
    problems: list[Problem]


BROKEN: Final[dict[int | str, dict[str, Any]]] = {
    422: {
        "model": NotReplayed | Refusal,
        "description": "The log cannot be replayed, or is in quarantine; the message says why",
    }
}


class Unreplayed(Exception):
    """Error for a log that cannot be shown; `problems` say why."""

    def __init__(self, message: str, problems: Sequence[Problem]) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class NoSuchPly(ValueError):
    """Error for a ply or event that does not exist in the match."""


def log_of(reader: Reader, match: str) -> bytes:
    """Return the log of a match, or its valid lines if it is in quarantine; `Unreplayed` if there are none."""
    lines = match_lines(reader, match) or sound_lines(reader, match)
    if lines is not None:
        return b"".join(lines)
    if quarantined := quarantined_lines(reader, match, MOST_PROBLEMS):
        problems = [problem(each.line, each.match, each.reason, each.message, each.file) for each in quarantined]
        raise Unreplayed(f"The match {match} is in quarantine: its log is not valid.", problems)
    raise Refused(HTTPStatus.NOT_FOUND, f"There is no match {match} in this database.")


def packed(tag: str, text: bytes, kind: str = "application/json", *, is_kept: bool = True) -> Response:
    """Answer with a gzipped text; it is unpacked only for clients that do not accept gzip.

    If `is_kept`, browsers cache the answer. They revalidate it each time, since names of matches may be reused.
    """
    is_packed = "gzip" in connection().headers.get("Accept-Encoding", "")
    headers = {"Cache-Control": "private, no-cache" if is_kept else "no-store"}
    if tag:
        headers["ETag"] = f'"{tag}-gzip"' if is_packed else f'"{tag}"'
        if knows(headers["ETag"]):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if is_packed:
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(text if is_packed else gzip.decompress(text), headers=headers, media_type=kind)


def knows(tag: str) -> bool:
    """Return whether the client's cache has the answer with this tag."""
    tags = connection().headers.get("If-None-Match", "")
    return tags.strip() == "*" or tag in {each.strip().removeprefix("W/") for each in tags.split(",")}


def answer_file(text: bytes | str, kind: str, name: str) -> Response:
    """Answer with a file to download, which is not cached."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, headers=headers, media_type=kind)


REPLAY: Final = f"{API}/replay/{{match}}"
OPENS_NOTHING: Final = "Choose a match of a game in which a move can open places, and name a seat in `view`."
SHARE: Final = {"type": "number", "minimum": -1, "maximum": 1}
ROWS: Final = {"type": "array", "items": {"type": "object"}}
REVIEWED: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A review of a match by a model, as `himalaya review --format json` writes it; "
    "docs/about/review-format.md names its fields. "
    "Each decision also has `on`: the ids in the scene of what its alternative would touch.",
    "required": ["not_valued", "model", "chances", "moments", "split", "judgements"],
    "properties": {
        "not_valued": {"type": ["string", "null"]},
        "model": {"type": ["object", "null"]},
        "chances": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["seq", "chances"],
                "properties": {"seq": {"type": "integer"}, "chances": {"type": "array", "items": SHARE}},
            },
        },
        "moments": ROWS,
        "split": ROWS,
        "judgements": ROWS,
        "changes": ROWS,
        "story": ROWS,
    },
}
TEXT: Final = {"type": "string"}
NO_SEAT: Final = {400: "There is no such seat at this match"}
NO_PLY: Final = {400: "There is no such seat or ply"}
NO_PICTURE: Final = {400: "There is no such seat, ply, theme or part"}
After = Annotated[
    Any,
    FromQuery(description="`57` is after ply 57, `57.3` after its third event; if left out, the start"),
    WithJsonSchema({"type": "string", "pattern": r"^[0-9]{1,9}(\.[0-9]{1,9})?$"}),
]
Theme = Annotated[
    Any, FromQuery(description="colours for a light or a dark page"), WithJsonSchema({"enum": ["light", "dark"]})
]
Part = Annotated[Any, FromQuery(description="only the board, small"), WithJsonSchema({"enum": ["board"]})]
Neighbours = Annotated[
    str | None, FromQuery(description="query of a list, such as `tournament=cup&sort=-margin`, to name neighbours in")
]


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a match as data, after the event `seq`.

    `name` is the place as in addresses: "57.3" is after the third event of ply 57. `view` is the seat, from 0, that
    sees the position this way; -1 if nothing is hidden.
    """

    match: str
    seq: int
    ply: int
    name: str
    round: int
    view: int
    position: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Opened:
    """Places of the board that one move would open, by their numbers in the scene."""

    places: list[int]


def routes(services: Services) -> APIRouter:
    """Return the routes of stored matches."""
    api, reader = APIRouter(default_response_class=Response), services.reader

    @api.get(
        REPLAY,
        operation_id="replay",
        summary="Get the scene of a match, ready to draw",
        responses={200: as_body("The scene", SCENE), 304: UNCHANGED, **BROKEN, **refusals(NO_SEAT, THERE)},
    )
    def replay_scene(match: str, view: View = None) -> Response:
        log = log_of(reader, match)
        return packed(*packed_scene(log, view, is_live=is_live(reader, match)))

    @api.get(
        f"{REPLAY}/same-luck",
        operation_id="sameLuck",
        summary="List other matches on the same seed",
        description="Matches of the same game, board and options with the same seed; first those with most seats of "
        "the same player.",
        response_class=JSONResponse,
        responses={**BROKEN, **refusals(THERE)},
    )
    def same_luck(match: str) -> Siblings:
        log_of(reader, match)
        return siblings(reader, match)

    @api.get(
        f"{REPLAY}/origin",
        operation_id="origin",
        summary="Get where a match comes from, and its neighbours in a list",
        response_class=JSONResponse,
        responses={**BROKEN, **refusals(THERE)},
    )
    def origin(match: str, list: Neighbours = None) -> Origin:  # noqa: A002  as the address has it
        return origin_of(reader, match, folded(log_of(reader, match)).header, list)

    @api.get(
        f"{REPLAY}/offline.html",
        operation_id="offlineReplay",
        summary="Download a match as one HTML file that plays from disk",
        description="It contains the scene, the review, the log (not in the view of a seat), script, styles and font, "
        "and makes no requests.",
        responses={200: as_body("The file", TEXT, "text/html"), 304: UNCHANGED, **BROKEN, **refusals(NO_SEAT, THERE)},
    )
    def offline(match: str, view: View = None) -> Response:
        log = log_of(reader, match)
        scene, found = (gzip.decompress(text) for _, text in (packed_scene(log, view), packed_review(log, view)))
        played = played_out(reader, match)
        playouts = None if played is None else as_bytes(asdict(played))
        page = offline_page(scene, found, None if view else log, playouts)
        answer = packed(*pack(page), "text/html")
        answer.headers["Content-Disposition"] = f'attachment; filename="{offline_name(match, view)}"'
        return answer

    @api.get(
        f"{REPLAY}/chances",
        operation_id="chances",
        summary="Get each seat's chances of winning after every decision",
        description="By the model that ships with the game, only for the kinds of matches that it was tested on. They "
        "are the same for every `view`, since the model uses only what all seats may know.",
        responses={
            200: {"model": Chances, "description": "The chances, or why there are none"},
            304: UNCHANGED,
            **BROKEN,
            **refusals(THERE),
        },
    )
    def chances(match: str) -> Response:
        return packed(*pack(as_bytes(asdict(chances_of(reader, match, lambda: log_of(reader, match))))))

    @api.get(
        f"{REPLAY}/review",
        operation_id="review",
        summary="Get the review of a match: chances, key moments and better decisions",
        description="It reveals no plan that the match did not reveal.",
        responses={
            200: as_body("The review, or why there is none", REVIEWED),
            304: UNCHANGED,
            **BROKEN,
            **refusals(NO_SEAT, THERE),
        },
    )
    def replay_review(match: str, view: View = None) -> Response:
        return packed(*packed_review(log_of(reader, match), view))

    _add_positions(api, reader)
    for address, made, kind in bundles():
        _serve(api, address, made, kind)
    return api


def _add_positions(api: APIRouter, reader: Reader) -> None:
    """Add single positions: as data, as text, as pictures, and what a move would open."""

    @api.get(
        f"{REPLAY}/position.json",
        operation_id="positionData",
        summary="Get a position of a match as data",
        responses={
            200: {"model": Position, "description": "The position"},
            304: UNCHANGED,
            **BROKEN,
            **refusals(NO_PLY, THERE),
        },
    )
    def position_as_data(match: str, ply: After = None, view: View = None) -> Response:
        replay, index, seat = _position(reader, match, ply, view)
        state, entry = replay.states[index], replay.entries[index]
        name = ply_names([each.ply for each in replay.entries])[index]
        data = replay.game.position(state if seat is None else replay.game.view(state, seat))
        whose = NOBODY if seat is None else seat
        return packed(*pack(as_bytes(asdict(Position(match, entry.seq, entry.ply, name, entry.round, whose, data)))))

    @api.get(
        f"{REPLAY}/position.txt",
        operation_id="positionText",
        summary="Get a position of a match as text",
        responses={
            200: as_body("The position", TEXT, "text/plain"),
            304: UNCHANGED,
            **BROKEN,
            **refusals(NO_PLY, THERE),
        },
    )
    def position_as_text(match: str, ply: After = None, view: View = None) -> Response:
        replay, index, seat = _position(reader, match, ply, view)
        name = ply_names([each.ply for each in replay.entries])[index]
        return packed(*pack(f"{shown(replay, index, seat, name)}\n".encode()), "text/plain")

    @api.get(
        f"{REPLAY}/opens",
        operation_id="opens",
        summary="List the places that one move would open to a seat",
        description="The places that the seat in `view` cannot reach now, and could reach after one move of the board "
        "that sets no one aside.",
        responses={
            200: {"model": Opened, "description": "The places"},
            304: UNCHANGED,
            **BROKEN,
            **refusals(
                {400: "There is no such seat or ply, `view` is missing, or no move of the game opens places"}, THERE
            ),
        },
    )
    def opens(match: str, ply: After = None, view: View = None) -> Response:
        replay, index, seat = _position(reader, match, ply, view)
        find = analytics_of(replay.header.game).opens
        if find is None or seat is None:
            raise NoSuchPly(OPENS_NOTHING)
        return packed(*pack(as_bytes(asdict(Opened(find(replay.states[index], seat))))))

    @api.get(
        f"{REPLAY}/board.svg",
        operation_id="positionPicture",
        summary="Draw a position of a match as SVG",
        responses={
            200: as_body("SVG", TEXT, "image/svg+xml"),
            304: UNCHANGED,
            **BROKEN,
            **refusals(NO_PICTURE, THERE),
        },
    )
    def picture(match: str, ply: After = None, view: View = None, theme: Theme = None, part: Part = None) -> Response:
        return packed(*packed_picture(log_of(reader, match), view, ply, theme, part), "image/svg+xml")

    @api.get(
        f"{REPLAY}/board.png",
        operation_id="positionPng",
        summary="Draw a position of a match as PNG",
        responses={200: as_body("PNG", TEXT, "image/png"), 304: UNCHANGED, **BROKEN, **refusals(NO_PICTURE, THERE)},
    )
    def png(match: str, ply: After = None, view: View = None, theme: Theme = None, part: Part = None) -> Response:
        return packed(*packed_png(log_of(reader, match), view, ply, theme, part), "image/png")


def _serve(api: APIRouter, address: str, made: Callable[[], tuple[str, bytes]], kind: str) -> None:
    """Add the route of a script or style sheet; `made` returns its tag and text at each request."""

    @api.get(address, include_in_schema=False)
    def bundle() -> Response:
        tag, text = made()
        return packed(tag, text, kind)


def preload_hint(reader: Reader, match: str, view: str | None) -> str | None:
    """Return the `Link` header that makes a browser load scene and player while it reads the page of a match."""
    try:
        if not has_match(reader, match):
            return None
    except DatabaseError:
        return None
    scene = url(f"{API}/replay/{quote(match, safe='')}", [] if view is None else [("view", view)])
    return f"<{scene}>; rel=preload; as=fetch; crossorigin, <{url(PLAYER)}>; rel=modulepreload"


def _position(reader: Reader, match: str, ply: str | None, view: str | None) -> tuple[Replay, int, int | None]:
    """Return the replay, the index of the entry before the requested position, and the viewing seat."""
    replay = folded(log_of(reader, match))
    seat = seat_of(view, len(replay.header.seats))
    try:
        return replay, frame_at(ply, [entry.ply for entry in replay.entries]), seat
    except ValueError as error:
        raise NoSuchPly(f"{error}.") from None
