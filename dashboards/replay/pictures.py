"""A position as a picture over HTTP, as SVG and PNG, and as the preview of a shared link."""

import gzip
import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Final, cast, get_args
from urllib.parse import quote, urlencode

from dashboards.boards.picture import draw_board
from dashboards.boards.scene import frame_at
from dashboards.charts.theme import Scheme
from dashboards.games.analytics import terms_of
from dashboards.queries.logs import match_summary
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.replay.scenes import ViewError, folded, pack, scene_of

__all__ = ["SMALL", "PictureError", "packed_picture", "packed_png", "social_card"]


SMALL: Final = (640, 400)
MOST_KEPT: Final = 64
FONT: Final = Path(__file__).parents[1] / "assets" / "fonts" / "inter-latin-variable.ttf"
"""The font of the pages, for the PNG renderer; letters of other alphabets use the machine's fonts."""


class PictureError(ViewError):
    """Error for a picture of an invalid place in the match, or in an unknown theme."""


def packed_picture(
    log: bytes, view: str | None, ply: str | None, theme: str | None, part: str | None
) -> tuple[str, bytes]:
    """Draw the position named by query values; return a digest and the gzipped SVG. `PictureError` if invalid."""
    if part not in {None, "board"}:
        raise PictureError(f"part: expected board, found {part!r}.")
    return _drawn(log, view, ply, _theme("light" if theme is None else theme), alone=part == "board")


def packed_png(log: bytes, view: str | None, ply: str | None, theme: str | None, part: str | None) -> tuple[str, bytes]:
    """Return the picture of `packed_picture` as PNG, for programs that cannot show SVG."""
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


PLY: Final = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)
SIZE: Final = (1200, 630)
SHOWN: Final = ("ply", "view", "theme")
"""Query keys of a page's address that its preview picture uses too."""


def social_card(reader: Reader, query: Mapping[str, str], root: str) -> str:
    """Return the meta tags of a page that shows a match; empty for an unknown match.

    `query` is the query of the page's address, `root` the server's address with a slash at its end. The tags do not
    name the winner, because people who share a moment of a match may not want to reveal it.
    """
    try:
        facts = match_summary(reader, query.get("match", ""))
    except DatabaseError:
        return ""
    if facts is None:
        return ""
    parameters = urlencode({key: query[key] for key in SHOWN if key in query})
    picture = f"{root}api/replay/{quote(facts.match, safe='')}/board.png{parameters and '?'}{parameters}"
    moment = f", after ply {query['ply']}" if PLY.fullmatch(query.get("ply", "")) else ""
    rounds = f"{terms_of(facts.game).counted(facts.rounds)}, " if facts.rounds else ""
    width, height = SIZE
    tags = {
        "og:type": "website",
        "og:site_name": "Himalaya",
        "og:title": facts.match + moment,
        "og:description": f"{facts.line_up}; {rounds}{facts.events} events.",
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(width),
        "og:image:height": str(height),
        "og:image:alt": f"The board of {facts.match}{moment}",
        "twitter:card": "summary_large_image",
    }
    return "".join(f'<meta property="{name}" content="{escape(content)}">\n' for name, content in tags.items())
