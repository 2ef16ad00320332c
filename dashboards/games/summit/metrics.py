"""The metrics of summit, each defined once; `metrics.py` joins them to those of any game."""

from typing import Final

from dashboards.games.shared.metrics import OF_FILTER, SAMPLED
from dashboards.stats.metric import GROUPED, WILSON, Metric

__all__ = ["SUMMIT_KEYS", "SUMMIT_METRICS"]

SUMMIT_KEYS: Final = frozenset({"choice", "fall", "field", "figure", "outcome", "part", "terrain"})
ENDINGS: Final = "dashboards/games/summit/outcomes.py"
DEEDS: Final = "dashboards/games/summit/actions.py"
TRAFFIC: Final = "dashboards/games/summit/traffic.py"
COURSES: Final = "dashboards/games/summit/progress.py"
TYPE_7: Final = "quartiles: Hyndman and Fan 1996, type 7"

SUMMIT_METRICS: Final = (
    Metric(
        "outcome_share",
        "How often a player's match ends so: it won (alone or shared) on the summit or by bad weather, or lost to"
        " another's climber on the summit or by bad weather.",
        "seats that ended so / played",
        f"{ENDINGS}; interval: {WILSON}",
        "player, outcome",
        "share, 0 to 1",
    ),
    Metric(
        "weather_share",
        "Which part of the matches of tables of the size ends so: with a climber on the summit, or by bad weather.",
        "matches that end so / of_matches",
        f"{ENDINGS}; interval: {WILSON}",
        "players, ending",
        "share, 0 to 1",
    ),
    Metric(
        "throws_taken",
        "How many throws of all dice a match takes that ends so, the last one included.",
        "mean over matches",
        f"{ENDINGS}; interval: {GROUPED}; {TYPE_7}",
        "players, ending",
        "throws a match",
    ),
    Metric(
        "height",
        "How high a seat is: the field of its climber, or the sum of the fields of its four Sherpas; at the end, or"
        " after a throw, before the next, if a tenth of the player's seats met it.",
        "mean over seats",
        f"{ENDINGS}; interval: {GROUPED}; {TYPE_7}",
        "figure, player (and round)",
        "fields",
    ),
    Metric(
        "dice_pips",
        "What a seat gets of its dice in a match. Luck: by how much the mean of the throws from which it took its dice"
        " was above 3.5. Left: by how much the mean of what others had left of them was above that. Choice: by how much"
        " what it took was above the mean of what was left. Unused: what of the numbers on its dice and cards moved"
        " nothing. The pips of its dice are 3.5 for each and the first three.",
        "Σ over its dice (mean of the throw − 3.5; mean of what is left − mean of the throw; face − mean of what is"
        " left); unused: half of a number moved back by, what is beyond the summit, forfeited dice",
        f"{DEEDS}; interval: {GROUPED}",
        "player, part",
        "pips a seat and match",
    ),
    Metric(
        "fields_climbed",
        "How many fields a seat gains, or loses if negative, in a match: its climber; its Sherpas by dice and cards, by"
        " going along, by going back, down slides, chased by the Yeti.",
        "Σ fields / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, kind",
        "fields a seat and match",
    ),
    Metric(
        "falls",
        "How often Sherpas of a seat are sent back in a match: down a slide; by the Yeti that comes upon them, whose"
        " field their climber leaves, or onto which they slide.",
        "number / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, fall",
        "times a seat and match",
    ),
    Metric(
        "cards",
        "How many supply cards a seat plays in a match, by how much it moves by them, how many it takes back in high"
        " camps, and how often it might and does not.",
        "number / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, kind",
        "a seat and match",
    ),
    Metric(
        "turns",
        "How many turns the player had in which it chose something.",
        "number of turns that ended with a move or a forfeited die",
        DEEDS,
        "player",
        "turns",
    ),
    Metric(
        "turn_share",
        "Which part of the player's turns moves its climber, a Sherpa up, one back, or nothing, as no die fits.",
        "turns that moved it / turns",
        f"{DEEDS}; interval: {WILSON}",
        "player, choice",
        "share, 0 to 1",
    ),
    Metric(
        "visits",
        "How often a pawn came to the field by a die or card, or went along to it." + OF_FILTER,
        "number of arrivals, those by slides and chases left out",
        TRAFFIC,
        "field",
        "arrivals",
    ),
    Metric(
        "visit_share",
        "Which part of all arrivals were on the field.",
        "arrivals on the field / arrivals anywhere",
        f"{TRAFFIC}; interval: {WILSON}; {SAMPLED}",
        "field",
        "share, 0 to 1",
    ),
    Metric(
        "climbers",
        "How often a climber came to the field." + OF_FILTER,
        "number of arrivals of climbers",
        TRAFFIC,
        "field",
        "arrivals",
    ),
    Metric(
        "sherpas",
        "How often a Sherpa came to the field by a die or card." + OF_FILTER,
        "number of arrivals of Sherpas by a die or card",
        TRAFFIC,
        "field",
        "arrivals",
    ),
    Metric(
        "alongs",
        "How often a Sherpa went on to the field by the number of those it met, or was taken along." + OF_FILTER,
        "number of arrivals of Sherpas so",
        TRAFFIC,
        "field",
        "arrivals",
    ),
    Metric(
        "lost",
        "How many Sherpas were sent back from the field." + OF_FILTER,
        "slid + chased",
        TRAFFIC,
        "field",
        "Sherpas",
    ),
    Metric(
        "lost_per_match",
        "How many Sherpas are sent back from the field in a match with such a seat." + OF_FILTER,
        "lost / matches",
        f"{TRAFFIC}; interval: {GROUPED}; {SAMPLED}",
        "field",
        "Sherpas a match",
    ),
    Metric(
        "slid",
        "How many Sherpas slid down from the field." + OF_FILTER,
        "number of slides",
        TRAFFIC,
        "field",
        "Sherpas",
    ),
    Metric(
        "chased",
        "How many Sherpas the Yeti chased from the field." + OF_FILTER,
        "number of chases",
        TRAFFIC,
        "field",
        "Sherpas",
    ),
    Metric(
        "times_per_match",
        "How often it happens in a match: the lead changes (before a next throw others would win than before it),"
        " Sherpas go along, slide, are chased by the Yeti, dice are thrown instead of the last one being taken, a die"
        " moves nothing.",
        "number / matches",
        f"{COURSES}; interval: {GROUPED}; {TYPE_7}",
        "kind, players",
        "times a match",
    ),
    Metric(
        "behind_share",
        "Which part of the player's wins were from behind: a winner of the match would have come last, scored before"
        " another throw in the second half of its throws.",
        "wins of matches with a comeback / wins",
        f"{COURSES}; interval: {WILSON}",
        "player",
        "share, 0 to 1",
    ),
)
