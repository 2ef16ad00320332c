"""The metrics of caravan, each defined once; `metrics.py` joins them to those of any game."""

from typing import Final

from dashboards.games.shared.metrics import OF_FILTER, SAMPLED
from dashboards.stats.metric import GROUPED, WILSON, Metric

__all__ = ["CARAVAN_KEYS", "CARAVAN_METRICS"]

CARAVAN_KEYS: Final = frozenset(
    {
        "effect",
        "influence",
        "level",
        "pair",
        "reason",
        "region",
        "resource",
        "road",
        "source",
        "tie_break",
        "token",
        "village",
        "village_a",
        "village_b",
    }
)
ENDINGS: Final = "dashboards/games/caravan/outcomes.py"
TRAFFIC: Final = "dashboards/games/caravan/traffic.py"
DEEDS: Final = "dashboards/games/caravan/actions.py"
COURSES: Final = "dashboards/games/caravan/progress.py"
TYPE_7: Final = "quartiles: Hyndman and Fan 1996, type 7"

CARAVAN_METRICS: Final = (
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
        "How often a caravan came to the village, setting out included." + OF_FILTER,
        "number of arrivals",
        TRAFFIC,
        "village",
        "arrivals",
    ),
    Metric(
        "arrival_share",
        "Which part of all arrivals were in the village.",
        "arrivals in the village / arrivals anywhere",
        f"{TRAFFIC}; interval: {WILSON}; {SAMPLED}",
        "village",
        "share, 0 to 1",
    ),
    Metric(
        "journeys",
        "How often the road was travelled, either way." + OF_FILTER,
        "number of journeys",
        TRAFFIC,
        "village_a, village_b",
        "journeys",
    ),
    Metric(
        "journey_share",
        "Which part of all journeys went along the road.",
        "journeys along the road / journeys along any",
        f"{TRAFFIC}; interval: {WILSON}; {SAMPLED}",
        "village_a, village_b",
        "share, 0 to 1",
    ),
    Metric(
        "collected",
        "How many goods were taken in trades." + OF_FILTER,
        "number of trades that took a good",
        TRAFFIC,
        "village",
        "goods",
    ),
    Metric(
        "delivered",
        "How many orders were delivered." + OF_FILTER,
        "number of trades that delivered",
        TRAFFIC,
        "village",
        "deliveries",
    ),
    Metric(
        "voided",
        "How many programmed trades came to nothing." + OF_FILTER,
        "number of voided trades",
        TRAFFIC,
        "village",
        "trades",
    ),
    Metric(
        "yaks",
        "How many yaks a seat earns in a match by the source: discs kept (barter), markers won (inventory).",
        "yaks by the source / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, source",
        "yaks a seat and match",
    ),
    Metric(
        "yaks_share",
        "Which part of the player's yaks comes from the source.",
        "yaks by the source / all yaks of the player",
        f"{DEEDS}; interval: {GROUPED}",
        "player, source",
        "share, 0 to 1",
    ),
    Metric(
        "goods",
        "How many goods a seat takes in a match (in all, of each resource, at a market), gives in deliveries, holds at"
        " the end, when they are wasted; and how many deliveries it makes.",
        "number / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, kind",
        "a seat and match",
    ),
    Metric(
        "voids",
        "How many programmed actions of a seat come to nothing in a match, for each reason. Too late: a trade for what"
        " another seat had taken earlier in the round; it is counted under its other reason too.",
        "number / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, reason",
        "actions a seat and match",
    ),
    Metric(
        "deliveries",
        "How many orders the player delivered.",
        "number of deliveries",
        DEEDS,
        "player",
        "deliveries",
    ),
    Metric(
        "pair_share",
        "For which part of its deliveries the player takes these two rewards; fewer than two are taken only where no"
        " more are possible.",
        "deliveries with these rewards / deliveries",
        f"{DEEDS}; interval: {WILSON}",
        "player, pair",
        "share, 0 to 1",
    ),
    Metric(
        "placed_share",
        "In which part of the matches with tokens a seat places the token.",
        "seats that placed it / played, in matches with tokens",
        f"{DEEDS}; interval: {WILSON}",
        "player, token",
        "share, 0 to 1",
    ),
    Metric(
        "token_effect",
        "What one placed token does: actions of others that the Yeti stops or the snowstorm slows, goods that whoever"
        " placed the market gains there, or gives to others.",
        "number / tokens placed",
        f"{DEEDS}; interval: {GROUPED}",
        "player, effect",
        "actions or goods a token",
    ),
    Metric(
        "comeback_share",
        "Which part of the player's wins were comebacks: a winner of the match would have been eliminated, had it been"
        " scored at the end of round 6 or later.",
        "wins of matches with a comeback / wins",
        f"{COURSES}; interval: {WILSON}",
        "player",
        "share, 0 to 1",
    ),
    Metric(
        "per_match",
        "How often it happens in a match: the lead changes (others would win at a round's end than the last time"
        " anybody would), two seats or more go for what lies in one village in a round, a region passes from one"
        " leader to another.",
        "number / matches",
        f"{COURSES}; interval: {GROUPED}; {TYPE_7}",
        "kind, players",
        "times a match",
    ),
    Metric(
        "too_late",
        "How many trades came too late: for what another seat had taken in that village earlier in the round."
        + OF_FILTER,
        "number of voided trades for what was gone",
        TRAFFIC,
        "village",
        "trades",
    ),
    Metric(
        "contests",
        "How often a seat and another went in one round for what lay in the village." + OF_FILTER,
        "number of (seat, round) in which two seats or more traded there, lacked goods for its order or came too late",
        TRAFFIC,
        "village",
        "seats and rounds",
    ),
    Metric(
        "contests_per_match",
        "How many such contests the village has in a match with such a seat." + OF_FILTER,
        "contests / matches",
        f"{TRAFFIC}; interval: {GROUPED}; {SAMPLED}",
        "village",
        "a match",
    ),
    Metric(
        "stupas",
        "How many stupas were placed in the village." + OF_FILTER,
        "number of stupas",
        TRAFFIC,
        "village",
        "stupas",
    ),
    Metric(
        "stupa_share",
        "In which part of the matches with such a seat a stupa was placed in the village; it takes only one."
        + OF_FILTER,
        "stupas / matches",
        f"{TRAFFIC}; interval: {WILSON}; {SAMPLED}",
        "village",
        "share, 0 to 1",
    ),
    Metric(
        "delegations",
        "How many delegations were sent to the region." + OF_FILTER,
        "number of delegations",
        TRAFFIC,
        "region",
        "delegations",
    ),
    Metric(
        "delegations_per_match",
        "How many delegations are sent to the region in a match with such a seat." + OF_FILTER,
        "delegations / matches",
        f"{TRAFFIC}; interval: {GROUPED}; {SAMPLED}",
        "region",
        "delegations a match",
    ),
    Metric(
        "flips",
        "How often the region passed to a seat from another, whether or not there was a tie between." + OF_FILTER,
        "number of rounds at whose end a seat led the region and another had led it last",
        TRAFFIC,
        "region",
        "flips",
    ),
    Metric(
        "flips_per_match",
        "How often the region passes to a seat from another in a match with such a seat." + OF_FILTER,
        "flips / matches",
        f"{TRAFFIC}; interval: {GROUPED}; {SAMPLED}",
        "region",
        "flips a match",
    ),
    Metric(
        "leads",
        "At how many ends of rounds a seat led the region, with strictly most delegations." + OF_FILTER,
        "number of (match, round)",
        TRAFFIC,
        "region",
        "rounds",
    ),
    Metric(
        "supplied_per_match",
        "How many goods refills bring to the village in a match, in the filter's rounds; whoever plays.",
        "cubes drawn / matches",
        TRAFFIC,
        "village, resource",
        "goods a match",
    ),
    Metric(
        "demanded_per_match",
        "How many goods the orders demand that come to the village in a match, in the filter's rounds; whoever plays.",
        "cubes on orders / matches",
        TRAFFIC,
        "village, resource",
        "goods a match",
    ),
    Metric(
        "collected_per_match",
        "How many goods are taken in the village in a match, whether or not such a seat plays in it." + OF_FILTER,
        "goods taken / matches",
        TRAFFIC,
        "village, resource",
        "goods a match",
    ),
    Metric(
        "spent_per_match",
        "How many goods are given for deliveries in the village in a match, whether or not such a seat plays in it."
        + OF_FILTER,
        "goods given / matches",
        TRAFFIC,
        "village, resource",
        "goods a match",
    ),
)
