"""Pictures over plain HTTP: `/api/replay/<match>/board.svg` is a position drawn without a browser."""

from collections.abc import Callable
from typing import cast, get_args

from flask import Flask, Response, request

from dashboards.boards.picture import draw_board
from dashboards.boards.positions import frame_at
from dashboards.charts.theme import Scheme
from dashboards.replay.scenes import ViewError, folded, pack, scene_of

__all__ = ["PictureError", "register_pictures"]


class PictureError(ViewError):
    """A picture that there is none of: of a place in the match that is none, or in a theme that is none."""


def register_pictures(
    server: Flask, log_of: Callable[[str], bytes], answer: Callable[[str, bytes, str], Response]
) -> None:
    """Add the route; `log_of` finds the log of a match, `answer` sends a gzipped text under its digest."""

    @server.get("/api/replay/<match>/board.svg")
    def replay_picture(match: str) -> Response:
        theme = _theme(request.args.get("theme", "light"))
        scene = scene_of(folded(log_of(match)), request.args.get("view"))
        try:
            frame = frame_at(request.args.get("ply"), scene["plies"])
        except ValueError as error:
            raise PictureError(f"{error}.") from None
        return answer(*pack(draw_board(scene, frame, theme=theme).encode()), "image/svg+xml")


def _theme(text: str) -> Scheme:
    if text not in get_args(Scheme):
        raise PictureError(f"theme: expected {' or '.join(get_args(Scheme))}, found {text!r}.")
    return cast(Scheme, text)
