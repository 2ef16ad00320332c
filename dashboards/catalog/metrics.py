"""Definitions of all metrics, shared by pages, reports, the command line and the glossary."""

from collections.abc import Mapping
from typing import Final

from dashboards.catalog.chances import calibration, decided_by_chances, largest_swings, moment_causes
from dashboards.catalog.length import length
from dashboards.catalog.notable import telling_matches
from dashboards.games.analytics import all_analytics, analytics_of
from dashboards.games.shared.metrics import COURSE_METRICS
from dashboards.queries.tournaments import tournament_list
from dashboards.stats.calibration import reliability
from dashboards.stats.compare import compared
from dashboards.stats.differences import differences, paired
from dashboards.stats.head_to_head import head_to_head
from dashboards.stats.intervals import shares
from dashboards.stats.plackett_luce import fit
from dashboards.stats.results import scored
from dashboards.stats.standing import placement, seat_effect, win_share
from dashboards.stats.words import GROUPED, KORN_GRAUBARD, RESAMPLED, TYPE_7, Metric, by_name, source_of

__all__ = [
    "CHANCE_METRICS",
    "ENDS",
    "KEYS",
    "METRICS",
    "TOURNAMENT_METRICS",
    "Metric",
    "key_of",
    "meaning_of",
    "metric_of",
]


SAMPLED: Final = " Of more than 1,000 seeds, 1,000 are taken."

CHANCE_METRICS: Final = (
    Metric(
        "favourite_share",
        "In what share of matches with chances and a single winner this was the round from which the winner's chance of"
        " winning stayed at one half or more.",
        "matches in which the winner was below one half for the last time just before this round's decision / matches",
        source_of(decided_by_chances, f"interval: {KORN_GRAUBARD}"),
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "favourite_by",
        "In what share of those matches the winner's chance had reached one half for good by this round.",
        "Σ favourite_share over rounds up to this one",
        source_of(decided_by_chances, f"interval: {KORN_GRAUBARD}"),
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "swing",
        "How much the moment changed the chances of the player it affected most; or the cost to its"
        " seat expected when it was chosen, if that is more.",
        "chance after − chance before",
        source_of(largest_swings),
        "match, ply",
        "difference of shares, −1 to 1",
    ),
    Metric(
        "moments",
        "How many key moments come from the cause: changes larger than the model's error, or decisions with"
        " an expected cost above that when they were chosen; at most six per match.",
        "number of key moments",
        source_of(moment_causes),
        "cause",
        "key moments",
    ),
    Metric(
        "moment_share",
        "Share of all key moments from the cause.",
        "moments / Σ moments",
        source_of(moment_causes, f"interval: {KORN_GRAUBARD}"),
        "cause",
        "share, 0 to 1",
    ),
    Metric(
        "chance",
        "The mean chance of winning that the model gave the seats in the bin."
        f" The ten bins hold equally many seats, from up to 32 positions of each match.{SAMPLED}",
        "Σ chance / positions",
        source_of(reliability),
        "bin",
        "share, 0 to 1",
    ),
    Metric(
        "positions",
        "How many observations are in the bin: one per seat and position.",
        "number of (match, position, seat)",
        source_of(reliability),
        "bin",
        "seats in positions",
    ),
    Metric(
        "won_share",
        "Share of the seats in the bin that won.",
        "Σ (1/k if the seat shares the first place with k − 1 others, else 0) / positions",
        source_of(reliability, f"interval: {KORN_GRAUBARD}"),
        "bin",
        "share, 0 to 1",
    ),
    Metric(
        "calibration_difference",
        "How much more often the seats in the bin won than the model predicted. Tests whether it is zero.",
        "won_share − chance",
        source_of(reliability, f"test: binomial, {KORN_GRAUBARD}; Holm 1979 over all bins"),
        "bin",
        "difference of shares, −1 to 1",
    ),
    Metric(
        "calibration_error",
        "How far chances and shares won are apart on average in these matches; the same for all bins. Even a perfect"
        " model shows some, by luck, in this many matches.",
        "Σ |positions · (won_share − chance)| / Σ positions",
        source_of(reliability, "interval: 1,000 resamples of seeds"),
        "any",
        "share, 0 to 1",
    ),
    Metric(
        "checked_error",
        "The calibration error of the model in the held-out tournament that it was checked on.",
        "calibration_error there",
        source_of(calibration),
        "any",
        "share, 0 to 1",
    ),
)


