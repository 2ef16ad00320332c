"""How the figures of a report are made, in words: what holds for every game."""

from typing import Final

__all__ = ["METHOD"]

METHOD: Final = {
    "What counts": "Finished matches only. A win that several seats share counts in equal parts for each of them."
    " A player who sits twice at a table has played twice.",
    "Trials": "Matches of one seed met the same chance, so they are no independent trials: seeds are. A match whose"
    " log names no seed has one of its own.",
    "Intervals": "Every interval is one of 95%. Shares have Wilson's interval (1927) with the number of trials that"
    " they are worth (Korn and Graubard 1998); means and differences that of t over seeds (Cochran 1977, section"
    " 6.3); ratings the percentile bootstrap over seeds, expanded for few of them (Hesterberg 2015), from a generator"
    " with a fixed seed. An interval that is missing or endless says that too few seeds, or one player, tell nothing.",
    "What is compared": "The yardstick is the share of matches won. Other yardsticks (opponents finished ahead of,"
    " ranks, ratings) are named where they are used. Two players are compared over the seeds that both met.",
    "Tests": "p-values are two-sided. Two players are tested by changing the sign of their difference in each seed,"
    " seats by exchanging them within seeds (Fisher 1935, section 21; Westfall and Young 1993); from 200 seeds on by t."
    " Whoever is said to lead differs significantly from every other row of the table.",
    "How sure the whole is": "Of reports on players who do not differ, at most 5% say anywhere that some do. Corrected"
    " p-values allow for that: for all rows of their table (Holm 1979), and for the table's share of those 5%, of which"
    " wins have four. One of at most 0.05 is significant.",
    "Pairing": "Where two players met the same seed, their difference is taken seed by seed. The table of paired"
    " differences says how many times as wide the interval would be otherwise.",
    "Numbers": "Differences of shares are in points, hundredths of the whole. The data of this report has ten"
    " significant digits of each number, tables show fewer.",
    "Players asked again": "A player is asked at every decision of its seat, with its settings, its seed and the view"
    " of that seat. It cannot be asked where it is not installed in the version and of the source that played, or"
    " decides by the clock. A match whose player chooses otherwise counts: the rules have nothing against it.",
    "The same again": "The report has no clock and no chance in it: the same logs, filter and version, with the same"
    " players asked, give the same bytes.",
}
"""What is said, and the words."""
