"""What is counted by place on the route of summit: fields."""

from collections.abc import Mapping
from typing import Final

from dashboards.warehouse.places import Place

__all__ = ["SUMMIT_PLACES"]

CAME: Final = "select match_id, seat, round, to_field as field, 1 as x from fct_summit_moves where "
LEFT: Final = "select match_id, seat, round, from_field as field, 1 as x from fct_summit_moves where "
BY_OWN: Final = "kind not in ('slid', 'chased')"
FIELDS: Final = "(select *, climbers + sherpas + alongs as visits, slid + chased as lost from agg_summit_fields)"

SUMMIT_PLACES: Final[Mapping[str, Place]] = {
    "visits": Place(CAME + BY_OWN, FIELDS, "visits", ("field",)),
    "climbers": Place(CAME + "piece = 'C'", FIELDS, "climbers", ("field",)),
    "alongs": Place(CAME + "kind in ('went_on', 'taken_along')", FIELDS, "alongs", ("field",)),
    "lost": Place(LEFT + "kind in ('slid', 'chased')", FIELDS, "lost", ("field",)),
    "slid": Place(LEFT + "kind = 'slid'", FIELDS, "slid", ("field",)),
    "chased": Place(LEFT + "kind = 'chased'", FIELDS, "chased", ("field",)),
}
"""Pawns that came to a field by dice, cards or with another, and Sherpas that were sent back from it."""