SOURCE: Final = source_of(tournament_list)

TOURNAMENT_METRICS: Final = (
    Metric(
        "all_matches",
        "How many matches of the tournament are loaded, whatever their status.",
        "number of matches",
        SOURCE,
        "tournament",
        "matches",
    ),
    Metric(
        "finished",
        "How many of its matches are finished; statistics count only these.",
        "number of matches with a log that ends with the result",
        SOURCE,
        "tournament",
        "matches",
    ),
    Metric(
        "player_count",
        "How many different players sat at its tables.",
        "number of different player names",
        SOURCE,
        "tournament",
        "players",
    ),
    Metric(
        "version_count",
        "How many different versions of players sat at its tables, settings included.",
        "number of different (player, version, settings)",
        SOURCE,
        "tournament",
        "versions",
    ),
    Metric(
        "sizes",
        "How many seats its tables have.",
        "the different numbers of seats in its matches",
        SOURCE,
        "tournament",
        "seats",
    ),
    Metric(
        "first_in",
        "When the first of its matches was loaded.",
        "earliest start of the ingest runs that loaded one",
        SOURCE,
        "tournament",
        "time, UTC",
    ),
    Metric(
        "last_in",
        "When the last of its matches was loaded or reloaded.",
        "latest start of the ingest runs that loaded one",
        SOURCE,
        "tournament",
        "time, UTC",
    ),
)


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
    "label": "label of the player's seat, by which the sentence names it",
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
    "turn_order": "position in the turn order of the first round: 1 starts, 2 is the next seat clockwise",
    "what": "why the match was chosen, in a word",
    "why": "why the match was chosen, in a sentence",
    "winner": "who won the match",
} | {key: meaning for analytics in all_analytics() for key, meaning in analytics.keys.items()}
"""Columns that identify a row, with their meanings."""
ABOUT: Final = {
    "_low": "lower end of the 95% CI of: ",
    "_high": "upper end of the 95% CI of: ",
    "_p": "p-value of: ",
    "_holm": "p-value, corrected, of: ",
    "_lower": "lower quartile of: ",
    "_median": "median of: ",
    "_upper": "upper quartile of: ",
}
"""For each column suffix, the text before the metric's meaning in the column's description."""


def key_of(column: str, game: str) -> str:
    """Return the meaning of a column that identifies a row, in a game's words; empty for other columns."""
    return analytics_of(game).keys.get(column) or KEYS.get(column, "")


def metric_of(column: str) -> Metric | None:
    """Return the metric that a column belongs to; `None` for a key column. Raises `KeyError` for an unknown column."""
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
            "How many seeds the row is based on. Matches with the same seed share their chance events, so only"
            " seeds are independent.",
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
            "How often the seat, or the position in turn order, wins at tables of this size, regardless of the player;"
            " shared wins count in parts.",
            "Σ win / played, as win_share",
            source_of(seat_effect, f"interval: {KORN_GRAUBARD}"),
            "players, seat or turn_order",
            "share, 0 to 1",
        ),
        Metric(
            "seat_effect",
            "How much more often the seat, or the position in turn order, wins than the players who had it usually do."
            " Tests whether it is zero.",
            "mean of (win − mean win of the same player at tables of that size) over those who had it",
            source_of(
                seat_effect,
                "(indirect standardisation); interval: that of seat_share; test: permutation of seats within seeds"
                " (Fisher 1935), the largest of all seats of a size (Westfall and Young 1993)",
            ),
            "players, seat or turn_order",
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
            "What the match was chosen by. Comeback and quick: the decisive round; upset: the winner's chance,"
            " below one half, by ratings from all these matches; luckless: how many pips the winner's dice gave"
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
    """Return the meaning of a figure's column in a game's words, with unit and formula if it is a metric."""
    metric = metric_of(column)
    if metric is None:
        return key_of(column, game)
    about = ABOUT.get(column.removeprefix(metric.name), "")
    return f"{about}{metric.sentence} ({metric.unit}; {metric.formula})"
