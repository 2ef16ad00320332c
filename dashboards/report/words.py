"""Words of a report: its filter, a summary of its findings, and its method."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlencode

from dashboards.catalog.figures import FilterError, asked_filter
from dashboards.games.analytics import terms_of
from dashboards.queries import filters
from dashboards.queries.filters import FILTER_KEYS, LAST_ROUND, Filter, listed
from dashboards.report.model import Report, ReportError
from dashboards.stats.claims import FILLED, INTERVALS, SUPERLATIVES

__all__ = [
    "FILTER_KEYS",
    "METHOD",
    "SECTIONS",
    "address_of",
    "counted",
    "counted_all_the_same",
    "filter_from",
    "in_words",
    "listed",
    "summary",
]


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
"""Sections on the method, with their texts."""


SECTIONS: Final = {
    "strength": "Strength",
    "why": "Why",
    "where": "Where",
    "when": "When",
    "chances": "Chances of winning",
}
"""Names of a report's parts, in page order."""
SAID: Final = {"strength": 6, "why": 3, "where": 1, "when": 3, "chances": 1}
"""For each part, how many of its first figures the summary covers."""


def summary(report: Report) -> list[str]:
    """Return the sentences of the summary, copied from the figures' findings."""
    sentences = []
    for section in SECTIONS:
        found = [figure.finding for figure in report.figures if figure.section == section and figure.finding]
        sentences += found[: SAID[section]]
    return sentences


def filter_from(pairs: Iterable[tuple[str, str]]) -> Filter:
    """Return the filter for these keys and values. Raises `ReportError` for an unknown key or an impossible value."""
    try:
        return asked_filter(pairs)
    except FilterError as error:
        raise ReportError(str(error)) from None


def address_of(where: Filter) -> str:
    """Return a filter in the form used by `--filter` and addresses: `tournament=cup&players=4`."""
    return urlencode(where.pairs(), safe="=:,. ")


def in_words(where: Filter, game: str = "") -> str:
    """Return a filter's selection in words; `game` is used if the filter names no game."""
    return filters.in_words(where, terms_of(where.game or game).rounds)


def counted_all_the_same(where: Filter, game: str = "") -> str:
    """Return a note to append to a filter: what figures about whole matches count despite it (empty if nothing)."""
    rounds = [f"all {terms_of(where.game or game).rounds}"] if (where.first, where.last) != (0, LAST_ROUND) else []
    left = " and ".join([*rounds, *(["all results"] if where.results else [])])
    return f"; statements on how matches end count {left}" if left else ""


def counted(number: int, what: str, plural: str = "s") -> str:
    """Return a number with its noun."""
    return f"{number:,} {what}{'' if number == 1 else plural}"
