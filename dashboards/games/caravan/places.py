"""Places of counts on the map of caravan: villages, roads and regions."""

from collections.abc import Mapping
from typing import Final

from dashboards.warehouse.places import Place

__all__ = ["CARAVAN_PLACES"]

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
