"""Medians and quartiles of values that are given with their counts."""

from collections.abc import Sequence
from typing import Final

import polars as pl

__all__ = ["quartiles"]

ENDS: Final = {"lower": 0.25, "median": 0.5, "upper": 0.75}


def quartiles(histogram: pl.DataFrame, by: Sequence[str], value: str, count: str, name: str) -> pl.DataFrame:
    """Return `*by, {name}_lower, {name}_median, {name}_upper`, sorted by `by`.

    `histogram` has one row per key and value with its `count`. A quantile q of n values is the one at (n − 1) · q in
    order, from 0. Between two neighbours it is interpolated in proportion (Hyndman and Fan 1996, type 7). The result is
    exactly that of a table with a row for each value.
    """
    counted = histogram.group_by(*by, value).agg(pl.col(count).sum()).filter(pl.col(count) > 0).sort(*by, value)
    passed, total = pl.col(count).cum_sum(), pl.col(count).sum()

    def at(place: pl.Expr) -> pl.Expr:
        return pl.col(value).filter(passed > place).first().cast(pl.Float64)

    columns = []
    for end, part in ENDS.items():
        place = (total - 1) * part
        low, high = at(place.floor()), at(place.ceil())
        columns.append((low + (high - low) * (place - place.floor())).alias(f"{name}_{end}"))
    return counted.group_by(by, maintain_order=True).agg(columns)
