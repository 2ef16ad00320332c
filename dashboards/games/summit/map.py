"""The summit map: its fields, its layers, and how they are drawn on pages and in print."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Final

import polars as pl

from dashboards.boards.track import Point, Route, lay_out
from dashboards.boards.traffic import Layer, attribute, difference_label, legend, short, side, step_of
from dashboards.charts.svg import About, DrawFrame, colours, element, picture, words
from dashboards.charts.theme import LIGHT, Palette, Scheme
from dashboards.games.analytics import MapLayer, unsure_places
from dashboards.games.shared.places import board_context
from dashboards.games.summit.terms import FIELDS
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.traffic import Place
from himalaya_core.summit.board import Board

__all__ = [
    "ARROW",
    "ROOMS",
    "SUMMIT_LAYERS",
    "SUMMIT_PLACES",
    "UNNAMED",
    "draw_summit_map",
    "kind_of_field",
    "laid_in",
    "summit_drawings",
    "summit_places",
]


UNNAMED: Final = frozenset({"open", "landslide", "avalanche"})
"""Kinds of fields without a label on the map; arrows show the slides."""
FIELD_COLUMNS: Final = {"field": pl.Int64, "terrain": pl.String}


def summit_places(board: Board | None) -> Mapping[str, pl.DataFrame]:
    """Return a frame `field, terrain` of all fields where a pawn can stop or slide, starting with the base camp."""
    fields = range(board.summit + 1) if board else ()
    rows = [(field, kind_of_field(board, field)) for field in fields if board and field != board.cave]
    return {"field": pl.DataFrame(rows, schema=FIELD_COLUMNS, orient="row")}


def kind_of_field(board: Board, field: int) -> str:
    """Return the kind of a field: base camp, camp, cave, landslide, avalanche, snow, summit, or open."""
    if field in board.slides:
        return str(board.slides[field].kind)
    named = {0: "base camp", board.cave: "cave", board.summit: "summit"}
    return named.get(field) or ("camp" if field in board.camps else "snow" if field in board.snow else "open")


CAME: Final = "select match_id, seat, round, to_field as field, 1 as x from fct_summit_moves where "
LEFT: Final = "select match_id, seat, round, from_field as field, 1 as x from fct_summit_moves where "
WITH_SUMS: Final = f"(select *, climbers + sherpas + alongs + brought as visits, slid + chased as lost from {FIELDS})"

SUMMIT_PLACES: Final[Mapping[str, Place]] = {
    "visits": Place(CAME + "true", WITH_SUMS, "visits", ("field",)),
    "climbers": Place(CAME + "piece = 'C'", WITH_SUMS, "climbers", ("field",)),
    "alongs": Place(CAME + "kind in ('went_on', 'taken_along')", WITH_SUMS, "alongs", ("field",)),
    "lost": Place(LEFT + "kind in ('slid', 'chased')", WITH_SUMS, "lost", ("field",)),
    "slid": Place(LEFT + "kind = 'slid'", WITH_SUMS, "slid", ("field",)),
    "chased": Place(LEFT + "kind = 'chased'", WITH_SUMS, "chased", ("field",)),
}
"""Events counted by field: pawns that arrive in any way, and Sherpas sent back from there."""


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
"""Width and height of two layouts, for a wide screen and for a phone; assets/figures.css shows the layout that fits."""
SMALLEST, LARGEST = 15.0, 25.0
TRIM: Final = 24.0
ARROW: Final = "M0 0L-9 4.5L-6.5 0L-9 -4.5Z"


def draw_summit_map(
    board: Board, layer: MapLayer, rows: pl.DataFrame, _lines: pl.DataFrame | None, names: Sequence[str], said: str
) -> str:
    """Return the map and its legend as markup (see `DrawMap`)."""
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
    """Return the coordinates of the board's route in a room of this size; slides are in the order of the board."""
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
        if value is None:  # the cave, where no pawn can stop
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


WIDTH, HEIGHT = 1000.0, 680.0
SMALLEST_PRINTED, LARGEST_PRINTED = 15.0, 25.0
BELOW: Final = 40
"""Height in pixels of the mountain below the route."""
LETTERS: Final = 15
NAME: Final = 12
KEY: Final = "disc: arrivals of pawns on the field; arrow: where Sherpas slide down"


def summit_drawings(reader: Reader, where: Filter, frames: Mapping[str, pl.DataFrame]) -> dict[str, DrawFrame]:
    """Return drawings for print by figure name: the fields on a map of the route."""
    if frames.get("fields", pl.DataFrame()).is_empty():
        return {}
    board = board_context(reader, where).board
    return {"fields": partial(_map, board)} if isinstance(board, Board) else {}


def _map(board: Board, about: About, fields: pl.DataFrame, ink: Palette) -> str:
    scheme: Scheme = "light" if ink.card == LIGHT.card else "dark"
    land = colours(scheme)
    laid = laid_in(board, (WIDTH, HEIGHT))
    line = "M" + "L".join(map(_printed_point, laid.line))
    rock = [
        element(
            "polygon",
            {"points": " ".join(map(_printed_point, points)), "fill": land[tone], "stroke": land["--land-line"]},
        )
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
        radius = (
            round(SMALLEST_PRINTED + (LARGEST_PRINTED - SMALLEST_PRINTED) * sqrt((count or 0) / most), 1)
            if most
            else SMALLEST_PRINTED
        )
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


def _printed_point(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
