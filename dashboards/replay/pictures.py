"""Pictures over plain HTTP: `/api/replay/<match>/board.svg` is a position drawn without a browser.

With `part=board` it is small and has the board alone, for lists of matches. What was drawn is kept for who asks again.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, cast, get_args

from flask import Flask, Response, request

from dashboards.boards.picture import draw_board
from dashboards.boards.positions import frame_at
from dashboards.charts.theme import Scheme
from dashboards.replay.scenes import ViewError, folded, pack, scene_of

__all__ = ["SMALL", "PictureError", "register_pictures"]

SMALL: Final = (640, 400)
MOST_KEPT: Final = 64


class PictureError(ViewError):
    """A picture that there is none of: of a place in the match that is none, or in a theme that is none."""


def register_pictures(
    server: Flask, log_of: Callable[[str], bytes], answer: Callable[[str, bytes, str], Response]
) -> None:
    """Add the route; `log_of` finds the log of a match, `answer` sends a gzipped text under its digest."""

    @server.get("/api/replay/<match>/board.svg")
    def replay_picture(match: str) -> Response:
        theme, part = _theme(request.args.get("theme", "light")), request.args.get("part")
        if part not in {None, "board"}:
            raise PictureError(f"part: expected board, found {part!r}.")
        asked = request.args.get("view"), request.args.get("ply"), theme
        return answer(*_drawn(log_of(match), *asked, alone=part == "board"), "image/svg+xml")


@lru_cache(maxsize=MOST_KEPT)
def _drawn(log: bytes, view: str | None, ply: str | None, theme: Scheme, *, alone: bool) -> tuple[str, bytes]:
    """Return the digest of a picture, and the picture gzipped."""
    scene = scene_of(folded(log), view)
    try:
        frame = frame_at(ply, scene["plies"])
    except ValueError as error:
        raise PictureError(f"{error}.") from None
    if alone:
        width, height = SMALL
        return pack(draw_board(scene, frame, theme=theme, width=width, height=height, alone=True).encode())
    return pack(draw_board(scene, frame, theme=theme).encode())


def _theme(text: str) -> Scheme:
    if text not in get_args(Scheme):
        raise PictureError(f"theme: expected {' or '.join(get_args(Scheme))}, found {text!r}.")
    return cast(Scheme, text)
