"""How strong each player is, from all places at once."""

from math import log, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from dashboards.stats.intervals import t_quantile
from dashboards.stats.plackett_luce import PSEUDO, choices, fit
from dashboards.stats.results import scored

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ELO", "REPLICAS", "ratings"]

ELO: Final = 400 / log(10)
"""Elo in one natural logarithm of strength."""
REPLICAS: Final = 1000
AT_ONCE: Final = 50


def ratings(results: pl.DataFrame, *, replicas: int = REPLICAS, seed: int = 0, pseudo: float = PSEUDO) -> pl.DataFrame:
    """Return `player, played, groups, rating, rating_low, rating_high`, best first: Elo, 0 is the mean of the players.

    The rating is that of the Plackett–Luce model with shared places (`plackett_luce.py`): of two players whose ratings
    differ by e, the better one comes before the other with odds of 10^(e/400) if they share no place. The interval of
    95 % is the percentile bootstrap over luck groups: so many samples of as many groups, drawn with replacement from a
    generator of that seed, each fitted anew. The order of matches has no part in it. Its percentiles lie further out
    than 2.5 and 97.5, as few groups need (see `_tail`). With one group, or one player, there is no interval: null.
    """
    rows = scored(results)
    counted = rows.group_by("player").agg(
        pl.len().cast(pl.Int64).alias("played"), pl.col("group").n_unique().cast(pl.Int64).alias("groups")
    )
    if rows.is_empty():
        empty = [pl.lit(None, pl.Float64).alias(name) for name in ("rating", "rating_low", "rating_high")]
        return counted.with_columns(empty)
    data = choices(rows)
    groups, players = len(data.chosen), len(data.players)
    best = fit(data, *data.sampled(np.ones((1, groups))), pseudo=pseudo)
    found = {"player": data.players, "rating": _elo(best[:, :players])[0]}
    if groups > 1 and players > 1:
        random = np.random.default_rng(seed)
        samples = []
        for start in range(0, replicas, AT_ONCE):
            drawn = [random.integers(0, groups, groups) for _ in range(min(AT_ONCE, replicas - start))]
            times = np.array([np.bincount(row, minlength=groups) for row in drawn], float)
            samples.append(_elo(fit(data, *data.sampled(times), start=best, pseudo=pseudo)[:, :players]))
        tail = _tail(groups)
        low, high = np.quantile(np.concatenate(samples), [tail, 1 - tail], axis=0)
    else:
        low = high = np.full(players, np.nan)
    frame = pl.DataFrame({**found, "rating_low": low, "rating_high": high}).fill_nan(None)
    return counted.join(frame, on="player").sort("rating", "player", descending=[True, False])


def _elo(strengths: "NDArray[np.float64]") -> "NDArray[np.float64]":
    rating: NDArray[np.float64] = ELO * (strengths - strengths.mean(axis=1, keepdims=True))
    return rating


def _tail(groups: int) -> float:
    """Return the share of samples beyond either bound: Φ(−t·√(G/(G−1))), t of 97.5 % with G−1 degrees of freedom.

    The expanded percentile interval (Hesterberg 2015, "What teachers should know about the bootstrap", The American
    Statistician 69): samples of G groups vary by √((G−1)/G) too little, and Φ knows nothing of G.
    """
    from scipy.special import ndtr

    return float(ndtr(-t_quantile(groups) * sqrt(groups / (groups - 1))))
