"""Every metric, defined once: what pages, reports, the command line and the glossary say it is.

A metric is a column of a frame. Columns with its name and `_low`, `_high` are the bounds of its 95 % interval, `_p` the
p-value of what its entry says is tested, `_holm` the same corrected by Holm for all rows it was tested in, and for the
share that the figure has of the 5 % by which a whole report may err (`stats/claims.py`); `_lower`,
`_median` and `_upper` are quartiles over what the row counts. Those of a game stand with
its record and are joined here.
"""

from collections.abc import Mapping
from typing import Final

from dashboards.catalog.highlights import telling_matches
from dashboards.catalog.length import length
from dashboards.catalog.metrics_tournaments import TOURNAMENT_METRICS
from dashboards.games.analytics import all_analytics, analytics_of
from dashboards.games.shared.metrics import COURSE_METRICS
from dashboards.stats.compare import compared
from dashboards.stats.differences import differences
from dashboards.stats.head_to_head import head_to_head
from dashboards.stats.intervals import shares
from dashboards.stats.metric import GROUPED, RESAMPLED, TYPE_7, WILSON, Metric, by_name, source_of
from dashboards.stats.paired import paired
from dashboards.stats.placement import placement
from dashboards.stats.plackett_luce import fit
from dashboards.stats.results import scored
from dashboards.stats.seats import seat_effect
from dashboards.stats.win_share import win_share

__all__ = ["ENDS", "KEYS", "METRICS", "Metric", "key_of", "metric_of"]

ENDS: Final = ("_low", "_high", "_p", "_holm", "_lower", "_median", "_upper")
KEYS: Final[Mapping[str, str]] = {
    "ending": "how the match ended, or how it ended for the player",
    "game": "the game",
    "ground": "what the two are compared over: the same seeds, the same tables, or all matches",
    "group": "the number of the seed, in the order of seeds",
    "kind": "what of it the row counts",
    "line_up": "who sat at the table, in seat order",
    "match": "name of the match",
    "other": "the other player, that the player is compared with",
    "place": "place taken, 1 is best",
    "player": "strategy or person; with its version, if the filter names versions",
    "players": "seats at the table",
    "round": "round of the match; 0 is the set-up",
    "seat": "seat at the table, from 0 (pages count from 1)",
    "status": "whether the tournament is finished, or how it stands",
    "tournament": "name of the tournament",
    "what": "reason for which the match was chosen, in a word",
    "why": "reason for which the match was chosen, in a sentence",
    "winner": "who won the match",
} | {key: meaning for analytics in all_analytics() for key, meaning in analytics.keys.items()}
"""Columns that say what a row is about, with what they mean."""


