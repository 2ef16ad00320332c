"""Counts of events in villages, in regions and on roads of caravan."""

from typing import Final

from dashboards.charts.dots import percent
from dashboards.games.figure import Defined
from dashboards.games.shared.place_counts import Also, Per, PlaceCounts
from dashboards.stats.words import hundredths, plain, whole

__all__ = ["CONTESTED", "DELEGATIONS", "REGIONS", "ROADS", "STUPAS", "VILLAGES"]

VILLAGE: Final = {"village": "Village"}
LEVEL: Final = {"level": "Level"}
REGION: Final = {"region": "Region"}
VILLAGE_NAME: Final = "Village {village}, level {level}"
REGION_NAME: Final = "Region {region}"

ROADS: Final = PlaceCounts(
    name="roads",
    title="Journeys on roads",
    counted=Defined(
        "journeys", "Journeys", "How often the road was travelled, either way.", "number of journeys", "journeys"
    ),
    value=Defined(
        "journey_share",
        "Share",
        "What share of all journeys went along the road.",
        "journeys along the road / journeys along any",
    ),
    per=Per.ALL,
    keys={"village_a": "From", "village_b": "To"},
    about={"road": "Road"},
    called="{village_a}\N{EN DASH}{village_b}, {road}",
    most="The {road} road {village_a}\N{EN DASH}{village_b} is the busiest: it carries {1} of {of}",
    least="The {road} road {village_a}\N{EN DASH}{village_b} is the quietest: it carries {1} of {of}",
    plain="The {road} road {village_a}\N{EN DASH}{village_b} carries {1} of {of}",
    none="No road was travelled under these filters.",
    shown=percent,
    noun=("journey",),
)
VILLAGES: Final = PlaceCounts(
    name="villages",
    title="Arrivals in villages",
    counted=Defined(
        "arrivals",
        "Arrivals",
        "How often a caravan came to the village, setting out included.",
        "number of arrivals",
        "arrivals",
    ),
    value=Defined(
        "arrival_share",
        "Share",
        "What share of all arrivals were in the village.",
        "arrivals in the village / arrivals anywhere",
    ),
    per=Per.ALL,
    keys=VILLAGE,
    about=LEVEL,
    called="Village {village}",
    most="Village {village} is visited most: it has {1} of {of}",
    least="Village {village} is visited least: it has {1} of {of}",
    plain="Village {village} has {1} of {of}",
    none="No caravan arrived anywhere under these filters.",
    shown=percent,
    noun=("arrival",),
    also=Also(
        "agg_caravan_villages",
        (
            Defined(
                "collected",
                "Goods collected",
                "How many goods were taken in trades.",
                "number of trades that took a good",
                "goods",
            ),
            Defined(
                "delivered",
                "Deliveries",
                "How many orders were delivered.",
                "number of trades that delivered",
                "deliveries",
            ),
            Defined(
                "voided",
                "Trades voided",
                "How many planned trades came to nothing.",
                "number of voided trades",
                "trades",
            ),
            Defined("too_late", "Too late", "", "", ""),
        ),
    ),
)
STUPAS: Final = PlaceCounts(
    name="stupas",
    title="Stupas by village",
    counted=Defined("stupas", "Stupas", "How many stupas were placed in the village.", "number of stupas", "stupas"),
    value=Defined(
        "stupa_share",
        "Share of matches",
        "In what share of matches a stupa was placed in the village; it takes only one.",
        "stupas / matches",
    ),
    per=Per.MATCHES,
    keys=VILLAGE,
    about=LEVEL,
    called=VILLAGE_NAME,
    most="Village {village} (level {level}) gets a stupa most often: in {1} of {of}",
    least="Village {village} (level {level}) gets a stupa least often: in {1} of {of}",
    plain="Village {village} (level {level}) gets a stupa in {1} of {of}",
    none="No stupa was placed under these filters.",
    shown=percent,
)
CONTESTED: Final = PlaceCounts(
    name="contested",
    title="Contested villages",
    section="why",
    counted=Defined(
        "contests",
        "Rivals met",
        "How often a player ran into a rival in the village: two or more wanted the same goods or order in one round.",
        "number of (seat, round) in which two seats or more traded there, lacked goods for its order or came too late",
        "seats and rounds",
    ),
    value=Defined(
        "contests_per_match",
        "Per match",
        "How often players run into a rival in the village in a match.",
        "contests / matches",
        "per match",
    ),
    per=Per.MATCH,
    keys=VILLAGE,
    about=LEVEL,
    called=VILLAGE_NAME,
    most="In village {village}, players run into a rival most often: {1} times a match",
    least="In village {village}, players run into a rival least often: {1} times a match",
    plain="In village {village}, players run into a rival {1} times a match",
    none="No village was contested under these filters.",
    shown=hundredths,
    also=Also(
        "agg_caravan_villages",
        (
            Defined(
                "too_late",
                "Too late",
                "How many trades came too late: the seat could have made them, had another not taken the last goods or"
                " the order of that village earlier in the round.",
                "number of voided trades that were possible before another seat's; who lacks the goods for an order, or"
                " has collected there already, does not count",
                "trades",
            ),
        ),
    ),
    closing=lambda frame: f" In all, {whole(frame['too_late'].sum(), 'trade')} came too late.",
)
REGIONS: Final = PlaceCounts(
    name="regions",
    title="Regions that change hands",
    section="why",
    counted=Defined(
        "flips",
        "Flips",
        "How often the region passed to a seat from another, with or without a tie in between.",
        "number of rounds at the end of which a seat led the region and another had led it last",
        "flips",
    ),
    value=Defined(
        "flips_per_match",
        "Per match",
        "How often the region passes to a seat from another in a match.",
        "flips / matches",
        "flips per match",
    ),
    per=Per.MATCH,
    keys=REGION,
    called=REGION_NAME,
    most="Region {region} changes hands most often: {1} times a match",
    least="Region {region} changes hands least often: {1} times a match",
    plain="Region {region} changes hands {1} times a match",
    none="No region passed from one leader to another under these filters.",
    shown=hundredths,
    also=Also(
        "agg_caravan_regions",
        (
            Defined(
                "leads",
                "Rounds led",
                "Rounds that ended with a seat leading the region, with more delegations than any other seat.",
                "number of (match, round)",
                "rounds",
            ),
        ),
    ),
)
DELEGATIONS: Final = PlaceCounts(
    name="delegations",
    title="Delegations by region",
    counted=Defined(
        "delegations",
        "Delegations",
        "How many delegations were sent to the region.",
        "number of delegations",
        "delegations",
    ),
    value=Defined(
        "delegations_per_match",
        "Per match",
        "How many delegations are sent to the region in a match.",
        "delegations / matches",
        "delegations per match",
    ),
    per=Per.MATCH,
    keys=REGION,
    called=REGION_NAME,
    most="Region {region} receives the most delegations: {1} a match",
    least="Region {region} receives the fewest delegations: {1} a match",
    plain="Region {region} receives {1} delegations a match",
    none="No delegation was sent under these filters.",
    shown=plain,
)
