"""The caravan map: its places, its layers, and how they are drawn on pages and in print."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Final

import polars as pl

from dashboards.boards.map import region_corners, two_tones
from dashboards.boards.traffic import Layer, board_map, legend, short
from dashboards.charts.svg import About, DrawFrame, colours, element, picture, words
from dashboards.charts.theme import LIGHT, Palette, Scheme, mixed
from dashboards.games.analytics import MapLayer, unsure_places
from dashboards.games.shared.places import board_context
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.traffic import Place
from himalaya_core.caravan.board import Board

__all__ = ["CARAVAN_LAYERS", "CARAVAN_PLACES", "caravan_drawings", "caravan_places", "draw_caravan_map"]


VILLAGES: Final = {"village": pl.Int64, "level": pl.Int64}
ROADS: Final = {"village_a": pl.Int64, "village_b": pl.Int64, "road": pl.String}


def caravan_places(board: Board | None) -> Mapping[str, pl.DataFrame]:
    """Return frames of places: `village, level`; `village_a, village_b, road` (smaller number first); and `region`."""
    villages = board.villages if board else ()
    roads = board.roads if board else ()
    regions = sorted({region for village in villages for region in village.regions})
    return {
        "village": _rows([(village.number, village.level) for village in villages], VILLAGES),
        "village_a": _rows([(*sorted(road.between), str(road.type)) for road in roads], ROADS),
        "region": _rows([(region,) for region in regions], {"region": pl.Int64}),
    }


def _rows(rows: list[tuple[object, ...]], schema: Mapping[str, type[pl.DataType]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")


REGIONS: Final = """select match_id, seat, round, unnest(range(1, 9)) as region,
    unnest([regions_1, regions_2, regions_3, regions_4, regions_5, regions_6, regions_7, regions_8]) as x
    from (from stg_caravan_delegations_sent semi join sampled using (match_id, seat))"""

CARAVAN_PLACES: Final[Mapping[str, Place]] = {
    "arrivals": Place(
        "select match_id, seat, round, village, 1 as x from fct_caravan_village_visits",
        "agg_caravan_villages",
        "arrivals",
        ("village",),
    ),
    "journeys": Place(
        "select match_id, seat, round, village_a, village_b, 1 as x from fct_caravan_road_visits",
        "agg_caravan_roads",
        "journeys",
        ("village_a", "village_b"),
    ),
    "stupas": Place(
        "select match_id, seat, round, village, 1 as x from stg_caravan_stupa_placed",
        "agg_caravan_villages",
        "stupas",
        ("village",),
    ),
    "contests": Place(
        "select match_id, seat, round, village, 1 as x from int_caravan_contests",
        "agg_caravan_villages",
        "contested",
        ("village",),
    ),
    "collected": Place(
        "select match_id, seat, round, village, 1 as x from stg_caravan_collected",
        "agg_caravan_villages",
        "collected",
        ("village",),
    ),
    "delivered": Place(
        "select match_id, seat, round, village, 1 as x from stg_caravan_delivered",
        "agg_caravan_villages",
        "delivered",
        ("village",),
    ),
    "delegations": Place(REGIONS, "agg_caravan_regions", "delegations", ("region",)),
    "flips": Place(
        "select match_id, seat, round, region, 1 as x from int_caravan_region_flips",
        "agg_caravan_regions",
        "flips_won",
        ("region",),
    ),
}


CARAVAN_LAYERS: Final = {
    layer.name: layer
    for layer in (
        MapLayer("arrivals", "Arrivals and journeys", "arrival", "arrivals", "arrivals", "journeys"),
        MapLayer("collected", "Goods collected", "good collected", "goods collected", "collected"),
        MapLayer("deliveries", "Deliveries", "delivery", "deliveries", "delivered"),
        MapLayer("stupas", "Stupas", "stupa", "stupas", "stupas"),
        MapLayer("delegations", "Delegations", "delegation", "delegations", "delegations"),
    )
}


def draw_caravan_map(
    board: Board, layer: MapLayer, rows: pl.DataFrame, roads: pl.DataFrame | None, names: Sequence[str], said: str
) -> str:
    """Return the map and its legend as markup (see `analytics.DrawMap`)."""
    shown = _shown(layer, rows, roads, is_difference=bool(names))
    return board_map(board, shown, said) + legend(shown, *names)


def _shown(layer: MapLayer, rows: pl.DataFrame, roads: pl.DataFrame | None, *, is_difference: bool) -> Layer:
    column = "per_seat_difference" if is_difference else "total"
    per = " per 100 seats" if is_difference else ""
    values = dict(rows.select(CARAVAN_PLACES[layer.what].by[0], column).iter_rows())
    journeys = (
        {(a, b): n for a, b, n in roads.select("village_a", "village_b", column).iter_rows()}
        if roads is not None
        else {}
    )
    is_regions = CARAVAN_PLACES[layer.what].by == ("region",)
    return Layer(
        {} if is_regions else values,
        journeys,
        values if is_regions else {},
        f"{layer.many}{per}" * (not is_regions),
        f"journeys{per}",
        f"{layer.many}{per}" * is_regions,
        is_difference,
        unsure_places(rows, CARAVAN_PLACES[layer.what].by)
        | (unsure_places(roads, ("village_a", "village_b")) if roads is not None else frozenset()),
    )


MARGIN: Final = 44
SMALLEST, LARGEST = 20.0, 34.0
THINNEST, WIDEST = 2.0, 14.0
NAME: Final = 14
LETTERS: Final = 16
KEY: Final = "disc: arrivals in the village; the wider and stronger a road, the more journeys along it"


def caravan_drawings(reader: Reader, where: Filter, frames: Mapping[str, pl.DataFrame]) -> dict[str, DrawFrame]:
    """Return drawings for print by figure name; villages and roads share the map in the villages' figure."""
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
