"""Which difference in wins so many seeds would have shown, in words: silence is no answer."""

from math import ceil, isfinite, log2
from statistics import NormalDist
from typing import Final

import polars as pl

from dashboards.stats.intervals import ROUNDING, t_quantile
from dashboards.stats.words import whole

__all__ = ["found_in_wins"]

POWER: Final = 0.8


def found_in_wins(frame: pl.DataFrame, share: float, such: str, name: str = "paired_difference") -> list[str]:
    """Return in a sentence which difference in wins the corrected test finds with 80 %; nothing without pairs.

    `frame` has a row for each two players, with the bounds of their difference `name` and its `groups`; `share` is the
    risk that all of them have together, `such` what would find it in 80 of 100. The usual pair counts: that of the
    median standard error and number of seeds.
    """
    if frame.is_empty():
        return []
    seeds, level = int(frame["groups"].sort()[frame.height // 2]), share / frame.height
    needed = ceil(1 - log2(level))  # for no p is below 2^(1−G)
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
    least = f"a difference of {reach:.0f} points in wins would be detected in 80 of 100 such {such}"
    return [f"With {whole(seeds, 'seed')}, {least}."]
