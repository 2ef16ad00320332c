"""Intervals for totals that were summed for speed: their spread from a sample of seeds.

The total is that of all matches. Its interval needs a sum of squares: that of the sampled seeds, scaled up by seeds /
sampled seeds. The hash of a seed decides whether it is sampled. So the sample is a random one, and a sum over it times
seeds/sampled has the right mean (Cochran 1977, Sampling Techniques, section 2.2). Up to a thousand seeds, all are in
the sample, and nothing is estimated.
"""

from collections.abc import Sequence

import polars as pl

__all__ = ["difference_sums", "sampled_sums", "trials_of"]


def trials_of(amounts: pl.DataFrame) -> pl.DataFrame:
    """Return `unit, n`, with every amount counted as a trial, under any key."""
    return amounts.group_by("unit").agg(pl.col("x").sum().alias("n"))


def sampled_sums(
    totals: pl.DataFrame,
    by: Sequence[str],
    whole: float,
    seeds: int,
    amounts: pl.DataFrame,
    trials: pl.DataFrame,
) -> pl.DataFrame:
    """Return `*by, trials, total, groups, residual` as `intervals.sums` does, in the order of `totals` (`*by, total`).

    `whole` is the number of trials of all seeds, `amounts` (`*by, unit, x`) and `trials` (`unit, n`) are those of the
    sampled ones.
    """
    spread = _residuals(totals.select(by), by, amounts, trials)
    sampled = trials.height
    scale = seeds / sampled if sampled else 1.0
    return totals.join(spread, on=by, how="left", maintain_order="left").select(
        *by,
        pl.lit(float(whole)).alias("trials"),
        pl.col("total").cast(pl.Float64),
        pl.lit(seeds, pl.Int64).alias("groups"),
        (pl.col("residual").fill_null(0.0) * scale).alias("residual"),
    )


def difference_sums(
    places: pl.DataFrame,
    by: Sequence[str],
    first: tuple[pl.DataFrame, pl.DataFrame],
    second: tuple[pl.DataFrame, pl.DataFrame],
) -> pl.DataFrame:
    """Return `*by, variance, groups`: how much the difference of two shares varies, in the order of `places`.

    Each of the two is given by its amounts and trials. With r = x/n over all seeds, each seed moves the difference by e
    = (x₁ − r₁ n₁) / Σn₁ − (x₂ − r₂ n₂) / Σn₂; a selection without the seed adds nothing. The variance is G/(G−1) · Σe²
    over the G seeds of either (linearisation: Wolter 2007, chapter 6). So matches in both selections, as with winners
    and losers, count with what they have in common.
    """
    sides = []
    for sign, (amounts, trials) in zip((1, -1), (first, second), strict=True):
        whole = float(trials["n"].sum())
        if not whole:
            return places.select(by).with_columns(pl.lit(0.0).alias("variance"), pl.lit(0, pl.Int64).alias("groups"))
        shares = amounts.group_by(by).agg((pl.col("x").sum() / whole).alias("share"))
        cells = places.select(by).join(shares, on=by, maintain_order="left").join(trials.sort("unit"), how="cross")
        cells = cells.join(amounts, on=[*by, "unit"], how="left", maintain_order="left")
        cells = cells.with_columns(pl.col("x").fill_null(0))
        step = sign * (pl.col("x") - pl.col("share") * pl.col("n")) / whole
        sides.append(cells.select(*by, "unit", step.alias("moved")))
    seeds = pl.concat([first[1]["unit"], second[1]["unit"]]).n_unique()
    moved = pl.concat(sides).group_by(*by, "unit", maintain_order=True).agg(pl.col("moved").sum())
    squares = moved.group_by(by, maintain_order=True).agg(pl.col("moved").pow(2).sum().alias("squares"))
    factor = seeds / (seeds - 1) if seeds > 1 else 0.0
    return (
        places.select(by)
        .join(squares, on=by, how="left", maintain_order="left")
        .select(
            *by,
            (pl.col("squares").fill_null(0.0) * factor).alias("variance"),
            pl.lit(seeds, pl.Int64).alias("groups"),
        )
    )


def _residuals(keys: pl.DataFrame, by: Sequence[str], amounts: pl.DataFrame, trials: pl.DataFrame) -> pl.DataFrame:
    """Return `*by, residual`: Σ(x − r n)² over the units of the trials, r = Σx/Σn, x being 0 if it is missing."""
    number, squares = float(trials["n"].sum()), float((trials["n"].cast(pl.Float64) ** 2).sum())
    if not number:
        return keys.with_columns(pl.lit(0.0).alias("residual"))
    x, n = pl.col("x").cast(pl.Float64), pl.col("n").cast(pl.Float64)
    rows = amounts.join(trials, on="unit").group_by(by)
    sums = rows.agg(x.sum().alias("total"), (x * x).sum().alias("xx"), (x * n).sum().alias("xn"))
    share = pl.col("total") / number
    spread = pl.col("xx") - 2 * share * pl.col("xn") + share**2 * squares
    return sums.select(*by, spread.clip(lower_bound=0).alias("residual"))
