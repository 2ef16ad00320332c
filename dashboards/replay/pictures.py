"""Pictures over plain HTTP: `/api/replay/<match>/board.svg` is a position drawn without a browser, `board.png` its PNG.

With `part=board` it is small and has the board alone, for lists of matches. Pictures are cached for later requests.
"""

import gzip
from functools import lru_cache
from pathlib import Path
from typing import Final, cast, get_args

from dashboards.boards.picture import draw_board
from dashboards.boards.positions import frame_at
from dashboards.charts.theme import Scheme
from dashboards.replay.scenes import ViewError, folded, pack, scene_of

__all__ = ["SMALL", "PictureError", "packed_picture", "packed_png"]

SMALL: Final = (640, 400)
MOST_KEPT: Final = 64
FONT: Final = Path(__file__).parents[1] / "assets" / "fonts" / "inter-latin-variable.ttf"
"""The font of the pages, for the PNG renderer; other scripts use fonts of the machine."""


class PictureError(ViewError):
    """Error for a picture of an invalid place in the match, or in an unknown theme."""


def packed_picture(
    log: bytes, view: str | None, ply: str | None, theme: str | None, part: str | None
) -> tuple[str, bytes]:
    """Return the digest and the gzipped picture for the keys of an address; `PictureError` if invalid."""
    if part not in {None, "board"}:
        raise PictureError(f"part: expected board, found {part!r}.")
    return _drawn(log, view, ply, _theme("light" if theme is None else theme), alone=part == "board")


def packed_png(log: bytes, view: str | None, ply: str | None, theme: str | None, part: str | None) -> tuple[str, bytes]:
    """Return the picture of `packed_picture` as PNG: other programs show no SVG."""
    return _as_png(packed_picture(log, view, ply, theme, part)[1])


@lru_cache(maxsize=MOST_KEPT)
def _as_png(packed: bytes) -> tuple[str, bytes]:
    from resvg_py import svg_to_bytes

    svg = gzip.decompress(packed).decode()
    return pack(svg_to_bytes(svg_string=svg, font_files=[str(FONT)], sans_serif_family="Inter"))


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
