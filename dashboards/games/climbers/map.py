"""The Climbers: the layers of its map, and how one is drawn: how often climbers stood on squares, seen from above.

Squares are darker for more. Of a difference, more is one colour and has a plus, fewer another and has a minus. Only
classes and numbers are written here; assets/app.css and assets/figures.css have the colours.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from dashboards.boards.traffic.board import attribute, side, step_of
from dashboards.boards.traffic.layers import Layer, difference_label, short
from dashboards.boards.traffic.legends import legend
from dashboards.games.climbers.board import OPENING
from dashboards.games.map_layer import MapLayer
from dashboards.stats.words import plain
from himalaya_core.climbers.board import Board

__all__ = ["CLIMBERS_LAYERS", "draw_climbers_map", "extent"]

CLIMBERS_LAYERS: Final = {
    layer.name: layer
    for layer in (
        MapLayer("stands", "All levels", "stand", "stands", "stands"),
        MapLayer("climbed_to", "Steps", "step to there", "steps to there", "climbed_to"),
        MapLayer("low", "Levels 1 to 3", "stand on levels 1 to 3", "stands on levels 1 to 3", "low"),
        MapLayer("middle", "Levels 4 to 7", "stand on levels 4 to 7", "stands on levels 4 to 7", "middle"),
        MapLayer("high", "Level 8 and higher", "stand on level 8 or higher", "stands on level 8 or higher", "high"),
    )
}

EDGE: Final = 40
"""The edge of a square."""
MARGIN: Final = 30
Square = tuple[int, int]


def draw_climbers_map(
    _board: Board, layer: MapLayer, rows: pl.DataFrame, _lines: pl.DataFrame | None, names: Sequence[str], said: str
) -> str:
    """Return the map and its legend as markup, see `DrawMap`."""
    is_difference = bool(names)
    column = "per_seat_difference" if is_difference else "total"
    unit = f"{layer.many} per 100 seats" if is_difference else layer.many
    squares = {(x, y): value for x, y, value in rows.select("square_x", "square_y", column).iter_rows()}
    shown = Layer(dict(enumerate(squares.values())), villages_unit=unit, is_difference=is_difference)
    left, right, low, high = extent(squares)
    wide, tall = (right - left) * EDGE, (high - low) * EDGE
    box = f"{-MARGIN} {-MARGIN} {wide + 2 * MARGIN} {tall + 2 * MARGIN}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="squares" viewBox="{box}" role="img"'
    ground = f'<rect class="land tone-1" width="{wide}" height="{tall}"/>'
    parts = [ground, *_squares(squares, shown, left, high), _opening(left, high), *_numbers(left, right, low, high)]
    return f'{head} aria-label="{attribute(said)}">{"".join(parts)}</svg>{legend(shown, *names)}'


def extent(squares: Mapping[Square, float]) -> tuple[int, int, int, int]:
    """Return the least x, the x beyond the greatest, and the same of y, of the opening and all squares stood on."""
    across, deep = (edge // 2 for edge in OPENING)
    xs, ys = [x for x, _ in squares], [y for _, y in squares]
    return min([-across, *xs]), max([across - 1, *xs]) + 1, min([-deep, *ys]), max([deep - 1, *ys]) + 1


def _squares(squares: Mapping[Square, float], layer: Layer, left: int, high: int) -> list[str]:
    values = layer.villages.values()
    least, most = min(values, default=0), max(values, default=0)
    furthest = max(abs(least), abs(most))
    drawn = []
    for (x, y), value in squares.items():
        if layer.is_difference:
            look, text = side(abs(value) / furthest if furthest else 0, value), difference_label(value)
        else:
            look, text = f"heat-{step_of(value, least, most)}", short(value)
        corner = f"translate({(x - left) * EDGE} {(high - 1 - y) * EDGE})"
        title = f"Square {plain(x, 0)}, {plain(y, 0)}: {text if layer.is_difference else f'{value:,.0f}'}"
        drawn.append(
            f'<g class="place square-place {look}" transform="{corner}"><title>{title} {layer.villages_unit}</title>'
            f'<rect width="{EDGE}" height="{EDGE}"/>'
            f'<text class="count" x="{EDGE // 2}" y="{EDGE // 2}">{text}</text></g>'
        )
    return drawn


def _opening(left: int, high: int) -> str:
    across, deep = OPENING
    corner = f'x="{(-across // 2 - left) * EDGE}" y="{(high - deep // 2) * EDGE}"'
    size = f'width="{across * EDGE}" height="{deep * EDGE}"'
    return f'<rect class="squares-opening" {corner} {size}><title>The cuboid of a generated opening</title></rect>'


def _numbers(left: int, right: int, low: int, high: int) -> list[str]:
    """Return the numbers of columns and rows along two edges."""
    below = (high - low) * EDGE + MARGIN // 2
    across = [
        f'<text class="land-name" x="{(x - left) * EDGE + EDGE // 2}" y="{below}">{plain(x, 0)}</text>'
        for x in range(left, right)
    ]
    up = [
        f'<text class="land-name" x="{-MARGIN // 2}" y="{(high - 1 - y) * EDGE + EDGE // 2}">{plain(y, 0)}</text>'
        for y in range(low, high)
    ]
    return across + up
