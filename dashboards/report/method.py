"""How the figures of a report are made, in words: the method common to every game."""

from typing import Final

from dashboards.stats.claims import FILLED, INTERVALS, SUPERLATIVES

__all__ = ["METHOD"]

METHOD: Final = {
    "What counts": "Finished matches only. A win shared by several seats counts in equal parts for each of them."
    " A player who sits twice at a table has played twice. Figures count events of the filter's seats in its"
    " rounds, and leave out a match without such a seat.",
    "Observations": "Matches with the same seed share their chance events, so they are not independent: the"
    " observations are seeds. A match without a seed in its log is a separate observation.",
    "Intervals": "All intervals are 95% confidence intervals (CI). Shares have that of Clopper and Pearson (1934) with"
    " the effective number of trials (Korn and Graubard 1998); means and differences have that of t over seeds (Cochran"
    " 1977, section 6.3), with Welch's (1947) degrees of freedom where two sides share no seed; counts have that of"
    " the score test (Brown, Cai and DasGupta 2003), ratings that of the jackknife, which leaves out one seed at a time"
    " (Wolter 2007, chapter 4). A missing or infinite interval means that too few seeds, or only one player, were there"
    " to compute one.",
    "What is compared": "The measure is the share of matches won. Other measures (opponents finished ahead of,"
    " ranks, ratings) are named where they are used. Two players are compared over tables at which both sat, or each"
    " with the same others, on the same seeds if there are two. Players of different pools never met, directly or"
    " through others: nothing compares them.",
    "Tests": f"{INTERVALS} p-values are two-sided. Two players are tested by flipping the sign of their difference in"
    " each seed, seats by permuting them within seeds (Fisher 1935, section 21; Westfall and Young 1993); from 100"
    " seeds on (200 for seats), by t."
    f" {SUPERLATIVES} {FILLED}",
    "Overall error": "Of reports on players who do not differ, at most 5% claim anywhere that some do. A corrected"
    " p-value is Holm's (1979) over all rows of its table, times 5% over the table's share of those 5%: for wins, which"
    " have four of the five, Holm's times 1.25. At most 0.05 is significant.",
    "Pairing": "Where two players played the same seed, their difference is taken seed by seed. The table of paired"
    " differences says how many times as wide the interval would be if matches shared no seeds; below 1, sharing seeds"
    " did not help.",
    "Numbers": "Differences of shares are in percentage points. The data of this report has ten significant digits of"
    " each number; tables show fewer.",
    "Reproducibility of players": "Each decision of a player's seat is repeated with its settings, its seed and what"
    " the seat saw. This needs the version and source that played, and a player that does not decide by the"
    " clock. A match with a player that chooses differently still counts: it breaks no rule.",
    "Reproducibility": "The report depends on no clock and no chance: the same logs, filter and version, with the same"
    " players installed, give the same bytes.",
}
"""Topics of the method and their texts."""
