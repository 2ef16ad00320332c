"""Every metric, defined once for pages, reports, the command line and the glossary.

A metric is a column of a frame. Columns with its name and `_low`, `_high` are the bounds of its 95 % interval; `_p` is
the p-value of the test named in its entry. `_holm` is the same corrected by Holm for all rows it was tested in, and for
the figure's share of the 5 % risk of error of a whole report (`stats/claims.py`). `_lower`, `_median` and `_upper` are
quartiles over what the row counts. Metrics of a game are defined with its record and joined here.
"""

from collections.abc import Mapping
from typing import Final

from dashboards.catalog.highlights import telling_matches
from dashboards.catalog.length import length
from dashboards.catalog.metrics_chances import CHANCE_METRICS
from dashboards.catalog.metrics_tournaments import TOURNAMENT_METRICS
from dashboards.games.analytics import all_analytics, analytics_of
from dashboards.games.shared.metrics import COURSE_METRICS
from dashboards.stats.compare import compared
from dashboards.stats.differences import differences
from dashboards.stats.head_to_head import head_to_head
from dashboards.stats.intervals import shares
from dashboards.stats.metric import GROUPED, KORN_GRAUBARD, RESAMPLED, TYPE_7, Metric, by_name, source_of
from dashboards.stats.paired import paired
from dashboards.stats.placement import placement
from dashboards.stats.plackett_luce import fit
from dashboards.stats.results import scored
from dashboards.stats.seats import seat_effect
from dashboards.stats.win_share import win_share

__all__ = ["ENDS", "KEYS", "METRICS", "Metric", "key_of", "meaning_of", "metric_of"]

ENDS: Final = ("_low", "_high", "_p", "_holm", "_lower", "_median", "_upper")
KEYS: Final[Mapping[str, str]] = {
    "against": "who else sat at the player's tables",
    "bin": "one of ten bins of equal count, 1 has the smallest chances",
    "cause": "what it was to the player: dice, own or a rival's move or plan, a trade, or drift: caused by no seat",
    "ending": "how the match ended, or how it ended for the player",
    "game": "the game",
    "ground": "what the comparison is based on: the same seeds, the same tables, or matches against the same others",
    "group": "number of the seed, in order",
    "kind": "what the row counts",
    "line_up": "who sat at the table, in seat order",
    "match": "name of the match",
    "other": "the player compared with",
    "place": "place taken, 1 is best",
    "player": "strategy or person, with the settings or version in which it differs from others of the selection",
    "players": "seats at the table",
    "pool": "number of the pool: players who are connected by tables at which they sat; nothing compares two pools",
    "ply": "ply of the match after which it can be seen",
    "round": "round of the match; 0 is the set-up",
    "seat": "seat at the table, from 0 (pages count from 1)",
    "status": "state of the tournament: finished, or how far it is",
    "text": "what happened, in a sentence",
    "tournament": "name of the tournament",
    "what": "why the match was chosen, in a word",
    "why": "why the match was chosen, in a sentence",
    "winner": "who won the match",
} | {key: meaning for analytics in all_analytics() for key, meaning in analytics.keys.items()}
"""Columns that say what a row is about, with their meanings."""
ABOUT: Final = {
    "_low": "lower end of the 95% CI of: ",
    "_high": "upper end of the 95% CI of: ",
    "_p": "p-value of: ",
    "_holm": "p-value, corrected, of: ",
    "_lower": "lower quartile of: ",
    "_median": "median of: ",
    "_upper": "upper quartile of: ",
}
"""Text before the meaning of a metric, by the end of its column."""


def key_of(column: str, game: str) -> str:
    """Return the meaning in a game of a column that says what a row is about; empty for other columns."""
    return analytics_of(game).keys.get(column) or KEYS.get(column, "")


def metric_of(column: str) -> Metric | None:
    """Return the metric that a column belongs to; none for a key. `KeyError` if it has no entry."""
    if column in KEYS:
        return None
    if column in METRICS:
        return METRICS[column]
    name = next((column.removesuffix(end) for end in ENDS if column.endswith(end)), column)
    return METRICS[name]


