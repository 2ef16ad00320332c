"""Places of counts in The Climbers: the levels of climbers."""

from collections.abc import Mapping
from typing import Final

from dashboards.warehouse.places import Place

__all__ = ["CLIMBERS_PLACES"]

STOOD: Final = "(from fct_climbers_standings semi join sampled using (match_id, seat))"

CLIMBERS_PLACES: Final[Mapping[str, Place]] = {
    "levels_stood": Place(
        f"select match_id, seat, round, level, 1 as x from {STOOD} where x is not null",
        "agg_climbers_cells",
        "stands",
        ("level",),
        is_sparse=True,
    ),
}
"""Climbers after each turn, by their level."""
