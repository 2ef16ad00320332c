"""The map of caravan: its layers, and how one of them is drawn on a board, with its legend."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from dashboards.boards.traffic.board import board_map
from dashboards.boards.traffic.layers import Layer
from dashboards.boards.traffic.legends import legend
from dashboards.games.caravan.places import CARAVAN_PLACES
from dashboards.games.map_layer import MapLayer, unsure_places
from himalaya_core.caravan.board import Board

__all__ = ["CARAVAN_LAYERS", "draw_caravan_map"]

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
    """Return the map and its legend as markup, see `map_layer.DrawMap`."""
    shown = _shown(layer, rows, roads, is_difference=bool(names))
    return board_map(board, shown, said) + legend(shown, *names)


def _shown(layer: MapLayer, rows: pl.DataFrame, roads: pl.DataFrame | None, *, is_difference: bool) -> Layer:
    """Return the numbers that are drawn."""
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
