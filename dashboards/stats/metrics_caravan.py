"""The metrics of caravan, each defined once; `metrics.py` joins them to those of any game."""

from typing import Final

from dashboards.stats.metric import GROUPED, WILSON, Metric

__all__ = ["CARAVAN_KEYS", "CARAVAN_METRICS"]

CARAVAN_KEYS: Final = frozenset(
    {"ending", "influence", "level", "road", "round", "tie_break", "village", "village_a", "village_b"}
)
ENDINGS: Final = "dashboards/stats/caravan_endings.py"
TRAFFIC: Final = "dashboards/stats/caravan_traffic.py"
TYPE_7: Final = "quartiles: Hyndman and Fan 1996, type 7"

CARAVAN_METRICS: Final = (
    Metric(
        "seats",
        "How many seats the row counts.",
        "number of seats in finished matches",
        ENDINGS,
        "any",
        "seats",
    ),
    Metric(
        "ending_share",
        "How often a player's match ends so: won (alone or shared), out for least religious or political influence,"
        " or stayed in and lost.",
        "seats that ended so / played",
        f"{ENDINGS}; interval: {WILSON}",
        "player, ending",
        "share, 0 to 1",
    ),
    Metric(
        "points",
        "How much of an influence a seat has: religious and political in points, economic in yaks; at the end, or at"
        " the end of a round, before any elimination.",
        "mean over seats",
        f"{ENDINGS}; interval: {GROUPED}; {TYPE_7}",
        "player, influence (and round)",
        "points; economic: yaks",
    ),
    Metric(
        "eliminations",
        "How many seats were eliminated in the final scoring.",
        "number of seats",
        ENDINGS,
        "influence, player or influence, tie_break",
        "seats",
    ),
    Metric(
        "out_share",
        "How often the player is eliminated for having least of the influence.",
        "eliminations by it / played",
        f"{ENDINGS}; interval: {WILSON}",
        "influence, player",
        "share, 0 to 1",
    ),
    Metric(
        "margin",
        "By how much an eliminated seat had less than the next seat that was still in; 0 is a tie.",
        "least of the seats that were still in − its own, over its eliminations",
        f"{ENDINGS}; {TYPE_7}",
        "influence, player",
        "points",
    ),
    Metric(
        "tied",
        "How many of the eliminations were decided by a tie-break.",
        "number of eliminations with a tie-break",
        ENDINGS,
        "influence, player",
        "seats",
    ),
    Metric(
        "tie_share",
        "How often eliminations by the influence were decided so.",
        "eliminations decided so / eliminations by the influence",
        f"{ENDINGS}; interval: {WILSON}",
        "influence, tie_break",
        "share, 0 to 1",
    ),
    Metric(
        "arrivals",
        "How often a caravan came to the village, setting out included.",
        "number of arrivals",
        TRAFFIC,
        "village",
        "arrivals",
    ),
    Metric(
        "arrival_share",
        "Which part of all arrivals were in the village.",
        "arrivals in the village / arrivals anywhere",
        f"{TRAFFIC}; interval: {WILSON}",
        "village",
        "share, 0 to 1",
    ),
    Metric(
        "journeys",
        "How often the road was travelled, either way.",
        "number of journeys",
        TRAFFIC,
        "village_a, village_b",
        "journeys",
    ),
    Metric(
        "journey_share",
        "Which part of all journeys went along the road.",
        "journeys along the road / journeys along any",
        f"{TRAFFIC}; interval: {WILSON}",
        "village_a, village_b",
        "share, 0 to 1",
    ),
    Metric(
        "collected",
        "How many goods were taken in trades.",
        "number of trades that took a good",
        TRAFFIC,
        "village",
        "goods",
    ),
    Metric(
        "delivered",
        "How many orders were delivered.",
        "number of trades that delivered",
        TRAFFIC,
        "village",
        "deliveries",
    ),
    Metric(
        "voided",
        "How many programmed trades came to nothing.",
        "number of voided trades",
        TRAFFIC,
        "village",
        "trades",
    ),
)
