"""Places of counts on the route of summit: fields."""

from collections.abc import Mapping
from typing import Final

from dashboards.games.summit.figures.shared import FIELDS
from dashboards.warehouse.places import Place

__all__ = ["SUMMIT_PLACES"]

CAME: Final = "select match_id, seat, round, to_field as field, 1 as x from fct_summit_moves where "
LEFT: Final = "select match_id, seat, round, from_field as field, 1 as x from fct_summit_moves where "
BY_OWN: Final = "kind not in ('slid', 'chased')"
WITH_SUMS: Final = f"(select *, climbers + sherpas + alongs as visits, slid + chased as lost from {FIELDS})"

SUMMIT_PLACES: Final[Mapping[str, Place]] = {
    "visits": Place(CAME + BY_OWN, WITH_SUMS, "visits", ("field",)),
    "climbers": Place(CAME + "piece = 'C'", WITH_SUMS, "climbers", ("field",)),
    "alongs": Place(CAME + "kind in ('went_on', 'taken_along')", WITH_SUMS, "alongs", ("field",)),
    "lost": Place(LEFT + "kind in ('slid', 'chased')", WITH_SUMS, "lost", ("field",)),
    "slid": Place(LEFT + "kind = 'slid'", WITH_SUMS, "slid", ("field",)),
    "chased": Place(LEFT + "kind = 'chased'", WITH_SUMS, "chased", ("field",)),
}
"""Pawns that came to a field by dice, cards or with another, and Sherpas that were sent back from it."""
