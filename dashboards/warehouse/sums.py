"""Adding up in SQL what an interval needs: amounts and trials seed by seed, their squares and products.

The sums are those of whole numbers, which are exact in any order, so that one database always gives the same figures.
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

    `amounts` is a question for `*by, unit, x` and `trials` one for `*over, unit, n`, each of one row per key and
    unit; `over` is a part of `by`. A unit is what is independent of the others: a seed. In what `amounts` leaves
    out the amount is 0: rows that have none at all are not in the answer, units that have none count. Both may ask
    `base`, which is then counted once for the two.
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

    `base` is a question for `*by` and numbers, of one row per `by` and unit. `columns` says for each value of `key`
    which of its columns is the number of trials; the column of amounts is called like the value itself. Of a
    hundred thousand seeds and ten columns this reads a hundred thousand rows, where `sums` would make a million.
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
