"""Strength of each player, from all places together."""

from dataclasses import replace
from math import log
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from dashboards.stats.intervals import design_effect, t_quantile
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.plackett_luce import PSEUDO, Choices, choices, fit, information
from dashboards.stats.pools import pool_numbers, pools

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BUNDLES", "ELO", "ratings"]

ELO: Final = 400 / log(10)
"""Elo per natural logarithm of strength."""
AT_ONCE: Final = 50
BUNDLES: Final = 1000
"""Largest number of groups that are left out one by one; more are bundled."""


def ratings(results: pl.DataFrame | Lineups, *, bounds: bool = True, pseudo: float = PSEUDO) -> pl.DataFrame:
    """Return `player, played, groups, rating, rating_low, rating_high, pool`, pool by pool, best first, in Elo.

    0 is the mean of the players of a pool (`pools.py`). Ratings of different pools cannot be compared, and a player who
    met no other has none.

    The rating is that of the Plackett–Luce model with shared places (`plackett_luce.py`). If two ratings differ by e,
    the better player finishes ahead of the other with odds of 10^(e/400), unless they share a place. All matches are
    rated, in any order; a filter that keeps some seats only selects the ratings shown. The 95 % interval is that of the
    jackknife over seed groups, see `_errors`, and of t with one degree of freedom less than the player has groups. With
    one group, or one player, or without `bounds`, there is none: null.

    More than `BUNDLES` groups are dealt into so many bundles, in turn, in the order of their seeds, and bundles are
    left out instead (random groups: Wolter 2007, Introduction to Variance Estimation, chapter 2). Bundles of
    independent groups are independent, and so many show the spread as well.
    """
    lineups = lineups_of(results)
    rows = lineups.seats
    numbers = pool_numbers(pools(rows))
    shown, every = (
        lineups.sums(seats.with_columns(pl.lit(0).alias("none")), ["player"], "none").select(
            "player", played="trials", groups="groups"
        )
        for seats in (rows.filter("kept"), rows)
    )
    if rows.is_empty():
        return shown.select(
            "player",
            "played",
            "groups",
            *(pl.lit(None, pl.Float64).alias(name) for name in ("rating", "rating_low", "rating_high")),
            pl.lit(None, pl.Int64).alias("pool"),
        )
    data = _bundled(choices(rows.with_columns(pl.col("match").alias("group"))), lineups)
    groups, players = data.met.shape[0], len(data.players)
    pool = np.array([numbers[player] for player in data.players])
    same = (pool[:, None] == pool).astype(float)
    middle = np.eye(players) - same / same.sum(axis=1, keepdims=True)
    best = fit(data, *data.sampled(np.ones((1, groups))), pseudo=pseudo)
    alone = same.sum(axis=1) == 1
    rating, reach = np.where(alone, np.nan, ELO * middle @ best[0, :players]), np.full(players, np.nan)
    if groups > 1 and players > 1 and bounds:
        met = np.minimum(every["groups"].to_numpy(), groups)  # sorted by player, as the ratings are
        times = [t_quantile(int(number)) if number > 1 else np.nan for number in met]
        reach = _errors(data, best, pseudo, len(lineups.lineup) / groups, middle) * times
    frame = pl.DataFrame(
        {"player": data.players, "rating": rating, "rating_low": rating - reach, "rating_high": rating + reach}
    ).fill_nan(None)
    rated = shown.join(frame, on="player").with_columns(
        pl.col("player").replace_strict(numbers, default=None, return_dtype=pl.Int64).alias("pool")
    )
    rated = rated.sort("pool", "rating", "player", descending=[False, True, False], nulls_last=True)
    return rated.select("player", "played", "groups", "rating", "rating_low", "rating_high", "pool")


def _errors(
    data: Choices, best: "NDArray[np.float64]", pseudo: float, size: float, middle: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Return the standard error of each player's rating; a group has `size` matches, `middle` takes out the mean.

    The variance is that of the jackknife, (G−1)/G · Σ(rating without a group − rating)² (Wolter 2007, chapter 4; for
    groups of unequal worth MacKinnon, Nielsen and Webb 2023, Journal of Applied Econometrics 38). A player who wins
    nearly all matches or played few gives little information; a few groups vary too little or not at all. So the
    variance is given as a design effect times the variance by the model, the inverse of the information. Its weight is
    that of an equivalent number of wins (`intervals.design_effect`).
    """
    groups, players = data.met.shape[0], len(data.players)
    whole = data.sampled(np.ones((1, groups)))
    squares = np.zeros(players)
    for start in range(0, groups, AT_ONCE):
        left = np.arange(start, min(start + AT_ONCE, groups))
        met, chosen = whole[0] - data.met[left].toarray(), whole[1] - data.chosen[left]
        without = fit(data, met, chosen, start=best, pseudo=pseudo)
        squares += (((without - best)[:, :players] @ middle.T) ** 2).sum(axis=0)
    spread = (groups - 1) / groups * squares
    centred = np.zeros((players, best.shape[1]))
    centred[:, :players] = middle
    inverse = np.linalg.inv(information(data, *whole, best, pseudo)[0])
    usual = np.einsum("ip,pq,iq->i", centred, inverse, centred)
    # a variance of 1/I is that of a sum over trials with variance I
    effects = [
        design_effect(found / by**2, 1 / by, 1 / by, size) if by > 0 else np.nan  # if the player met no other
        for found, by in zip(spread, usual, strict=True)
    ]
    errors: NDArray[np.float64] = ELO * np.sqrt(np.array(effects) * usual)
    return errors


def _bundled(by_lineup: Choices, lineups: Lineups) -> Choices:
    """Return the choices of each group, or of each bundle of groups, from those of each lineup."""
    from scipy.sparse import csr_array

    bundle = lineups.group if lineups.groups <= BUNDLES else lineups.group % BUNDLES
    shape = (min(lineups.groups, BUNDLES), lineups.count)
    times = csr_array((np.ones(len(lineups.lineup)), (bundle, lineups.lineup)), shape=shape)
    return replace(by_lineup, met=(times @ by_lineup.met).tocsr(), chosen=np.asarray(times @ by_lineup.chosen))
