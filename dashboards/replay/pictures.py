"""Pictures over plain HTTP: `/api/replay/<match>/board.svg` is a position drawn without a browser.

With `part=board` it is small and has the board alone, for lists of matches. What was drawn is kept for who asks again.
"""

from functools import lru_cache
from typing import Final, cast, get_args

from dashboards.boards.picture import draw_board
from dashboards.boards.positions import frame_at
from dashboards.charts.theme import Scheme
from dashboards.replay.scenes import ViewError, folded, pack, scene_of

__all__ = ["SMALL", "PictureError", "packed_picture"]

SMALL: Final = (640, 400)
MOST_KEPT: Final = 64


class PictureError(ViewError):
    """A picture that there is none of: of a place in the match that is none, or in a theme that is none."""


def packed_picture(
    log: bytes, view: str | None, ply: str | None, theme: str | None, part: str | None
) -> tuple[str, bytes]:
    """Return the digest of a picture and the picture gzipped, as an address asks for it; `PictureError`."""
    if part not in {None, "board"}:
        raise PictureError(f"part: expected board, found {part!r}.")
    return _drawn(log, view, ply, _theme("light" if theme is None else theme), alone=part == "board")


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
