"""How strong each player is, from all places at once."""

from dataclasses import replace
from math import log, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from dashboards.stats.intervals import t_quantile
from dashboards.stats.lineups import Lineups, lineups_of
from dashboards.stats.plackett_luce import PSEUDO, Choices, choices, fit

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BUNDLES", "ELO", "REPLICAS", "ratings"]

ELO: Final = 400 / log(10)
"""Elo in one natural logarithm of strength."""
REPLICAS: Final = 1000
AT_ONCE: Final = 50
BUNDLES: Final = 1000
"""How many groups are drawn from at most; more are bundled."""


def ratings(
    results: pl.DataFrame | Lineups, *, replicas: int = REPLICAS, seed: int = 0, pseudo: float = PSEUDO
) -> pl.DataFrame:
    """Return `player, played, groups, rating, rating_low, rating_high`, best first: Elo, 0 is the mean of the players.

    The rating is that of the Plackett–Luce model with shared places (`plackett_luce.py`): of two players whose ratings
    differ by e, the better one finishes ahead of the other with odds of 10^(e/400) if they share no place. The 95 %
    interval is the percentile bootstrap over seed groups: so many samples of as many groups, drawn with replacement
    from a generator of that seed, each fitted anew. The order of matches has no part in it. Its percentiles lie further
    out than 2.5 and 97.5, as few groups need (see `_tail`). With one group, or one player, there is no interval: null.

    More than `BUNDLES` groups are dealt into so many bundles, in turn, in the order of their seeds, and bundles are
    drawn instead (random groups: Wolter 2007, Introduction to Variance Estimation, chapter 2): bundles of independent
    groups are independent, and so many show the spread as well. All matches are rated; a filter that keeps some seats
    says whose ratings are shown.
    """
    lineups = lineups_of(results)
    rows = lineups.seats
    shown = lineups.sums(rows.filter("kept").with_columns(pl.lit(0).alias("none")), ["player"], "none")
    shown = shown.select("player", played="trials", groups="groups")
    if rows.is_empty():
        return shown.with_columns(
            pl.lit(None, pl.Float64).alias(name) for name in ("rating", "rating_low", "rating_high")
        )
    data = _bundled(choices(rows.with_columns(pl.col("match").alias("group"))), lineups)
    groups, players = data.met.shape[0], len(data.players)
    best = fit(data, *data.sampled(np.ones((1, groups))), pseudo=pseudo)
    found = {"player": data.players, "rating": _elo(best[:, :players])[0]}
    if groups > 1 and players > 1 and replicas:
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
    return shown.join(frame, on="player").sort("rating", "player", descending=[True, False])


def _bundled(by_lineup: Choices, lineups: Lineups) -> Choices:
    """Return the choices that each group made, or each bundle of them, from those of each lineup."""
    from scipy.sparse import csr_array

    bundle = lineups.group if lineups.groups <= BUNDLES else lineups.group % BUNDLES
    shape = (min(lineups.groups, BUNDLES), lineups.count)
    times = csr_array((np.ones(len(lineups.lineup)), (bundle, lineups.lineup)), shape=shape)
    return replace(by_lineup, met=(times @ by_lineup.met).tocsr(), chosen=np.asarray(times @ by_lineup.chosen))


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
