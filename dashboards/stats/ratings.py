"""Ratings of players from complete rankings, within pools of players connected by shared tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from dashboards.stats.intervals import design_effect, t_quantile
from dashboards.stats.plackett_luce import PSEUDO, Choices, choices, fit, information
from dashboards.stats.results import Lineups, lineups_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BUNDLES", "ELO", "Joint", "joints", "one_sided", "pool_numbers", "pools", "ratings"]


FEW: Final = 5
"""Maximum number of shared matches between two halves of a pool that still counts as a weak connection."""


def pools(seats: pl.DataFrame) -> list[list[str]]:
    """Return the pools of players in a frame of `match, player`: the largest pool first, names sorted."""
    tables = seats.group_by("match").agg(pl.col("player").unique().sort())["player"].unique()
    return _connected(tables.to_list())


def pool_numbers(found: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the number of each player's pool, from 1."""
    return {player: number for number, pool in enumerate(found, start=1) for player in pool}


@dataclass(frozen=True, slots=True)
class Joint:
    """Two groups of players in a pool, and the number of matches with players of both groups."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    matches: int


def joints(lineups: Lineups) -> list[Joint]:
    """Return halves of a pool that only a few matches connect, while more matches connect players within a half."""
    played = _played(lineups)
    found: dict[frozenset[frozenset[str]], Joint] = {}
    for core in map(frozenset, _connected(table for table, matches in played.items() if matches > FEW)):
        across = sum(matches for table, matches in played.items() if core & table and table - core)
        pool = next(pool for pool in _connected(played) if core <= set(pool))
        rest = frozenset(pool) - core
        if len(core) > 1 and 0 < across <= FEW:
            found.setdefault(frozenset({core, rest}), Joint(tuple(sorted(core)), tuple(sorted(rest)), across))
    return list(found.values())


def one_sided(lineups: Lineups) -> list[Joint]:
    """Return pairs of groups in which every player of `one` always finished ahead of the players of `other` it met.

    `matches` is the number of matches with players of both groups.
    """
    names = lineups.seats["player"].unique().sort().to_list()
    beats = np.eye(len(names), dtype=bool)
    met = lineups.seats.select("match", "player", "place")
    pairs = met.join(met, on="match", suffix="_other").filter(pl.col("place") <= pl.col("place_other"))
    number = {name: place for place, name in enumerate(names)}
    for player, other in pairs.select("player", "player_other").unique().iter_rows():
        beats[number[player], number[other]] = True
    reach = beats.copy()
    for via in range(len(names)):
        reach |= np.outer(reach[:, via], reach[via])
    played, found = _played(lineups), dict[tuple[tuple[str, ...], tuple[str, ...]], Joint]()
    for same in np.unique(reach & reach.T, axis=0):  # players in a cycle of wins have ratings a finite distance apart
        outside = (beats[same] | beats[:, same].T).any(axis=0) & ~same
        half, others = (tuple(np.array(names, dtype=object)[some]) for some in (same, outside))
        if not outside.any():
            continue
        matches = sum(count for table, count in played.items() if table & set(half) and table & set(others))
        if not reach[outside][:, same].any():
            found[half, others] = Joint(half, others, matches)
        elif not reach[same][:, outside].any():
            found[others, half] = Joint(others, half, matches)
    every = list(found.values())
    return [joint for joint in every if not any(_says_more(other, joint) for other in every)]


def _says_more(one: Joint, other: Joint) -> bool:
    """Return whether `one` includes all players of `other` and at least one more."""
    return one != other and set(one.one) >= set(other.one) and set(one.other) >= set(other.other)


def _played(lineups: Lineups) -> dict[frozenset[str], int]:
    times = np.bincount(lineups.lineup, minlength=lineups.count)
    tables = lineups.seats.group_by("match").agg("player").sort("match")
    found: dict[frozenset[str], int] = {}
    for match, players in tables.iter_rows():
        found[frozenset(players)] = found.get(frozenset(players), 0) + int(times[match])
    return found


def _connected(tables: Iterable[Iterable[str]]) -> list[list[str]]:
    found: list[set[str]] = []
    for table in tables:
        joined = [pool for pool in found if not pool.isdisjoint(table)]
        found = [pool for pool in found if pool.isdisjoint(table)] + [set(table).union(*joined)]
    return sorted((sorted(pool) for pool in found), key=lambda pool: (-len(pool), pool))


ELO: Final = 400 / log(10)
"""Elo points per unit of the natural logarithm of strength."""
AT_ONCE: Final = 50
BUNDLES: Final = 1000
"""Maximum number of groups that the jackknife leaves out one by one; more groups are bundled."""


def ratings(results: pl.DataFrame | Lineups, *, bounds: bool = True, pseudo: float = PSEUDO) -> pl.DataFrame:
    """Return `player, played, groups, rating, rating_low, rating_high, pool`, pool by pool, best first, in Elo points.

    0 is the mean of the players of a pool (see `pools`). Ratings of different pools cannot be compared, and a player
    who never met another has none.

    The rating is that of the Plackett–Luce model with shared places (`plackett_luce.py`). If two ratings differ by e,
    the better player finishes ahead with odds of 10^(e/400) to 1, ties aside. All matches are rated, and their order
    does not matter. A filter on seats does not change the ratings; it only selects which are shown. The 95 % interval
    uses jackknife standard errors over seed groups (see `_errors`) and t with G−1 degrees of freedom for a player in G
    groups. It is null for one group, for one player, and without `bounds`.

    If there are more than `BUNDLES` groups, they are dealt in turn, sorted by seed, into that many bundles. Bundles are
    then left out instead of groups (random groups: Wolter 2007, Introduction to Variance Estimation, chapter 2).
    Bundles of independent groups are independent too.
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
        met = np.minimum(every["groups"].to_numpy(), groups)  # in the row order of the ratings: by player
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
    """Return the standard error of each player's rating.

    `size` is the number of matches per group; the matrix `middle` subtracts the pool's mean. The variance is that of
    the jackknife, (G−1)/G · Σ(rating without a group − rating)² (Wolter 2007, chapter 4; for unequal groups MacKinnon,
    Nielsen and Webb 2023, Journal of Applied Econometrics 38). It is unreliable for few groups, and for a player who
    wins nearly all matches or has played few. So it is expressed as a design effect times the model's variance, the
    inverse of the information. The observed effect is weighted by the equivalent number of wins
    (`intervals.design_effect`).
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
    # a rating with variance 1/I corresponds to a sum over trials with variance I
    effects = [
        design_effect(found / by**2, 1 / by, 1 / by, size) if by > 0 else np.nan  # NaN if the player never met another
        for found, by in zip(spread, usual, strict=True)
    ]
    errors: NDArray[np.float64] = ELO * np.sqrt(np.array(effects) * usual)
    return errors


def _bundled(by_lineup: Choices, lineups: Lineups) -> Choices:
    """Return the choices of each group, or of each bundle of groups, from the choices of each lineup."""
    from scipy.sparse import csr_array

    bundle = lineups.group if lineups.groups <= BUNDLES else lineups.group % BUNDLES
    shape = (min(lineups.groups, BUNDLES), lineups.count)
    times = csr_array((np.ones(len(lineups.lineup)), (bundle, lineups.lineup)), shape=shape)
    return replace(by_lineup, met=(times @ by_lineup.met).tocsr(), chosen=np.asarray(times @ by_lineup.chosen))