def key_of(column: str, game: str) -> str:
    """Return what a column that says what a row is about means in a game; nothing if it is no such column."""
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
            "How much more one side wins than the other: over the seeds that both met, else at the tables at which both"
            " sat, else over all matches. Tested: whether that is zero.",
            "win_share of player − win_share of other",
            source_of(differences, f"{GROUPED}; {RESAMPLED}; Holm 1979 over all pairs"),
            "player, other",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "ahead_difference",
            "Of how much larger a share of its opponents one side finishes ahead than the other, over the matches of"
            " side_difference; a shared place counts half. Tested: whether that is zero.",
            "mean(beaten) of player − mean(beaten) of other",
            source_of(compared, f"{GROUPED}; {RESAMPLED}; Holm 1979 over all pairs"),
            "player, other",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "played",
            "How many seats the row rests on: a player who sits twice at a table has played twice.",
            "number of seats in finished matches",
            source_of(shares),
            "any",
            "seats",
        ),
        Metric(
            "pairs",
            "How many pairs of seats at one table the two players had between them.",
            "number of (seat of player, seat of other) in the same match",
            source_of(head_to_head),
            "player, other",
            "pairs of seats",
        ),
        Metric(
            "groups",
            "How many seeds the row rests on: matches of one seed met the same dice, so only seeds are independent.",
            "number of different seeds; a match without a named seed is one of its own",
            source_of(scored),
            "any",
            "seeds",
        ),
        Metric(
            "win_share",
            "How often the player wins; of a win shared by k seats each has 1/k. Tested: whether it is that of the"
            " first row, over what the two have in common.",
            "Σ (1/k if the seat shares the first place with k − 1 others, else 0) / played",
            source_of(win_share, f"interval: {WILSON}; test: {RESAMPLED}; Holm 1979 over all pairs of rows"),
            "player",
            "share, 0 to 1",
        ),
        Metric(
            "expected_share",
            "How often the player would win if all seats of its tables were equally likely to.",
            "mean of 1 / seats at the table",
            source_of(win_share),
            "player",
            "share, 0 to 1",
        ),
        Metric(
            "rating",
            "How strong the player is, judged by all places of all matches at once; 400 more means ten times the odds"
            " of coming first of two, and 0 is the mean of the players compared.",
            "400/ln 10 · (ln a − mean ln a), a the strengths of greatest likelihood: of seats A the set C of t comes"
            " next with P ∝ d(t) · (Π a over C)^(1/t); to each player half a match won and lost against strength 1"
            " is added",
            source_of(
                fit,
                "Turner, van Etten, Firth and Kosmidis 2020, section 2; interval:"
                " expanded percentile bootstrap over seeds (Hesterberg 2015)",
            ),
            "player",
            "Elo",
        ),
        Metric(
            "better_share",
            "How often the player finishes ahead of the other where both sit at one table; a shared place counts half."
            " Tested: whether the two are equal.",
            "(pairs of seats in which place < other place + ½ · those with the same place) / pairs",
            source_of(head_to_head, f"interval: {WILSON}; test: {RESAMPLED}; Holm 1979 over all pairs"),
            "player, other",
            "share, 0 to 1",
        ),
        Metric(
            "place_share",
            "How often the player takes the place at tables of that size; k seats that share a place have 1/k of each"
            " of the k places they take up.",
            "Σ (1/k if place ≤ this place < place + k, else 0) / played",
            source_of(placement, f"interval: {WILSON}"),
            "player, players, place",
            "share, 0 to 1",
        ),
        Metric(
            "seat_share",
            "How often whoever sits in the seat wins at tables of that size; shared wins in parts.",
            "Σ win / played, as win_share",
            source_of(seat_effect, f"interval: {WILSON}"),
            "players, seat",
            "share, 0 to 1",
        ),
        Metric(
            "seat_effect",
            "By how much the seat wins more often than those who sat in it usually do. Tested: whether that is zero.",
            "mean of (win − mean win of the same player at tables of that size) over those who sat there",
            source_of(
                seat_effect,
                "(indirect standardisation); interval: that of seat_share; test: seats in every order within seeds"
                " (Fisher 1935), the largest of all seats of a size (Westfall and Young 1993)",
            ),
            "players, seat",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "luck_difference",
            "How much more the player won than the other with one and the same seed.",
            "mean score of player − mean score of other over the seats of a seed; score: win, in parts (or the share of"
            " the opponents at its table that the seat finished ahead of)",
            source_of(paired),
            "player, other, group",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "paired_difference",
            "How much more the player wins than the other with the same seed. Tested: whether that is zero.",
            "mean of luck_difference over the seeds that both met",
            source_of(paired, f"interval: {GROUPED}; test: {RESAMPLED}; Holm 1979 over all pairs of players"),
            "player, other",
            "difference of shares, −1 to 1",
        ),
        Metric(
            "narrowing",
            "How many times as wide the interval of the difference would be if every match had had a seed of its own.",
            "width with matches as trials / width with seeds as trials",
            source_of(paired),
            "player, other",
            "ratio; above 1 the same seed has helped",
        ),
        Metric(
            "worth",
            "As many times as many matches would have been needed without the same seed.",
            "narrowing²",
            source_of(paired),
            "player, other",
            "ratio",
        ),
        *TOURNAMENT_METRICS,
        Metric(
            "length",
            "How long a match is: rounds, plies (decisions, and what follows of itself), events (lines of its log).",
            "mean over matches",
            source_of(length, f"interval: {GROUPED}; {TYPE_7}"),
            "kind, players",
            "as said, a match",
        ),
        *COURSE_METRICS,
        Metric(
            "telling",
            "What a match was chosen by: comeback and quick, the decisive round; upset, the chance that ratings of all"
            " these matches gave the winner; luckless, pips that dice gave the winner above the usual; lead, changes of"
            " the lead; close, the margin.",
            "greatest or least of the selection; chance: strength of the winner / Σ strengths at the table",
            source_of(telling_matches),
            "what, match",
            "as said",
        ),
        *(metric for analytics in all_analytics() for metric in analytics.metrics),
    )
)
