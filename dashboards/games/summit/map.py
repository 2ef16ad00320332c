"""Summit: the layers of its map, and how one is drawn on the route, which winds up the mountain as in a replay.

Fields are discs, larger and darker for more. In a difference, more has one colour and a plus, fewer another colour and
a minus. Only classes and numbers are written here; assets/app.css and assets/figures.css have the colours.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

import polars as pl

from dashboards.boards.track.route import Point, Route, lay_out
from dashboards.boards.traffic.board import attribute, side, step_of
from dashboards.boards.traffic.layers import Layer, difference_label, short
from dashboards.boards.traffic.legends import legend
from dashboards.games.map_layer import MapLayer, unsure_places
from dashboards.games.summit.board import UNNAMED, kind_of_field
from himalaya_core.summit.board import Board

__all__ = ["ARROW", "ROOMS", "SUMMIT_LAYERS", "draw_summit_map", "laid_in"]

SUMMIT_LAYERS: Final = {
    layer.name: layer
    for layer in (
        MapLayer("visits", "Fields visited", "arrival", "arrivals", "visits"),
        MapLayer("climbers", "Climbers", "arrival of a climber", "arrivals of climbers", "climbers"),
        MapLayer("alongs", "Going along", "Sherpa that went along", "Sherpas that went along", "alongs"),
        MapLayer("lost", "Sherpas sent back", "Sherpa sent back", "Sherpas sent back", "lost"),
        MapLayer("slid", "Slides", "slide", "slides", "slid"),
        MapLayer("chased", "The Yeti's chases", "Sherpa chased", "Sherpas chased", "chased"),
    )
}

ROOMS: Final = {"route-broad": (1000.0, 680.0), "route-narrow": (560.0, 1000.0)}
"""The map is laid out twice, for a page and for a phone; assets/figures.css shows the one that fits."""
SMALLEST, LARGEST = 15.0, 25.0
TRIM: Final = 24.0
ARROW: Final = "M0 0L-9 4.5L-6.5 0L-9 -4.5Z"


def draw_summit_map(
    board: Board, layer: MapLayer, rows: pl.DataFrame, _lines: pl.DataFrame | None, names: Sequence[str], said: str
) -> str:
    """Return the map and its legend as markup, see `DrawMap`."""
    is_difference = bool(names)
    column = "per_seat_difference" if is_difference else "total"
    unit = f"{layer.many} per 100 seats" if is_difference else layer.many
    values, unsure = dict(rows.select("field", column).iter_rows()), unsure_places(rows, ("field",))
    shown = Layer(values, villages_unit=unit, is_difference=is_difference, unsure=unsure)
    drawn = [_drawn(board, shown, look, room, said) for look, room in ROOMS.items()]
    return f"{''.join(drawn)}{legend(shown, *names)}"


def _drawn(board: Board, shown: Layer, look: str, room: tuple[float, float], said: str) -> str:
    laid = laid_in(board, room)
    inside = (
        *_mountain(laid),
        *_slides(board, laid),
        *_fields(board, shown, laid, is_named=look == "route-broad"),
    )
    box = f'viewBox="0 0 {room[0]:g} {room[1]:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="{look}" {box} role="img" aria-label="{attribute(said)}">'
    return f"{head}{''.join(inside)}</svg>"


def laid_in(board: Board, room: tuple[float, float]) -> Route:
    """Return where the route of a board goes in a room; its slides are in the order of the board."""
    slides = tuple((source, slide.to) for source, slide in board.slides.items())
    return lay_out(board.summit + 1, room, tuple(sorted(board.snow)), slides, TRIM)


def _mountain(laid: Route) -> list[str]:
    line = "M" + "L".join(_point(point) for point in laid.line)
    return [
        *(
            f'<polygon class="land {tone}" points="{" ".join(map(_point, points))}"/>'
            for tone, points in (("tone-1", laid.mountain), ("tone-2", laid.snow))
        ),
        f'<path class="map-route-edge" d="{line}"/><path class="map-route" d="{line}"/>',
    ]


def _slides(board: Board, laid: Route) -> list[str]:
    return [
        f"<g><title>{str(slide.kind).capitalize()} from field {source} to field {slide.to}</title>"
        f'<path class="map-slide" d="{drawn.curve}"/>'
        f'<path class="map-slide-end" d="{ARROW}" transform="{drawn.head}"/></g>'
        for (source, slide), drawn in zip(board.slides.items(), laid.slides, strict=True)
    ]


def _fields(board: Board, layer: Layer, laid: Route, *, is_named: bool) -> list[str]:
    values: Mapping[int, float] = layer.villages
    least, most = min(values.values(), default=0), max(values.values(), default=0)
    furthest = max(abs(least), abs(most))
    discs, names = [], []
    for field, (x, y) in enumerate(laid.points):
        kind, value = kind_of_field(board, field), values.get(field)
        called = f"Field {field}" if kind == "open" else f"Field {field}, {kind}"
        if value is None:  # the cave, on which no pawn can stand
            radius, look, text, said = SMALLEST, "place-quiet", "", called
        elif not value:
            radius, look, text, said = SMALLEST, "place-quiet", "", f"{called}: no {layer.villages_unit}"
        elif layer.is_difference:
            part = abs(value) / furthest if furthest else 0
            radius, look = _radius(part), side(part, value, is_sure=layer.is_sure(field))
            text = difference_label(value)
            said = f"{called}: {text} {layer.villages_unit}"
        else:
            radius = _radius(value / most if most else 0)
            look, text = f"heat-{step_of(value, least, most)}", short(value)
            said = f"{called}: {value:,.0f} {layer.villages_unit}"
        name = f"{field} {kind}" if is_named and kind not in UNNAMED else str(field)
        count = f'<text class="count">{text}</text>' if text else ""
        place = f'transform="translate({x:.1f} {y:.1f})" style="--radius-of:{radius:.1f}"'
        title = f"<title>{said}</title>"
        discs.append(f'<g class="place field-place {look}" {place}>{title}<circle r="{radius:.1f}"/>{count}</g>')
        beside = ("", " beside-right", " beside-left")[laid.named[field]]
        names.append(f'<g class="field-place" {place}><text class="name{beside}">{name}</text></g>')
    return discs + names


def _radius(part: float) -> float:
    return SMALLEST + (LARGEST - SMALLEST) * sqrt(part)


def _point(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
