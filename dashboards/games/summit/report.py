"""The map of summit in print: arrivals on the fields of the route."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Final

import polars as pl

from dashboards.boards.track.route import Point
from dashboards.boards.traffic.layers import short
from dashboards.charts.canvas import About, DrawFrame, picture, words
from dashboards.charts.svg import colours, element
from dashboards.charts.theme import LIGHT, Palette, Scheme
from dashboards.games.shared.board_context import board_context
from dashboards.games.summit.board import UNNAMED, kind_of_field
from dashboards.games.summit.map import ARROW, laid_in
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from himalaya_core.summit.board import Board

__all__ = ["summit_drawings"]

WIDTH, HEIGHT = 1000.0, 680.0
SMALLEST, LARGEST = 15.0, 25.0
BELOW: Final = 40
"""Pixels that the mountain reaches below the route."""
LETTERS: Final = 15
NAME: Final = 12
KEY: Final = "disc: arrivals of pawns on the field; arrow: where Sherpas slide down"


def summit_drawings(reader: Reader, where: Filter, frames: Mapping[str, pl.DataFrame]) -> dict[str, DrawFrame]:
    """Return how some figures are drawn, by name: the fields on a map of the route."""
    if frames.get("fields", pl.DataFrame()).is_empty():
        return {}
    board = board_context(reader, where).board
    return {"fields": partial(_map, board)} if isinstance(board, Board) else {}


def _map(board: Board, about: About, fields: pl.DataFrame, ink: Palette) -> str:
    scheme: Scheme = "light" if ink.card == LIGHT.card else "dark"
    land = colours(scheme)
    laid = laid_in(board, (WIDTH, HEIGHT))
    line = "M" + "L".join(map(_point, laid.line))
    rock = [
        element("polygon", {"points": " ".join(map(_point, points)), "fill": land[tone], "stroke": land["--land-line"]})
        for points, tone in ((laid.mountain, "--land-1"), (laid.snow, "--land-2"))
    ]
    way = element("path", {"d": line, "fill": "none", "stroke": land["--land-line"], "stroke-width": 2.5})
    slides = []
    for slide in laid.slides:
        paint: dict[str, str | float | None] = {"fill": "none", "stroke": ink.muted, "stroke-width": 3}
        head = element("path", {"d": ARROW, "transform": slide.head, "fill": ink.muted})
        slides.append(element("path", {"d": slide.curve, **paint, "stroke-dasharray": "7 5"}) + head)
    visits = dict(fields.select("field", "visits").iter_rows())
    discs = _discs(board, laid.points, visits, land, ink)
    key = words(KEY, 0, HEIGHT + BELOW + 10, ink.muted, size=LETTERS)
    return picture(about, HEIGHT + BELOW + 24, *rock, way, *slides, *discs, key, width=WIDTH)


def _discs(
    board: Board, points: Sequence[Point], visits: Mapping[int, int], land: Mapping[str, str], ink: Palette
) -> list[str]:
    least, most = min(visits.values(), default=0), max(visits.values(), default=0)
    drawn, names = [], []
    for field, (x, y) in enumerate(points):
        kind, count = kind_of_field(board, field), visits.get(field)
        radius = round(SMALLEST + (LARGEST - SMALLEST) * sqrt((count or 0) / most), 1) if most else SMALLEST
        step = 0 if count is None else (count - least) * 5 // (most - least + 1)
        fill = land["--village"] if count is None else land[f"--heat-{step}"]
        said = f"Field {field}, {kind}: {count or 0:,} arrivals" if count is not None else f"Field {field}, {kind}"
        disc = element(
            "circle",
            {"cx": round(x, 1), "cy": round(y, 1), "r": radius, "stroke": "#1b1c25", "fill": fill, "stroke-width": 1.5},
        )
        on = land[f"--heat-text-{step}"]
        number = words(short(count), x, y, on, anchor="middle", size=LETTERS - 1, weight=650) if count else ""
        name = str(field) if kind in UNNAMED else f"{field} {kind}"
        drawn.append(element("g", {}, element("title", {}, said), disc, number))
        names.append(words(name, x, y + radius + NAME, ink.text, anchor="middle", size=LETTERS - 1))
    return drawn + names


def _point(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
