"""The metrics of places, winners and the course of matches that several games have; `metrics.py` joins them."""

from typing import Final

from dashboards.stats.metric import WILSON, Metric

__all__ = ["COURSE_METRICS", "OF_FILTER", "SAMPLED"]

SAMPLED: Final = "spread from 1,000 lucks where there are more, dashboards/stats/sampled.py"
OF_FILTER: Final = " Only what the filter's seats did in its rounds counts."

COURSE_METRICS: Final = (
    Metric(
        "per_seat",
        "How often it happened in the place per 100 seats that the filter leaves, in its rounds.",
        "100 · how often / seats",
        "dashboards/games/shared/places.py",
        "place",
        "times per 100 seats",
    ),
    Metric(
        "other_per_seat",
        "The same of the second of two selections.",
        "100 · how often / seats",
        "dashboards/games/shared/places.py",
        "place",
        "times per 100 seats",
    ),
    Metric(
        "per_seat_difference",
        "By how much it happened more often in the place in the first of two selections than in the second."
        " Tested: whether that is zero.",
        "per_seat − other_per_seat",
        "dashboards/games/shared/places.py; interval: linearised over lucks, Wolter 2007, chapter 6; Holm 1979 over all"
        " places; " + SAMPLED,
        "place",
        "times per 100 seats",
    ),
    Metric(
        "seats",
        "How many seats the row counts.",
        "number of seats in finished matches",
        "dashboards/stats/intervals.py",
        "any",
        "seats",
    ),
    Metric(
        "matches",
        "How many matches the row counts.",
        "number of finished matches",
        "dashboards/games/shared/progress.py",
        "any",
        "matches",
    ),
    Metric(
        "decided_share",
        "In which part of the matches the round was decisive: from its end on, and no earlier, the later winner would"
        " have won at every round's end, had it been scored there. Without a round: not even at the last.",
        "matches decided by that round / matches",
        f"dashboards/games/shared/progress.py; interval: {WILSON}",
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "decided_by",
        "Which part of the matches is decided by the end of the round.",
        "Σ decided_share over rounds up to this one, also those before the filter's first",
        f"dashboards/games/shared/progress.py; interval: {WILSON}",
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "wins",
        "How many matches the player won, alone or shared.",
        "number of seats that won",
        "dashboards/games/shared/progress.py",
        "player",
        "seats",
    ),
    Metric(
        "comebacks",
        "How many of its wins were comebacks.",
        "number of comebacks",
        "dashboards/games/shared/progress.py",
        "player",
        "seats",
    ),
    Metric(
        "of_matches",
        "How many matches of tables of the size there are.",
        "number of finished matches",
        "dashboards/stats/intervals.py",
        "players",
        "matches",
    ),
    Metric(
        "won_mean",
        "How much of it seats have that won.",
        "Σ / seats that won",
        "dashboards/games/shared/winners_vs_losers.py",
        "kind",
        "pips, levels or times a seat and match",
    ),
    Metric(
        "lost_mean",
        "How much of it seats have that lost.",
        "Σ / seats that lost",
        "dashboards/games/shared/winners_vs_losers.py",
        "kind",
        "pips, levels or times a seat and match",
    ),
    Metric(
        "winner_difference",
        "By how much seats that won have more of it than seats that lost. Tested: whether that is zero.",
        "won_mean − lost_mean",
        "dashboards/games/shared/winners_vs_losers.py; interval: linearised over lucks, Wolter 2007, chapter 6;"
        " Holm 1979 over all kinds",
        "kind",
        "pips, levels or times a seat and match",
    ),
    Metric(
        "telling",
        "What a match was chosen by: comeback and quick, the decisive round; upset, the chance that ratings of all"
        " these matches gave the winner; luckless, pips that dice gave the winner above what is usual; lead, changes of"
        " the lead; close, the margin.",
        "greatest or least of the selection; chance: strength of the winner / Σ strengths at the table",
        "dashboards/catalog/highlights.py",
        "what, match",
        "as said",
    ),
)
