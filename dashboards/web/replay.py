"""The replay over plain HTTP: `/api/replay/<match>` is the scene to draw, beside it positions and the offline file."""

import gzip
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter
from fastapi import Query as FromQuery
from pydantic import WithJsonSchema
from starlette.responses import JSONResponse, Response

from dashboards.boards.positions import frame_at, ply_names
from dashboards.boards.scene import NOBODY
from dashboards.games.analytics import analytics_of
from dashboards.replay.bundle import PLAYER, bundles
from dashboards.replay.chances import Chances, chances_of
from dashboards.replay.offline import offline_name, offline_page
from dashboards.replay.origin import Origin, origin_of
from dashboards.replay.pictures import packed_picture, packed_png
from dashboards.replay.reviews import packed_review
from dashboards.replay.same_seed import Siblings, siblings
from dashboards.replay.scenes import as_bytes, folded, pack, packed_scene, seat_of
from dashboards.warehouse.addresses import url
from dashboards.warehouse.logs import has_match, is_live
from dashboards.warehouse.reader import DatabaseError, Reader
from dashboards.web.refusals import API
from dashboards.web.replayed import BROKEN, SCENE, THERE, NoSuchPly, View, log_of, packed
from dashboards.web.routing import UNCHANGED, as_body, refusals
from dashboards.web.services import Services
from himalaya_core.replay import Replay
from himalaya_core.show import shown

__all__ = ["REVIEWED", "preload_hint", "routes"]

REPLAY: Final = f"{API}/replay/{{match}}"
OPENS_NOTHING: Final = (
    "Expected a match of a game in which a move opens places, and in `view` the seat to which it does."
)
SHARE: Final = {"type": "number", "minimum": -1, "maximum": 1}
ROWS: Final = {"type": "array", "items": {"type": "object"}}
REVIEWED: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What a model says of a match, as `himalaya review --format json` has it; docs/review.md names what "
    "is in it. Each decision has `on` too: what on the board its alternative would touch, by the ids of the scene.",
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
    },
}
TEXT: Final = {"type": "string"}
NO_SEAT: Final = {400: "There is no such seat at this match"}
NO_PLY: Final = {400: "There is no such seat or ply"}
NO_PICTURE: Final = {400: "There is no such seat, ply, theme or part"}
After = Annotated[
    Any,
    FromQuery(description="`57` is after ply 57, `57.3` after its third event; if left out, before the first"),
    WithJsonSchema({"type": "string", "pattern": r"^[0-9]{1,9}(\.[0-9]{1,9})?$"}),
]
Theme = Annotated[Any, FromQuery(description="for a light or a dark page"), WithJsonSchema({"enum": ["light", "dark"]})]
Part = Annotated[Any, FromQuery(description="only a part of it, small: the board"), WithJsonSchema({"enum": ["board"]})]
Neighbours = Annotated[
    str | None, FromQuery(description="a list of matches, as `tournament=cup&sort=-margin`: its neighbours in it")
]


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a match: after which event it is, and all of it as data.

    `name` is how an address calls the place: "57.3" is after the third event of ply 57. `view` is the seat, from 0,
    whose knowledge it is; -1 for all.
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
    """What one move would open: places of the board, by the numbers that the scene has for them."""

    places: list[int]


