"""Calibration of win probabilities: the mean probability compared with the share of wins, in bins of equal size.

As in the evaluation of models (`himalaya_core.winprob.train`), seeds are the independent units, because matches on one
seed share their dice. SciPy is imported only when needed, as in `intervals`.
"""

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from dashboards.stats.claims import STATEMENT, corrected
from dashboards.stats.intervals import ROUNDING, shares
from dashboards.stats.resampling import bundled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

__all__ = ["BINS", "reliability"]

BINS: Final = 10
RESAMPLES: Final = 1_000
ERROR: Final = "calibration_error"
APART: Final = "calibration_difference"
OF_BIN: Final = {
    "bin": pl.Int64,
    "chance": pl.Float64,
    "positions": pl.Int64,
    "trials": pl.Float64,
    "total": pl.Float64,
    "groups": pl.Int64,
    "residual": pl.Float64,
    f"{APART}_p": pl.Float64,
}


def reliability(rows: pl.DataFrame) -> pl.DataFrame:
    """Return `bin, chance, positions, groups, won_share, calibration_difference`, and `calibration_error`, with bounds.

    `rows` has one row per seat in a position: `unit` (its seed), `match_id`, `seat`, `chance` (its win probability) and
    `won` (its part of the win). Bins have equal counts and are numbered from 1, the smallest probabilities first.
    `calibration_difference` is the share of wins minus the mean probability. The column with the suffix `_p` is its
    p-value (see `_p_of`), and that with `_holm` the p-value corrected for all bins. `calibration_error` is the mean
    absolute difference over the bins; every row has the same value.
    """
    if rows.height < BINS:
        return _named([], 0.0, 0.0)
    order = np.empty(rows.height, np.int64)
    order[np.argsort(rows["chance"].to_numpy(), kind="stable")] = np.arange(rows.height)
    binned = rows.with_columns(pl.Series("bin", order * BINS // rows.height + 1))
    chance = pl.col("chance")
    of_seat = binned.group_by("bin", "unit", "match_id", "seat", maintain_order=True).agg(
        pl.len().cast(pl.Float64).alias("n"),
        pl.col("won").sum().alias("x"),
        chance.sum().alias("c"),
        (chance * (1 - chance)).clip(lower_bound=0).sqrt().sum().pow(2).alias("varies"),
    )
    return _named([_bin(part) for part in of_seat.sort("bin").partition_by("bin")], *_error(of_seat))


def _bin(seats: pl.DataFrame) -> tuple[Any, ...]:
    """Return one bin as a row with the columns of `OF_BIN`; `seats` has one row per seat of a match."""
    trials = float(seats["n"].sum())
    won, chance = (float(seats[name].sum()) / trials for name in ("x", "c"))
    seats = seats.with_columns(
        (pl.col("x") - won * pl.col("n")).alias("e"),
        (pl.col("x") - pl.col("c") - (won - chance) * pl.col("n")).alias("apart"),
    )
    seeds = seats.group_by("unit", maintain_order=True).agg(pl.col("e", "apart").sum())
    together, alone = (float((part["apart"] ** 2).sum()) for part in (seeds, seats))
    variance = float(seats["varies"].sum()) * (max(1.0, together / alone) if alone > ROUNDING else 1.0)
    residual = float((seeds["e"] ** 2).sum())
    p = _p_of(won, chance, trials, variance)
    return seats["bin"][0], chance, int(trials), trials, float(seats["x"].sum()), seeds.height, residual, p


def _p_of(won: float, chance: float, trials: float, variance: float) -> float:
    """Return the p-value of a two-sided binomial test of whether the predicted chances are right.

    The binomial has the number of trials that gives the same variance (Korn and Graubard 1998). `variance` is an upper
    bound on the variance of the number of wins if the chances are right. It assumes that all positions of a seat in a
    match deviate together (Cauchy–Schwarz inequality). The caller also scales it up for matches that share a seed.
    """
    from scipy.special import betainc

    if variance <= ROUNDING:
        return 1.0
    worth = trials**2 * chance * (1 - chance) / variance
    wins, losses = won * worth, (1 - won) * worth
    above = float(betainc(wins, losses + 1, chance)) if wins > ROUNDING else 1.0
    below = float(betainc(losses, wins + 1, 1 - chance)) if losses > ROUNDING else 1.0
    return min(1.0, 2 * min(above, below))


def _error(seats: pl.DataFrame) -> tuple[float, float]:
    """Return the mean distance between chance and share of wins, and the half-width of its 95 % interval.

    By the triangle inequality, the error of the mean distance is at most the sum of the errors of the bins. That sum is
    estimated by resampling seeds.
    """
    units = seats["unit"].rank("dense").to_numpy().astype(np.int64) - 1
    cells, shape = units * BINS + seats["bin"].to_numpy() - 1, (int(units.max()) + 1, BINS)
    weights = ((seats["x"] - seats["c"]).to_numpy(), seats["n"].to_numpy())
    sums = [np.bincount(cells, each, shape[0] * BINS).astype(np.float64).reshape(shape) for each in weights]
    both = bundled(np.concatenate(sums, axis=1))
    apart, trials = both[:, :BINS], both[:, BINS:].sum(axis=1)
    found = apart.sum(axis=0) / trials.sum()
    error = float(np.abs(found).sum())
    if len(both) == 1:
        return error, float("inf")
    draws = np.random.default_rng(1).multinomial(len(both), np.full(len(both), 1 / len(both)), RESAMPLES)
    off = np.abs(draws @ apart / (draws @ trials)[:, None] - found).sum(axis=1)
    return error, float(np.quantile(off, 0.95))


def _named(found: list[tuple[Any, ...]], error: float, reach: float) -> pl.DataFrame:
    frame = pl.DataFrame(found, schema=OF_BIN, orient="row")
    frame = frame.join(shares(frame, ["bin"], "won_share", "of").drop("of", "groups"), on="bin", maintain_order="left")
    ends = {ERROR: error, f"{ERROR}_low": max(0.0, error - reach), f"{ERROR}_high": error + reach}
    return frame.with_columns(
        *((pl.col(f"won_share{end}") - pl.col("chance")).alias(f"{APART}{end}") for end in ("", "_low", "_high")),
        pl.Series(f"{APART}_holm", corrected(frame[f"{APART}_p"].to_list(), STATEMENT), pl.Float64),
        *(pl.lit(value).alias(name) for name, value in ends.items()),
    )
