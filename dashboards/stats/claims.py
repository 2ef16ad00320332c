"""Wording of significant differences, the risk of a false claim allotted to each figure, and the power of the tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, isfinite, log2
from statistics import NormalDist
from typing import Final

import polars as pl

from dashboards.stats import words
from dashboards.stats.intervals import ROUNDING, corrected_by_holm, t_quantile
from dashboards.stats.words import Row, whole

__all__ = [
    "COMPARED",
    "FILLED",
    "HEAD_TO_HEAD",
    "INTERVALS",
    "LINE_UPS",
    "PLACES",
    "RATINGS",
    "RISK",
    "SEATS",
    "STATEMENT",
    "SUPERLATIVES",
    "WINS",
    "Lead",
    "are_too_few",
    "corrected",
    "found_in_wins",
    "lead",
    "lead_sentence",
    "too_few_for_any",
]


RISK: Final = 0.05
"""Probability that a report or a page makes any false claim of a difference."""
WINS: Final = 0.04
SEATS: Final = 0.0025
HEAD_TO_HEAD: Final = 0.0025
PLACES: Final = 0.00125
RATINGS: Final = 0.00125
STATEMENT: Final = 0.00005
"""Risk allotted to any other statement; a report makes at most fifty of these."""
COMPARED: Final = 0.05
LINE_UPS: Final = 0.005
"""Risk of statements about line-ups on the Compare page, in addition to the full risk of its verdict."""
SUPERLATIVES: Final = (
    "“Most” and “least” mark a significant difference from every other row shown, except from rows that the sentence"
    " calls level, not significant, or not judged."
)
"""Explanation shown with the method of each figure that uses `lead_sentence`."""
FILLED: Final = "A hollow dot is not significant."
INTERVALS: Final = (
    "Each interval is for one comparison; significance is corrected for all of them. So an interval can exclude zero"
    " although the difference is not significant."
)
"""Note to readers, shown once per page near the strength figures."""
MANY_GROUPS: Final = 10_000
"""Number of groups assumed for a row without a `groups` column; so large that the t distribution is nearly normal."""


def corrected(p_values: Sequence[float], share: float) -> list[float]:
    """Correct p-values by Holm's method, then scale them by `RISK / share`, where `share` is the risk of this figure.

    So the same threshold applies to every figure: a corrected value of at most `RISK` is significant.
    """
    return [min(1.0, p * RISK / share) for p in corrected_by_holm(p_values)]


@dataclass(frozen=True, slots=True)
class Lead:
    """The leading row, and the first row that does not differ from it significantly (`rival`).

    Without a rival, a sentence may describe the leading row as having the most or the least.
    """

    first: Row
    rival: Row | None

    @property
    def stands(self) -> bool:
        """True if the leading row differs significantly from all others."""
        return self.rival is None


def lead(frame: pl.DataFrame, name: str, *, least: bool = False, level: float = STATEMENT) -> Lead:
    """Return the row with the largest value (smallest if `least`) of a metric with bounds; on a tie, the earlier row.

    The difference from each other row is tested. By the Cauchy–Schwarz inequality, its standard error is at most the
    sum of both rows' standard errors. Each standard error is derived from the row's bound that faces the other row. Any
    row could have been first, so the test is corrected for all pairs (Bonferroni). Rows without bounds never lead
    significantly; a single row has no rival.
    """
    rows = [row for row in frame.iter_rows(named=True) if row[name] is not None]
    sign = -1 if least else 1
    first, *others = sorted(rows, key=lambda row: -sign * row[name])
    pairs = len(rows) * (len(rows) - 1) / 2
    return Lead(first, next((row for row in others if _p(first, row, name, sign) * pairs > level), None))


def lead_sentence(
    frame: pl.DataFrame,
    name: str,
    key: str,
    superlative: str,
    plain: str,
    shown: Callable[[float], str] = words.plain,
    *,
    least: bool = False,
    level: float = STATEMENT,
) -> str:
    """Return a sentence on the row with the most (or least) of something; a superlative needs a significant lead.

    `superlative` and `plain` are format strings. They receive the row's `key`, its value formatted by `shown`, its
    columns by name, and `its_matches` (`played` in words). The interval is added at the end. With `{} earns the most:
    {} yaks` and `{} earns {} yaks`:
    - a significant lead gives `trader earns the most: 14.2 yaks (95% CI 13.0–15.4).`
    - any other lead gives `trader earns 14.2 yaks (95% CI 13.0–15.4; lead not significant).`
    - a single row gives `trader earns 14.2 yaks (95% CI …).`

    If there are too few groups to judge the lead, the sentence mentions that instead.
    """
    rows = frame.filter(pl.col(name).is_not_null())
    found = lead(rows, name, least=least, level=level)
    text, also = plain, ""
    if rows.height > 1:
        text, also = (superlative, "") if found.stands else (plain, _unproven(found, rows.height, level, least=least))
    matches = words.whole(found.first.get("played", 0), "match", "matches")
    sentence = text.format(found.first[key], shown(found.first[name]), its_matches=matches, **found.first)
    return f"{sentence}{words.bounds(found.first, name, shown, also)}."


def _unproven(found: Lead, rows: int, level: float, *, least: bool) -> str:
    """Return the note that a lead among `rows` rows is not significant, or that there are too few seeds to judge it."""
    groups = min((row or {}).get("groups") or MANY_GROUPS for row in (found.first, found.rival))
    if _least_p(groups) * rows * (rows - 1) / 2 > level:
        return "lowest; too few seeds to judge" if least else "too few seeds to judge the lead"
    return "lowest, not significant" if least else "lead not significant"


def _least_p(groups: int) -> float:
    """Return the smallest p-value that a test over this number of groups can give."""
    return 2.0 ** (1 - min(groups, 1000))


def _p(first: Row, other: Row, name: str, sign: int) -> float:
    """Return the p-value of the difference of two rows; `first` is the larger one (the smaller one if `sign` is −1)."""
    from scipy.special import stdtr

    difference = sign * (first[name] - other[name])
    near, far = (f"{name}_low", f"{name}_high") if sign > 0 else (f"{name}_high", f"{name}_low")
    if first[near] is None or other[far] is None:
        return 1.0
    reach = sign * (first[name] - first[near]) + sign * (other[far] - other[name])
    groups = min(row.get("groups") or MANY_GROUPS for row in (first, other))
    if groups < 2 or difference <= 0 or not reach < float("inf"):
        return 1.0
    found = 2 * float(stdtr(groups - 1, -difference / reach * t_quantile(groups))) if reach > 0 else 0.0
    return max(found, _least_p(groups))


POWER: Final = 0.8


def found_in_wins(frame: pl.DataFrame, share: float, name: str = "paired_difference") -> list[str]:
    """Return a sentence on the smallest difference in wins that the corrected test finds with 80 % power.

    `frame` has a row for each pair of players, with the bounds of their difference `name` and its `groups`. `share` is
    the risk allotted to all pairs together. Without pairs there is no sentence. The calculation uses the median
    standard error and the median number of seeds.
    """
    if frame.is_empty():
        return []
    seeds, level = int(frame["groups"].sort()[frame.height // 2]), share / frame.height
    needed = _needed(frame.height, share)
    if seeds < needed:
        return [f"With {whole(seeds, 'seed')}, no difference could be significant: at least {needed} are needed."]
    errors = sorted(
        (row[f"{name}_high"] - row[f"{name}_low"]) / 2 / t_quantile(row["groups"])
        for row in frame.iter_rows(named=True)
        if row["groups"] > 1 and isfinite(row[f"{name}_high"] - row[f"{name}_low"])
    )
    if not errors or errors[len(errors) // 2] <= ROUNDING:
        return []
    normal = NormalDist()
    reach = 100 * (normal.inv_cdf(1 - level / 2) + normal.inv_cdf(POWER)) * errors[len(errors) // 2]
    least = f"a difference of {reach:.0f} points in wins with {POWER:.0%} power, after correction"
    return [f"{whole(seeds, 'seed')} can detect {least}."]


def too_few_for_any(frame: pl.DataFrame) -> str:
    """Return a sentence if there are too few seeds for any significant difference, else an empty string.

    `frame` has a row for each pair of players, in one or both directions, with the number of seeds in common as
    `groups`. Other figures are allotted less risk than wins, so too few seeds for wins are also too few for the other
    figures.
    """
    if frame.is_empty():
        return ""
    pairs = int(frame.select(pl.concat_list("player", "other").list.sort().n_unique()).item())
    seeds, needed = int(frame["groups"].max()), _needed(pairs, WINS)  # type: ignore[arg-type]  # a column of integers
    if seeds >= needed:
        return ""
    few = f"{whole(seeds, 'seed')} {'is' if seeds == 1 else 'are'} too few"
    return f"{few} for any difference between players to be significant; at least {needed} are needed."


def are_too_few(seeds: int, pairs: float, share: float = WINS) -> bool:
    """Return whether no test over this number of seeds can be significant after correction for this number of pairs.

    `share` is the risk allotted to all pairs together.
    """
    return 2.0 ** (1 - seeds) * pairs > share


def _needed(pairs: int, share: float) -> int:
    """Return the smallest number of seeds G for a significant difference, given that no p-value is below 2^(1−G)."""
    return ceil(1 - log2(share / pairs))