def routes(services: Services) -> APIRouter:
    """Return the routes of matches that are stored."""
    api, reader = APIRouter(default_response_class=Response), services.reader

    @api.get(
        REPLAY,
        operation_id="replay",
        summary="A match, ready to be drawn",
        responses={200: as_body("The scene", SCENE), 304: UNCHANGED, **BROKEN, **refusals(NO_SEAT, THERE)},
    )
    def replay_scene(match: str, view: View = None) -> Response:
        log = log_of(reader, match)
        return packed(*packed_scene(log, view, is_live=is_live(reader, match)))

    @api.get(
        f"{REPLAY}/same-luck",
        operation_id="sameLuck",
        summary="Other matches on the same seed",
        description="Matches of the same game, board and options that name the same seed; those with the most seats "
        "played by the same player come first.",
        response_class=JSONResponse,
        responses={**BROKEN, **refusals(THERE)},
    )
    def same_luck(match: str) -> Siblings:
        log_of(reader, match)
        return siblings(reader, match)

    @api.get(
        f"{REPLAY}/origin",
        operation_id="origin",
        summary="Where a match comes from, and what stands beside it in a list",
        response_class=JSONResponse,
        responses={**BROKEN, **refusals(THERE)},
    )
    def origin(match: str, list: Neighbours = None) -> Origin:  # noqa: A002  as the address has it
        return origin_of(reader, match, folded(log_of(reader, match)).header, list)

    @api.get(
        f"{REPLAY}/offline.html",
        operation_id="offlineReplay",
        summary="A match as one HTML file that plays from disk",
        description="It holds the scene, the review, the log (not in the view of a seat), script, styles and font, "
        "and asks for nothing.",
        responses={200: as_body("The file", TEXT, "text/html"), 304: UNCHANGED, **BROKEN, **refusals(NO_SEAT, THERE)},
    )
    def offline(match: str, view: View = None) -> Response:
        log = log_of(reader, match)
        scene, found = (gzip.decompress(text) for _, text in (packed_scene(log, view), packed_review(log, view)))
        answer = packed(*pack(offline_page(scene, found, None if view else log)), "text/html")
        answer.headers["Content-Disposition"] = f'attachment; filename="{offline_name(match, view)}"'
        return answer

    @api.get(
        f"{REPLAY}/chances",
        operation_id="chances",
        summary="Each seat's chances of winning after every decision",
        description="By the model that ships with the game, and only for matches of the kind that it was checked "
        "on. They are the same for every `view`: the model sees what everybody at the table may see.",
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
        summary="Who was winning a match after each decision, and where it turned",
        description="Nothing in it tells of a plan that was not revealed.",
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
        summary="A position of a match as data",
        responses={200: {"model": Position, "description": "It"}, 304: UNCHANGED, **BROKEN, **refusals(NO_PLY, THERE)},
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
        summary="A position of a match as text",
        responses={200: as_body("It", TEXT, "text/plain"), 304: UNCHANGED, **BROKEN, **refusals(NO_PLY, THERE)},
    )
    def position_as_text(match: str, ply: After = None, view: View = None) -> Response:
        replay, index, seat = _position(reader, match, ply, view)
        name = ply_names([each.ply for each in replay.entries])[index]
        return packed(*pack(f"{shown(replay, index, seat, name)}\n".encode()), "text/plain")

    @api.get(
        f"{REPLAY}/opens",
        operation_id="opens",
        summary="What one move would open to a seat",
        description="The places that the seat named by `view` cannot get to now, and could after one move of the "
        "board that sets nobody aside.",
        responses={
            200: {"model": Opened, "description": "The places"},
            304: UNCHANGED,
            **BROKEN,
            **refusals(
                {400: "There is no such seat or ply, no seat is named, or no move of the game opens places"}, THERE
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
        summary="A position of a match as a picture of the board",
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
        summary="The same picture as PNG, for programs that show no SVG",
        responses={200: as_body("PNG", TEXT, "image/png"), 304: UNCHANGED, **BROKEN, **refusals(NO_PICTURE, THERE)},
    )
    def png(match: str, ply: After = None, view: View = None, theme: Theme = None, part: Part = None) -> Response:
        return packed(*packed_png(log_of(reader, match), view, ply, theme, part), "image/png")


def _serve(api: APIRouter, address: str, made: Callable[[], tuple[str, bytes]], kind: str) -> None:
    """Add a script or a style sheet of the pages; what it holds is looked at anew each time."""

    @api.get(address, include_in_schema=False)
    def bundle() -> Response:
        tag, text = made()
        return packed(tag, text, kind)


def preload_hint(reader: Reader, match: str, view: str | None) -> str | None:
    """Return the header `Link` by which a browser fetches scene and player while it still reads the page of a match."""
    try:
        if not has_match(reader, match):
            return None
    except DatabaseError:
        return None
    scene = url(f"{API}/replay/{quote(match, safe='')}", [] if view is None else [("view", view)])
    return f"<{scene}>; rel=preload; as=fetch; crossorigin, <{url(PLAYER)}>; rel=modulepreload"


def _position(reader: Reader, match: str, ply: str | None, view: str | None) -> tuple[Replay, int, int | None]:
    """Return the replay, the entry after which the position is that was asked for, and the seat that asks."""
    replay = folded(log_of(reader, match))
    seat = seat_of(view, len(replay.header.seats))
    try:
        return replay, frame_at(ply, [entry.ply for entry in replay.entries]), seat
    except ValueError as error:
        raise NoSuchPly(f"{error}.") from None
