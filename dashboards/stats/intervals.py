"""Intervals and tests for shares, means and sampled totals that treat matches on one seed as dependent; quartiles."""

from collections.abc import Sequence
from math import isfinite, sqrt
from typing import Final

import polars as pl

__all__ = [
    "ANY",
    "COUNT",
    "DIFFERENCE",
    "LEVEL",
    "ROUNDING",
    "clipped",
    "clopper_pearson",
    "corrected_by_holm",
    "design_effect",
    "difference_sums",
    "mean_intervals",
    "mean_test",
    "means",
    "quartiles",
    "sampled_sums",
    "share_intervals",
    "shares",
    "sums",
    "t_quantile",
    "trials_of",
    "unvaried",
]


ENDS: Final = {"lower": 0.25, "median": 0.5, "upper": 0.75}


def quartiles(histogram: pl.DataFrame, by: Sequence[str], value: str, count: str, name: str) -> pl.DataFrame:
    """Return `*by, {name}_lower, {name}_median, {name}_upper`, sorted by `by`.

    `histogram` has one row per key and value with its `count`. The quantile q of n sorted values is at index (n − 1) ·
    q, counted from 0, with linear interpolation (Hyndman and Fan 1996, type 7). The result equals that of a table with
    one row per value.
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


ROUNDING: Final = 1e-9
"""Tolerance for the rounding error of a score or a count; smaller values count as zero."""
PRIOR: Final = 10.0
"""Weight of the assumed design effect before any success is observed; the unit is a number of successes."""
ENOUGH: Final = 20.0
"""Number of successes at which the assumed design effect has lost all weight."""
USUAL_CORRELATION: Final = 0.3
LEAST_EFFECT: Final = 0.1
Z95: Final = 1.959963984540054
LEVEL: Final = 0.05
COUNT: Final = (0.0, float("inf"))
DIFFERENCE: Final = (-1.0, 1.0)
ANY: Final = (float("-inf"), float("inf"))
"""Ranges of possible values: a mean of counts, a difference of shares, and a mean of any numbers."""


def clopper_pearson(successes: float, trials: float) -> tuple[float, float]:
    """Return the 95 % interval by Clopper and Pearson (1934) of a share; without trials it is 0 to 1.

    It covers the true share in at least 95 of 100 samples of independent trials, however small. A shared success counts
    in part: a score between 0 and 1 varies at most as much as a score of 0 or 1 with the same mean. The number of
    trials may be fractional (see `share_intervals`), because the bounds are quantiles of the beta distribution.
    """
    from scipy.special import betaincinv

    failures, tail = max(trials - successes, 0.0), LEVEL / 2
    low = float(betaincinv(successes, failures + 1, tail)) if successes > 0 else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - tail)) if failures > ROUNDING * trials else 1.0
    return low, high


def share_intervals(rows: pl.DataFrame, by: Sequence[str], value: str, name: str, trials: str) -> pl.DataFrame:
    """Return `*by, {trials}, groups, {name}, {name}_low, {name}_high`: the mean of a score in 0..1, sorted by `by`.

    `rows` has one row per trial; the column `group` identifies the seed. The interval is Clopper and Pearson's with the
    effective number of trials n · (z/t)² / d in place of n (Korn and Graubard 1998, Survey Methodology 24). The design
    effect d is the variation of the share over groups relative to n independent trials; t has G−1 degrees of freedom
    for G groups. If there are few successes, d is partly assumed (see `design_effect`). If each trial has its own seed,
    the effective number is at least n, and larger only if shared successes vary less.
    """
    return shares(sums(rows, by, value), by, name, trials)


def shares(counted: pl.DataFrame, by: Sequence[str], name: str, trials: str) -> pl.DataFrame:
    """Return the frame of `share_intervals` from sums (see `sums`), in the same row order; null without trials."""
    bounds = []
    for n, total, groups, residual in counted.select("trials", "total", "groups", "residual").iter_rows():
        effective = _effective(n, total, groups, residual) if n else 0.0
        bounds.append(clopper_pearson(total / n * effective if n else 0.0, effective))
    return counted.select(
        *by,
        pl.col("trials").alias(trials),
        "groups",
        (pl.col("total") / pl.col("trials")).alias(name),  # NaN if there are no trials
        pl.Series(f"{name}_low", [low for low, _ in bounds], dtype=pl.Float64),
        pl.Series(f"{name}_high", [high for _, high in bounds], dtype=pl.Float64),
    )


def mean_intervals(
    rows: pl.DataFrame, by: Sequence[str], value: str, name: str, within: tuple[float, float] = COUNT
) -> pl.DataFrame:
    """Return `*by, groups, {name}, {name}_low, {name}_high, {name}_p`: the mean of a score, tested against zero.

    Groups are the independent units. With e = (sum over a group) − mean · (its trials), the variance of the mean is
    G/(G−1) · Σe² / n² (Cochran 1977, Sampling Techniques, section 6.3: a ratio of group sums). The interval is a t
    interval with G−1 degrees of freedom. The two-sided p is never below 2^(1−G), the smallest value of a sign-flip test
    over G groups. With one group, the interval is infinite and p is 1. The same holds for groups that do not vary at
    all and are too few for any p to reach 5 %. Bounds are clipped to the range of the score (`within`).

    Counts are skewed, and observing none does not prove that the true mean is zero. So counts have the interval of the
    score test: all means μ with (mean − μ)² ≤ z² · d · μ / n (Brown, Cai and DasGupta 2003, Statistica Sinica 13,
    section 3, for Poisson counts), widened by t/z around its middle. The factor d is their variance relative to Poisson
    counts (McCullagh and Nelder 1989, Generalized Linear Models, section 6.2; for small counts see `design_effect`).
    """
    return means(sums(rows, by, value), by, name, within)


def means(counted: pl.DataFrame, by: Sequence[str], name: str, within: tuple[float, float] = COUNT) -> pl.DataFrame:
    """Return the frame of `mean_intervals` from sums (see `sums`), in the same row order; NaN without trials."""
    rows = counted.select("trials", "total", "groups", "residual").iter_rows()
    results = [_count_test(*row) if within == COUNT else mean_test(*row) for row in rows]
    found = counted.select(*by, "groups").with_columns(
        pl.Series(f"{name}{end}", [result[place] for result in results], dtype=pl.Float64)
        for place, end in enumerate(("", "_low", "_high", "_p"))
    )
    return clipped(found, name, within)


def clipped(frame: pl.DataFrame, name: str, within: tuple[float, float]) -> pl.DataFrame:
    """Return a frame with the bounds of a metric clipped to its range; infinite bounds are unchanged."""
    ends = [pl.col(f"{name}{end}") for end in ("_low", "_high")]
    return frame.with_columns(pl.when(end.is_infinite()).then(end).otherwise(end.clip(*within)) for end in ends)


def unvaried(frame: pl.DataFrame, name: str, within: tuple[float, float] = DIFFERENCE) -> pl.DataFrame:
    """Return a frame in which a metric that was equal in all groups still has an interval of positive width.

    Groups that were never observed may differ. If a fraction q of all groups were different, G groups would include
    none of them with probability (1−q)^G. For the q that makes this 5 %, the mean could be off by q times its distance
    from either end of the range (Louis 1981, The American Statistician 35, for shares).
    """
    part = 1 - pl.lit(LEVEL).pow(1 / pl.col("groups"))
    is_one = (pl.col(f"{name}_high") - pl.col(f"{name}_low")) <= ROUNDING
    low, high = (pl.col(name) + part * (end - pl.col(name)) for end in within)
    return frame.with_columns(
        pl.when(is_one).then(low).otherwise(f"{name}_low").alias(f"{name}_low"),
        pl.when(is_one).then(high).otherwise(f"{name}_high").alias(f"{name}_high"),
    )


def corrected_by_holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for multiple tests by Holm's method.

    The i-th smallest of m values is multiplied by m−i+1, then made non-decreasing (Holm 1979). Comparisons significant
    at 0.05 after the correction hold together: the probability of rejecting any true null hypothesis stays below 0.05,
    whatever their dependence.
    """
    corrected = [0.0] * len(p_values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = least
    return corrected


def t_quantile(groups: float) -> float:
    """Return the half-width of a two-sided 95 % interval in standard errors, for at least two groups."""
    from scipy.special import stdtrit

    return float(stdtrit(groups - 1, 0.975))


def sums(rows: pl.DataFrame, by: Sequence[str], value: str) -> pl.DataFrame:
    """Return `*by, trials, total, groups, residual`; `residual` is the sum over groups of e² (see `mean_intervals`)."""
    groups = (
        rows.group_by(*by, "group")
        .agg(pl.len().cast(pl.Int64).alias("n"), pl.col(value).sum().alias("x"))
        .sort(*by, "group")
    )
    residual = pl.col("x") - pl.col("n") * (pl.col("x").sum() / pl.col("n").sum())
    return (
        groups.group_by(by, maintain_order=True)
        .agg(
            pl.col("n").sum().alias("trials"),
            pl.col("x").sum().alias("total"),
            pl.len().cast(pl.Int64).alias("groups"),
            residual.pow(2).sum().alias("residual"),
        )
        .sort(by)
    )


def design_effect(found: float, independent: float, successes: float, size: float) -> float:
    """Return the design effect: the variance over groups relative to that of independent trials.

    `found` and `independent` are the two variances, both of sums over trials; a group has `size` trials. Few successes
    do not determine the effect. For these, an intraclass correlation of 0.3 is assumed: 1 + 0.3 (size − 1) (Kish 1965,
    Survey Sampling, section 5.4). That assumption weighs as much as ten successes at first, and nothing once there are
    twenty. Successes in groups count by their effective number. With the numbers 0.3, ten and twenty, intervals have
    the intended coverage (`tests/dashboards/stats/test_coverage.py`).
    """
    raw = found / independent if independent > ROUNDING else 1.0
    weight = PRIOR * max(0.0, 1 - successes / max(raw, 1.0) / ENOUGH)
    usual = 1 + USUAL_CORRELATION * (size - 1)
    return (found + weight * usual) / (independent + weight) if independent + weight > ROUNDING else 1.0


def _effective(trials: float, total: float, groups: int, residual: float) -> float:
    """Return the effective number of trials: the number of independent trials with the same information."""
    own = groups == trials
    if groups <= 1:
        return trials if own else 0.0
    share = total / trials
    found, independent = groups / (groups - 1) * residual, max(trials * share * (1 - share), 0.0)
    effect = design_effect(found, independent, trials * min(share, 1 - share), trials / groups)
    worth = trials / max(effect, LEAST_EFFECT) * (Z95 / t_quantile(groups)) ** 2
    return max(worth, trials) if own else worth


def _count_test(trials: float, total: float, groups: int, residual: float) -> tuple[float, float, float, float]:
    """Return mean, low, high and p-value of counts (see `mean_intervals`)."""
    mean, low, high, p = mean_test(trials, total, groups, residual)
    if not isfinite(high) or total < 0:
        return mean, low, high, p
    effect = design_effect(groups / (groups - 1) * residual, total, total, trials / groups)
    square = Z95**2 * effect / trials
    middle, reach = mean + square / 2, t_quantile(groups) / Z95 * sqrt(square * mean + square**2 / 4)
    return mean, middle - reach if mean else 0.0, middle + reach, p


def mean_test(trials: float, total: float, groups: int, residual: float) -> tuple[float, float, float, float]:
    """Return mean, low, high and p-value (see `mean_intervals`)."""
    from scipy.special import stdtr

    mean = total / trials if trials else float("nan")
    least = 2.0 ** (1 - min(groups, 1000))  # smallest p-value possible with this number of groups
    varies = residual > max(ROUNDING * trials, ROUNDING * abs(total)) ** 2
    is_zero = abs(total) <= ROUNDING * trials
    if groups <= 1 or (least > LEVEL and not varies):
        return mean, float("-inf"), float("inf"), 1.0 if is_zero or not groups else least
    error = sqrt(groups / (groups - 1) * residual) / trials if varies else 0.0
    reach = t_quantile(groups) * error
    if is_zero:
        return 0.0, -reach, reach, 1.0
    p = 2 * float(stdtr(groups - 1, -abs(mean) / error)) if error else 0.0
    return mean, mean - reach, mean + reach, max(p, least)


def trials_of(amounts: pl.DataFrame) -> pl.DataFrame:
    """Return `unit, n`: the total amount of each unit over all keys, used as its number of trials."""
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

    `whole` is the number of trials of all seeds. `amounts` (`*by, unit, x`) and `trials` (`unit, n`) are those of the
    sampled seeds only.
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
    """Return `*by, variance, groups` of the difference of two shares, in the row order of `places`.

    Each of the two shares is given by its amounts x and trials n per seed. With r = x/n over all seeds, a seed's effect
    on the difference is e = (x₁ − r₁ n₁) / Σn₁ − (x₂ − r₂ n₂) / Σn₂. A selection that lacks the seed adds nothing. The
    variance is G/(G−1) · Σe² over the G seeds in either selection (linearisation: Wolter 2007, chapter 6). This
    accounts for correlation within matches that are in both selections, as when winners are compared with losers.
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
    """Return `*by, residual`: Σ(x − r n)² over the units in `trials`, with r = Σx/Σn and a missing x counted as 0."""
    number, squares = float(trials["n"].sum()), float((trials["n"].cast(pl.Float64) ** 2).sum())
    if not number:
        return keys.with_columns(pl.lit(0.0).alias("residual"))
    x, n = pl.col("x").cast(pl.Float64), pl.col("n").cast(pl.Float64)
    rows = amounts.join(trials, on="unit").group_by(by)
    sums = rows.agg(x.sum().alias("total"), (x * x).sum().alias("xx"), (x * n).sum().alias("xn"))
    share = pl.col("total") / number
    spread = pl.col("xx") - 2 * share * pl.col("xn") + share**2 * squares
    return sums.select(*by, spread.clip(lower_bound=0).alias("residual"))
