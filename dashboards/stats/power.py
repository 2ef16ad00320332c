"""Difference in wins that so many seeds would have shown, in words: no finding is no proof of equality."""

from math import ceil, isfinite, log2
from statistics import NormalDist
from typing import Final

import polars as pl

from dashboards.stats.claims import WINS
from dashboards.stats.intervals import ROUNDING, t_quantile
from dashboards.stats.words import whole

__all__ = ["are_too_few", "found_in_wins", "too_few_for_any"]

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
