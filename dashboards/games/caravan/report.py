"""The map of caravan in print: arrivals in villages, and journeys along roads."""

from collections.abc import Mapping
from functools import partial
from math import sqrt
from typing import Final

import polars as pl

from dashboards.boards.map.regions import region_corners, two_tones
from dashboards.boards.traffic.layers import short
from dashboards.charts.canvas import About, DrawFrame, picture, words
from dashboards.charts.colour import mixed
from dashboards.charts.svg import colours, element
from dashboards.charts.theme import LIGHT, Palette, Scheme
from dashboards.games.shared.board_context import board_context
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from himalaya_core.caravan.board import Board

__all__ = ["caravan_drawings"]

MARGIN: Final = 44
SMALLEST, LARGEST = 20.0, 34.0
THINNEST, WIDEST = 2.0, 14.0
NAME: Final = 14
LETTERS: Final = 16
KEY: Final = "disc: arrivals in the village; the wider and stronger a road, the more journeys along it"


def caravan_drawings(reader: Reader, where: Filter, frames: Mapping[str, pl.DataFrame]) -> dict[str, DrawFrame]:
    """Return how some figures are drawn, by name: villages and roads on one map, under the villages."""
    if "roads" not in frames or frames.get("villages", pl.DataFrame()).is_empty():
        return {}
    board = board_context(reader, where).board
    return {"villages": partial(_map, board, frames["roads"])} if isinstance(board, Board) else {}


def _map(board: Board, roads: pl.DataFrame, about: About, villages: pl.DataFrame, ink: Palette) -> str:
    scheme: Scheme = "light" if ink.card == LIGHT.card else "dark"
    land = colours(scheme)
    xs, ys = [village.x for village in board.villages], [village.y for village in board.villages]
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    arrivals = dict(villages.select("village", "arrivals").iter_rows())
    journeys = {(a, b): count for a, b, count in roads.select("village_a", "village_b", "journeys").iter_rows()}
    inside = element(
        "g",
        {"transform": f"translate({-left:g} {-top:g})"},
        _land(board, land),
        *_roads(board, journeys, land),
        *_villages(board, arrivals, land, ink),
    )
    tall = max(ys) - min(ys) + 2.4 * MARGIN
    key = words(KEY, 0, tall + 10, ink.muted, size=LETTERS)
    return picture(about, tall + 24, inside, key, width=max(xs) - min(xs) + 2 * MARGIN)


def _land(board: Board, land: Mapping[str, str]) -> str:
    corners = {region: villages for region, villages in region_corners(board).items() if villages}
    tones = two_tones(corners)
    points = {village.number: f"{village.x:g},{village.y:g}" for village in board.villages}
    shapes = [
        element(
            "polygon",
            {
                "points": " ".join(points[number] for number in villages),
                "fill": land["--land-1" if tones[region] == 0 else "--land-2"],
                "stroke": land["--land-line"],
            },
        )
        for region, villages in corners.items()
    ]
    names = [
        words(f"region {region}", x, y, land["--land-text"], anchor="middle", size=LETTERS, weight=600)
        for region, (x, y) in sorted(board.region_labels.items())
    ]
    return "".join(shapes + names)


def _roads(board: Board, journeys: Mapping[tuple[int, int], int], land: Mapping[str, str]) -> list[str]:
    least, most = min(journeys.values(), default=0), max(journeys.values(), default=0)
    drawn = []
    for road in board.roads:
        a, b = (board.villages[number - 1] for number in road.between)
        count = journeys.get(road.between, 0)
        strength = 0.35 + 0.65 * (count - least) / max(most - least, 1)
        way: dict[str, str | float | None] = {"x1": a.x, "y1": a.y, "x2": b.x, "y2": b.y, "stroke-linecap": "round"}
        paint = {"stroke": mixed(land["--heat-3"], strength, land["--land-2"])}
        width = THINNEST + (WIDEST - THINNEST) * count / max(most, 1)
        title = element("title", {}, f"Villages {a.number} and {b.number}, {road.type} road: {count:,} journeys")
        drawn.append(element("g", {}, title, element("line", {**way, **paint, "stroke-width": round(width, 1)})))
    return drawn


def _villages(board: Board, arrivals: Mapping[int, int], land: Mapping[str, str], ink: Palette) -> list[str]:
    least, most = min(arrivals.values()), max(arrivals.values())
    discs, names = [], []
    for village in board.villages:
        count = arrivals.get(village.number, 0)
        radius = round(SMALLEST + (LARGEST - SMALLEST) * sqrt(count / most), 1) if most else SMALLEST
        step = (count - least) * 5 // (most - least + 1)
        disc: dict[str, str | float | None] = {"cx": village.x, "cy": village.y, "r": radius, "stroke": "#1b1c25"}
        title = element("title", {}, f"Village {village.number}: {count:,} arrivals")
        circle = element("circle", {**disc, "fill": land[f"--heat-{step}"], "stroke-width": 1.5})
        on = land[f"--heat-text-{step}"]
        number = words(short(count), village.x, village.y, on, anchor="middle", size=LETTERS, weight=650)
        discs.append(element("g", {}, title, circle, number))
        names.append(
            words(
                f"village {village.number}",
                village.x,
                village.y + radius + NAME,
                ink.text,
                anchor="middle",
                size=LETTERS,
            )
        )
    return discs + names
