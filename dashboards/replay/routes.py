"""The replay over plain HTTP: `/api/replay/<match>` is the scene to draw."""

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import quote

from flask import Flask, Response, jsonify, request

from dashboards.queries import DatabaseError, Queries
from dashboards.replay.caravan import caravan_scene
from dashboards.replay.scene import Scene
from himalaya_core.replay import Replay, ReplayError

__all__ = ["ViewError", "register", "seat_of"]

SCENES: Final[Mapping[str, Callable[[Replay, int | None], Scene]]] = {"caravan": caravan_scene}
MOST_KEPT: Final = 32
PAGE: Final = "/replay"
MODULES: Final = tuple(
    f"/assets/replay/{file.name}" for file in sorted((Path(__file__).parent.parent / "assets" / "replay").glob("*.js"))
)


class ViewError(ValueError):
    """A seat to look from that does not sit at this match."""


def seat_of(view: str | None, players: int) -> int | None:
    """Return the seat, from 0, that a view names, from 1; `None` sees all."""
    if view is None:
        return None
    if view not in map(str, range(1, players + 1)):
        raise ViewError(f"view: expected the number of a seat, from 1 to {players}, found {view!r}.")
    return int(view) - 1


def register(server: Flask, queries: Queries) -> None:
    """Add the routes to the server."""

    @server.get("/api/replay/<match>")
    def replay_scene(match: str) -> Response:
        try:
            lines, is_live = queries.match_lines(match), queries.is_live(match)
        except DatabaseError as error:
            return _message(str(error), HTTPStatus.SERVICE_UNAVAILABLE)
        if lines is None:
            return _message(f"There is no match {match} in this database.", HTTPStatus.NOT_FOUND)
        try:
            tag, packed = _packed_scene(b"".join(lines), request.args.get("view"), is_live=is_live)
        except ViewError as error:
            return _message(str(error), HTTPStatus.BAD_REQUEST)
        except ReplayError as error:
            return _message(f"The match {match} cannot be replayed: {error}.", HTTPStatus.UNPROCESSABLE_ENTITY)
        return _scene(tag, packed)

    @server.after_request
    def hint(answer: Response) -> Response:
        """Let the browser fetch the scene and the player while it still reads the page."""
        match = request.args.get("match")
        if request.path == PAGE and match and answer.status_code == HTTPStatus.OK and _knows(queries, match):
            view = f"?view={quote(request.args['view'], safe='')}" if "view" in request.args else ""
            scene = f"</api/replay/{quote(match, safe='')}{view}>; rel=preload; as=fetch; crossorigin"
            answer.headers["Link"] = ", ".join((scene, *(f"<{module}>; rel=modulepreload" for module in MODULES)))
        return answer


def _knows(queries: Queries, match: str) -> bool:
    try:
        return queries.match_lines(match) is not None
    except DatabaseError:
        return False


@lru_cache(maxsize=MOST_KEPT)
def _packed_scene(log: bytes, view: str | None, *, is_live: bool) -> tuple[str, bytes]:
    """Return a digest of the scene as a seat sees it, and its JSON gzipped; `view` is the seat's number from 1."""
    replay = Replay.read(log.splitlines(keepends=True))
    scene = SCENES[replay.game.name](replay, seat_of(view, len(replay.header.seats)))
    if is_live and not replay.ended:
        scene["status"] = "live"
    text = json.dumps(scene, separators=(",", ":"), ensure_ascii=False).encode()
    return hashlib.sha256(text).hexdigest()[:32], gzip.compress(text, compresslevel=9, mtime=0)


def _scene(tag: str, packed: bytes) -> Response:
    """Answer with a scene. A browser keeps it and asks each time whether it is still the one: names may be reused."""
    wants_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = Response(packed if wants_gzip else gzip.decompress(packed), mimetype="application/json")
    if wants_gzip:
        answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.set_etag(tag + ("-gzip" if wants_gzip else ""))
    answer.make_conditional(request)
    return answer


def _message(text: str, status: HTTPStatus) -> Response:
    answer = jsonify(message=text)
    answer.status_code = status
    return answer
