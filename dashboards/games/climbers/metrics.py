"""The metrics of The Climbers, each defined once; `metrics.py` joins them to those of any game."""

from typing import Final

from dashboards.games.shared.metrics import OF_FILTER, SAMPLED
from dashboards.stats.metric import GROUPED, WILSON, Metric

__all__ = ["CLIMBERS_KEYS", "CLIMBERS_METRICS"]

CLIMBERS_KEYS: Final = frozenset({"figure", "level", "square_x", "square_y"})
ENDINGS: Final = "dashboards/games/climbers/outcomes.py"
DEEDS: Final = "dashboards/games/climbers/actions.py"
TRAFFIC: Final = "dashboards/games/climbers/traffic.py"
COURSES: Final = "dashboards/games/climbers/progress.py"
TYPE_7: Final = "quartiles: Hyndman and Fan 1996, type 7"

CLIMBERS_METRICS: Final = (
    Metric(
        "level_reached",
        "How high above the table a climber stands at the end, in halves of a cube; nobody ever goes down.",
        "mean over seats",
        f"{ENDINGS}; interval: {GROUPED}; {TYPE_7}",
        "player",
        "levels",
    ),
    Metric(
        "level_after",
        "How high a climber stands, or how many ladders it has left, after a turn of anybody, if a tenth of the"
        " player's seats met it.",
        "mean over seats",
        f"{ENDINGS}; {TYPE_7}",
        "figure, player, round",
        "levels; ladders",
    ),
    Metric(
        "levels_gained",
        "How many levels a climber rises in a match in its own turns, or after those of others.",
        "Σ levels / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, kind",
        "levels a seat and match",
    ),
    Metric(
        "ladders",
        "How many of its two ladders a seat has left at the end, how many short and long ones it spent, and how many"
        " levels it gained by those.",
        "number / played; Σ levels / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, kind",
        "a seat and match",
    ),
    Metric(
        "blocks",
        "How many blocks a seat moves in a match; of these, how many it turns where they lie, and sets so that their"
        " tops are higher or lower than before; how many climbers it sets aside to make room.",
        "number / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, kind",
        "a seat and match",
    ),
    Metric(
        "disc_share",
        "How often a seat lays its blocking disc.",
        "seats that laid it / played",
        f"{DEEDS}; interval: {WILSON}",
        "player",
        "share, 0 to 1",
    ),
    Metric(
        "disc_turn",
        "In which turn of the match discs are laid.",
        "mean over discs",
        f"{DEEDS}; interval: {GROUPED}",
        "player",
        "number of the turn",
    ),
    Metric(
        "disc_hindered",
        "From how many others a disc takes away a step that they might have taken just before it was laid.",
        "mean over discs",
        f"{DEEDS}; interval: {GROUPED}",
        "player",
        "seats a disc",
    ),
    Metric(
        "hindrances",
        "How often in a match another's block or disc takes away a step that the climber might have taken just before;"
        " how often the seat's own do so to others, counted for each; how often another sets its climber aside.",
        "number / played",
        f"{DEEDS}; interval: {GROUPED}",
        "player, kind",
        "times a seat and match",
    ),
    Metric(
        "hindered_by",
        "How often a block or disc of the other takes away a step that the player's climber might have taken just"
        " before, in a match that both sit in.",
        "number / pairs",
        f"{DEEDS}; interval: {GROUPED}",
        "player, other",
        "times a pair of seats and match",
    ),
    Metric(
        "stands",
        "How often a climber stood on the square after a turn of anybody." + OF_FILTER,
        "number of climbers there, turn by turn; those on the table left out",
        TRAFFIC,
        "square_x, square_y",
        "stands",
    ),
    Metric(
        "stand_share",
        "Which part of all stands were on the square, counted from the middle of the two triples.",
        "stands on the square / stands anywhere",
        f"{TRAFFIC}; interval: {WILSON}; {SAMPLED}",
        "square_x, square_y",
        "share, 0 to 1",
    ),
    Metric(
        "levels_stood",
        "How often a climber stood on the level after a turn of anybody." + OF_FILTER,
        "number of climbers there, turn by turn; those on the table left out",
        TRAFFIC,
        "level",
        "stands",
    ),
    Metric(
        "level_share",
        "Which part of all stands were on the level.",
        "stands on the level / stands on any",
        f"{TRAFFIC}; interval: {WILSON}; {SAMPLED}",
        "level",
        "share, 0 to 1",
    ),
    Metric(
        "way_share",
        "Which part of the matches of tables of the size is won so: as the highest alone; as the earlier of several on"
        " the highest level; shared, as nobody left the table.",
        "matches won so / of_matches",
        f"{ENDINGS}; interval: {WILSON}",
        "players, ending",
        "share, 0 to 1",
    ),
    Metric(
        "turns_taken",
        "How many turns a match takes, all players' together.",
        "mean over matches",
        f"{COURSES}; interval: {GROUPED}; {TYPE_7}",
        "players",
        "turns a match",
    ),
    Metric(
        "happens",
        "How often it happens in a match: the lead changes (after a turn others would win than after the one before),"
        " a climber steps, or rises, a ladder is spent, a block is moved, a disc laid, a step taken away from a seat.",
        "number / matches",
        f"{COURSES}; interval: {GROUPED}; {TYPE_7}",
        "kind, players",
        "times a match",
    ),
    Metric(
        "from_last_share",
        "Which part of the player's wins were from behind: a winner of the match would have come last, had it ended"
        " after some turn before the last in the second half of its turns.",
        "wins of matches with a comeback / wins",
        f"{COURSES}; interval: {WILSON}",
        "player",
        "share, 0 to 1",
    ),
)
