"""SQL sums for intervals: amounts and trials by seed, their squares and products.

All sums are over whole numbers, which are exact in any order. So one database always gives the same figures.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from dashboards.warehouse.reader import Reader

__all__ = ["Reader"]


def unit_sums(
    reader: Reader,
    amounts: str,
    trials: str,
    by: Sequence[str],
    over: Sequence[str],
    values: dict[str, Any],
    base: str = "",
) -> pl.DataFrame:
    """Return `*by, trials, total, groups, residual` as `stats.intervals.sums` does, sorted by `by`.

    `amounts` is a query for `*by, unit, x` and `trials` one for `*over, unit, n`, with one row per key and unit. `over`
    is a part of `by`. A unit is independent of the others: a seed. Missing rows of `amounts` count as amount 0. Rows
    without any amount are left out; units without any still count. Both may query `base`, which is then computed once
    for the two.
    """
    first = f"base as materialized ({base}), " if base else ""
    keys, wholes = ", ".join(by), ", ".join(over)
    return reader.frame(
        f"""with {first}amounts as ({amounts}), trials as ({trials}),
            whole as (
                select {wholes or "true as whole"}, sum(n)::double as trials, count(*) as groups,
                    sum(n::double * n) as nn
                from trials where n > 0 group by {wholes or "true"}),
            parts as (
                select {keys or "true as whole"}, sum(x::double) as total, sum(x::double * x) as xx,
                    sum(x::double * n) as xn
                from amounts join trials using ({", ".join([*over, "unit"])})
                where n > 0 group by {keys or "true"})
            select {keys}{", " if keys else ""} trials, total, groups,
                greatest(xx - 2 * total / trials * xn + (total / trials) ** 2 * nn, 0) as residual
            from parts join whole {f"using ({wholes})" if wholes else "on true"}
            {f"order by {keys}" if keys else ""}""",
        values,
    )


def column_sums(
    reader: Reader, base: str, by: Sequence[str], key: str, columns: Mapping[str, str], values: dict[str, Any]
) -> pl.DataFrame:
    """Return `*by, {key}, trials, total, groups, residual`, one row for each key of `columns`.

    `base` is a query for `*by` and numbers, with one row per `by` and unit. `columns` maps each value of `key` to the
    column with its number of trials; the column of amounts has the name of the value. For a hundred thousand seeds and
    ten columns this reads a hundred thousand rows; `sums` would make a million.
    """
    summed = ", ".join(
        f"""count(*) filter ("{n}" > 0) as "groups {x}", sum("{n}")::double as "trials {x}",
            sum("{x}")::double as "total {x}", sum("{x}"::double * "{x}") as "xx {x}",
            sum("{x}"::double * "{n}") as "xn {x}", sum("{n}"::double * "{n}") as "nn {x}\""""
        for x, n in columns.items()
    )
    keys = ", ".join(by)
    wide = reader.frame(
        f"with base as ({base}) select {keys}, {summed} from base group by {keys} order by {keys}",
        values,
    )
    share = pl.col("total") / pl.col("trials")
    spread = pl.col("xx") - 2 * share * pl.col("xn") + share**2 * pl.col("nn")
    names = ("groups", "trials", "total", "xx", "xn", "nn")
    parts = [
        wide.select(*by, pl.lit(x).alias(key), *(pl.col(f"{name} {x}").alias(name) for name in names)) for x in columns
    ]
    found = pl.concat(parts).filter(pl.col("trials") > 0).with_columns(spread.clip(lower_bound=0).alias("residual"))
    return found.select(*by, key, "trials", "total", "groups", "residual").sort(*by, key)
