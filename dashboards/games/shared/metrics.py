"""Metrics of places, winners and the course of matches that several games share; `catalog.metrics` collects them."""

from typing import Final

from dashboards.games.shared.course import comeback_shares, decisive_rounds
from dashboards.games.shared.places import compared_places
from dashboards.games.shared.winners_vs_losers import winner_differences
from dashboards.stats.intervals import sampled_sums, shares
from dashboards.stats.words import KORN_GRAUBARD, Metric, source_of

__all__ = ["COURSE_METRICS", "SAMPLED"]

SAMPLED: Final = f"spread estimated from 1,000 seeds where there are more, {source_of(sampled_sums)}"

COURSE_METRICS: Final = (
    Metric(
        "per_seat",
        "How often it happened there per 100 seats of the filter, in its rounds; Analysis → Where? shows it per player"
        " and match.",
        "100 · how often / seats",
        source_of(compared_places),
        "place",
        "times per 100 seats",
    ),
    Metric(
        "other_per_seat",
        "The same for the second of two selections.",
        "100 · how often / seats",
        source_of(compared_places),
        "place",
        "times per 100 seats",
    ),
    Metric(
        "per_seat_difference",
        "How much more often it happened there in the first of two selections than in the second. Tests whether it is"
        " zero.",
        "per_seat − other_per_seat",
        source_of(
            compared_places,
            "interval: linearised over seeds, Wolter 2007, chapter 6; Holm 1979 over all places; " + SAMPLED,
        ),
        "place",
        "times per 100 seats",
    ),
    Metric(
        "seats",
        "How many matches of players the row counts; a player with two seats at a table has played twice.",
        "number of seats in finished matches",
        source_of(shares),
        "any",
        "seats",
    ),
    Metric(
        "matches",
        "How many matches the row counts.",
        "number of finished matches",
        source_of(decisive_rounds),
        "any",
        "matches",
    ),
    Metric(
        "decided_share",
        "What share of matches this round decided: from its end on, and no earlier, the eventual winner would have won"
        " at every round's end, had the match been scored there. No round: not decided even at the end of the last.",
        "matches decided in that round / matches",
        source_of(decisive_rounds, f"interval: {KORN_GRAUBARD}"),
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "decided_by",
        "Share of matches decided by the end of the round.",
        "Σ decided_share over rounds up to this one, also those before the filter's first",
        source_of(decisive_rounds, f"interval: {KORN_GRAUBARD}"),
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "wins",
        "How many matches the player won, alone or shared.",
        "number of seats that won",
        source_of(comeback_shares),
        "player",
        "seats",
    ),
    Metric(
        "comebacks",
        "How many of its wins were comebacks.",
        "number of comebacks",
        source_of(comeback_shares),
        "player",
        "seats",
    ),
    Metric(
        "of_matches",
        "How many matches there are at tables of this size.",
        "number of finished matches",
        source_of(shares),
        "players",
        "matches",
    ),
    Metric(
        "won_mean",
        "How much of it winning seats have on average.",
        "Σ / seats that won",
        source_of(winner_differences),
        "kind",
        "pips, levels or times per player and match",
    ),
    Metric(
        "lost_mean",
        "How much of it losing seats have on average.",
        "Σ / seats that lost",
        source_of(winner_differences),
        "kind",
        "pips, levels or times per player and match",
    ),
    Metric(
        "winner_difference",
        "How much more of it winning seats have than losing seats. Tests whether it is zero.",
        "won_mean − lost_mean",
        source_of(
            winner_differences, "interval: linearised over seeds, Wolter 2007, chapter 6; Holm 1979 over all kinds"
        ),
        "kind",
        "pips, levels or times per player and match",
    ),
)
