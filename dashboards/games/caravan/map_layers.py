"""Caravan: the layers of its map."""

from typing import Final

from dashboards.games.map_layer import MapLayer

__all__ = ["CARAVAN_LAYERS"]

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