METRICS: Final = by_name(
    (
        Metric(
            "side_difference",
            "How much more often one side wins than the other, at tables where both sat or each sat with the same"
            " others: on the same seeds if there are two, else on all. Tests whether it is zero.",
            "win_share of player − win_share of other",
            source_of(differences, f"{GROUPED}; {RESAMPLED}; Holm 1979 over all pairs"),
            "player, other",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "ahead_difference",
            "How much larger a share of its opponents one side finishes ahead of than the other does, over the"
            " matches of"
            " side_difference; a shared place counts half. Tests whether the difference is zero.",
            "mean(beaten) of player − mean(beaten) of other",
            source_of(compared, f"{GROUPED}; {RESAMPLED}; Holm 1979 over all pairs"),
            "player, other",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "played",
            "How many seats in matches the row is based on; a player with two seats at a table has played twice.",
            "number of seats in finished matches",
            source_of(shares),
            "any",
            "matches",
        ),
        Metric(
            "pairs",
            "How many times the two players met at a table, seat by seat.",
            "number of (seat of player, seat of other) in the same match",
            source_of(head_to_head),
            "player, other",
            "meetings",
        ),
        Metric(
            "groups",
            "How many seeds the row is based on. Matches with the same seed share their dice, so only seeds are"
            " independent.",
            "number of different seeds; a match that names no seed counts as its own",
            source_of(scored),
            "any",
            "seeds",
        ),
        Metric(
            "win_share",
            "How often the player wins; a win shared by k seats counts 1/k for each. Tests whether it equals that of"
            " the first row of its pool, over what the two have in common.",
            "Σ (1/k if the seat shares the first place with k − 1 others, else 0) / played",
            source_of(win_share, f"interval: {KORN_GRAUBARD}; test: {RESAMPLED}; Holm 1979 over all pairs of rows"),
            "player",
            "share, 0 to 1",
        ),
        Metric(
            "expected_share",
            "How often the player would win if every seat at its tables were equally likely to win.",
            "mean of 1 / seats at the table",
            source_of(win_share),
            "player",
            "share, 0 to 1",
        ),
        Metric(
            "shared_seeds",
            "How many seeds the p-value rests on: those that this player and the first of its pool played at one table"
            " or each with the same others. If 0, it rests on matches with the same others on different seeds, if any.",
            "number of seeds that both played so",
            source_of(win_share),
            "player",
            "seeds",
        ),
        Metric(
            "rating",
            "How strong the player is, estimated from all places in all matches together. 400 points more means ten"
            " times"
            " the odds of finishing first of two; 0 is the mean of the player's pool, shown or not.",
            "400/ln 10 · (ln a − mean ln a of the pool), a the maximum-likelihood Plackett–Luce strengths with ties;"
            " each player also gets half a win and half a loss against a phantom of strength 1",
            source_of(
                fit,
                "Turner, van Etten, Firth and Kosmidis 2020, section 2; interval:"
                " jackknife over seeds (Wolter 2007, chapter 4), t with groups − 1 degrees of freedom",
            ),
            "player",
            "Elo",
        ),
        Metric(
            "better_share",
            "How often the player finishes ahead of the other when both sit at one table; a shared place counts half."
            " Tests whether the two are equal.",
            "(meetings in which place < other place + ½ · those with the same place) / meetings",
            source_of(head_to_head, f"interval: {KORN_GRAUBARD}; test: {RESAMPLED}; Holm 1979 over all pairs"),
            "player, other",
            "share, 0 to 1",
        ),
        Metric(
            "place_share",
            "How often the player takes this place at tables of this size; k seats that share a place count 1/k in each"
            " of the k places they take up.",
            "Σ (1/k if place ≤ this place < place + k, else 0) / played",
            source_of(placement, f"interval: {KORN_GRAUBARD}"),
            "player, players, place",
            "share, 0 to 1",
        ),
        Metric(
            "seat_share",
            "How often the seat wins at tables of this size, regardless of the player; shared wins count in parts.",
            "Σ win / played, as win_share",
            source_of(seat_effect, f"interval: {KORN_GRAUBARD}"),
            "players, seat",
            "share, 0 to 1",
        ),
        Metric(
            "seat_effect",
            "How much more often the seat wins than the players who sat in it usually do. Tests whether it is zero.",
            "mean of (win − mean win of the same player at tables of that size) over those who sat there",
            source_of(
                seat_effect,
                "(indirect standardisation); interval: that of seat_share; test: permutation of seats within seeds"
                " (Fisher 1935), the largest of all seats of a size (Westfall and Young 1993)",
            ),
            "players, seat",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "luck_difference",
            "How much more the player won than the other on one seed.",
            "mean score of player − mean score of other over the seats of a seed; score: win, in parts (or the share of"
            " the opponents at its table that the seat finished ahead of)",
            source_of(paired),
            "player, other, group",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "paired_difference",
            "How much more often the player wins than the other on seeds that both played, at one table or each with"
            " the same others. Tests whether it is zero.",
            "mean of luck_difference over these seeds",
            source_of(paired, f"interval: {GROUPED}; test: {RESAMPLED}; Holm 1979 over all pairs of players"),
            "player, other",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "narrowing",
            "How many times as wide the interval of the difference would be if matches shared no seeds.",
            "width with matches as trials / width with seeds as trials",
            source_of(paired),
            "player, other",
            "ratio; above 1, sharing seeds helped; below 1, it did not",
        ),
        Metric(
            "worth",
            "How many times as many matches would have been needed without shared seeds.",
            "narrowing²",
            source_of(paired),
            "player, other",
            "ratio",
        ),
        *TOURNAMENT_METRICS,
        *CHANCE_METRICS,
        Metric(
            "length",
            "How long a match is, in rounds, plies (decisions and what follows automatically) and events (lines of"
            " its log).",
            "mean over matches",
            source_of(length, f"interval: {GROUPED}; {TYPE_7}"),
            "kind, players",
            "rounds, plies or events per match",
        ),
        *COURSE_METRICS,
        Metric(
            "telling",
            "What the match was chosen by. Comeback and quick: the decisive round; upset: the winner's chance by"
            " ratings"
            " from all these matches; luckless: how many pips the winner's dice gave"
            " above the usual, below zero if fewer; lead: lead"
            " changes; close: the margin.",
            "largest or smallest in the selection; chance: strength of the winner / Σ strengths at the table",
            source_of(telling_matches),
            "what, match",
            "depends on the reason",
        ),
        *(metric for analytics in all_analytics() for metric in analytics.metrics),
    )
)


def meaning_of(column: str, game: str) -> str:
    """Return the meaning of a column of a figure of a game, with unit and formula if it is a metric."""
    metric = metric_of(column)
    if metric is None:
        return key_of(column, game)
    about = ABOUT.get(column.removeprefix(metric.name), "")
    return f"{about}{metric.sentence} ({metric.unit}; {metric.formula})"
