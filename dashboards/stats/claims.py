"""Claims of differences in sentences, their shares of the risk of a false claim, and the power to find one."""

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
"""Risk that a report or a page makes any false claim."""
WINS: Final = 0.04
SEATS: Final = 0.0025
HEAD_TO_HEAD: Final = 0.0025
PLACES: Final = 0.00125
RATINGS: Final = 0.00125
STATEMENT: Final = 0.00005
"""Risk of each other statement; a report makes at most fifty of these."""
COMPARED: Final = 0.05
LINE_UPS: Final = 0.005
"""On Compare: the verdict has all of the risk; statements on line-ups have a tenth of that in addition."""
SUPERLATIVES: Final = (
    "“Most” and “least” mark a significant difference from every other row shown, except from rows that the sentence"
    " calls level, not significant, or not judged."
)
"""Shown with the method: `lead_sentence` makes the sentences of all figures except those of strength."""
FILLED: Final = "A hollow dot is not significant."
INTERVALS: Final = (
    "Each interval is for one comparison; significance is corrected for all of them. So an interval can exclude zero"
    " although the difference is not significant."
)
"""For readers, once on a page, near figures of strength."""
MANY_GROUPS: Final = 10_000
"""Number of groups assumed for rows without one; t is normal then."""


def corrected(p_values: Sequence[float], share: float) -> list[float]:
    """Return p-values corrected by Holm for being several, and for their share of `RISK`.

    A corrected value of at most `RISK` is significant, in any figure.
    """
    return [min(1.0, p * RISK / share) for p in corrected_by_holm(p_values)]


@dataclass(frozen=True, slots=True)
class Lead:
    """The greatest or least row of a table, and the first row that does not differ from it significantly.

    Without such a `rival` the row may be called the greatest of the table.
    """

    first: Row
    rival: Row | None

    @property
    def stands(self) -> bool:
        """Return whether the row differs from all others."""
        return self.rival is None


def lead(frame: pl.DataFrame, name: str, *, least: bool = False, level: float = STATEMENT) -> Lead:
    """Return the leader by a metric that has bounds, among rows in any order; the earlier row wins a tie.

    The difference from each other row is tested. Its standard error is at most the sum of both standard errors,
    whatever their dependence (by Cauchy and Schwarz). These follow from the bounds on the sides that face each other.
    Any row could have been first, so all pairs are one family (Bonferroni). Rows without bounds, and a single row, lead
    nothing significantly; a single row has no rival.
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
    """Return a sentence on the row with most (or least) of something; a superlative only if the lead is significant.

    `superlative` and `plain` are filled in with the row's `key`, its value as `shown` writes it, its columns by name,
    and `its_matches`, which is `played` in words; the interval follows. Take `{} earns the most: {} yaks` and `{} earns
    {} yaks`. A significant lead gives `trader earns the most: 14.2 yaks (95% CI 13.0–15.4).`, any other lead `trader
    earns 14.2 yaks (95% CI 13.0–15.4; lead not significant).`, and a single row `trader earns 14.2 yaks (95% CI …).`.
    Too few groups to judge a lead are named as such.
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
    """Say that a lead among so many rows is not significant, or that too few seeds were there to judge it."""
    groups = min((row or {}).get("groups") or MANY_GROUPS for row in (found.first, found.rival))
    if _least_p(groups) * rows * (rows - 1) / 2 > level:
        return "lowest; too few seeds to judge" if least else "too few seeds to judge the lead"
    return "lowest, not significant" if least else "lead not significant"


def _least_p(groups: int) -> float:
    """Return the smallest p that a test over so many groups can give."""
    return 2.0 ** (1 - min(groups, 1000))


def _p(first: Row, other: Row, name: str, sign: int) -> float:
    """Return p of the difference of two rows; `first` is the greater one (the smaller for a sign of −1)."""
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
    """Return a sentence on the difference in wins that the corrected test finds with 80 %; nothing without pairs.

    `frame` has a row for each two players, with the bounds of their difference `name` and its `groups`; `share` is the
    risk that all of them have together. It is computed for a typical pair: that of the median standard error and number
    of seeds.
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
    """Return a sentence if no two players could differ significantly on so few seeds, else nothing.

    `frame` has a row for each two players, in one direction or both, with the `groups` that the two have in common.
    Other figures of players have less of the risk than wins, so seeds too few for wins are too few for those as well.
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
    """Return whether a test over so many seeds could not be significant once corrected for so many pairs of players.

    `share` is the risk that all of them have together.
    """
    return 2.0 ** (1 - seeds) * pairs > share


def _needed(pairs: int, share: float) -> int:
    """Return the smallest number of seeds for a significant difference, as no p is below 2^(1−G)."""
    return ceil(1 - log2(share / pairs))
