"""The metrics of caravan, each defined once; `metrics.py` joins them to those of any game."""

from typing import Final

from dashboards.stats.metric import GROUPED, WILSON, Metric

__all__ = ["CARAVAN_KEYS", "CARAVAN_METRICS"]

CARAVAN_KEYS: Final = frozenset(
    {
        "effect",
        "ending",
        "influence",
        "kind",
        "level",
        "pair",
        "reason",
        "road",
        "round",
        "source",
        "tie_break",
        "token",
        "village",
        "village_a",
        "village_b",
    }
)
ENDINGS: Final = "dashboards/stats/caravan_endings.py"
TRAFFIC: Final = "dashboards/stats/caravan_traffic.py"
DEEDS: Final = "dashboards/stats/caravan_deeds.py"
COURSES: Final = "dashboards/stats/caravan_courses.py"
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
        "matches",
        "How many matches the row counts.",
        "number of finished matches",
        COURSES,
        "any",
        "matches",
    ),
    Metric(
        "decided_share",
        "In which part of the matches the round was decisive: from its end on, and no earlier, the later winner would"
        " have won at every round's end, had it been scored there. Without a round: not even at the last.",
        "matches decided by that round / matches",
        f"{COURSES}; interval: {WILSON}",
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "decided_by",
        "Which part of the matches is decided by the end of the round.",
        "Σ decided_share over rounds up to this one",
        COURSES,
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "wins",
        "How many matches the player won, alone or shared.",
        "number of seats that won",
        COURSES,
        "player",
        "seats",
    ),
    Metric(
        "comebacks",
        "How many of its wins were comebacks.",
        "number of comebacks",
        COURSES,
        "player",
        "seats",
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
)
