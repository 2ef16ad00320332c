"""Tests by resampling: exact for few seeds, and valid for skewed counts.

Two equally strong players could swap names in any seed, which flips the sign of the difference between them. Seats
without an advantage could be swapped in any seed. So the result is compared with the results after such swaps
(randomisation tests: Fisher 1935, The Design of Experiments, section 21). With many seeds, the t test gives the same
result and is faster.
"""

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = tuple[NDArray[np.float64], NDArray[np.float64]]
    """Trials and total of each seed."""

__all__ = ["BUNDLES", "MANY", "MANY_FLIPPED", "bundled", "flip_tests", "seat_tests", "swap_tests"]
MANY: Final = 200
"""Number of seeds from which the t test replaces resampling."""
MANY_FLIPPED: Final = 100
"""Number of seeds from which the t test replaces sign flips between two players; their differences are not skewed.

With 100 seeds, t finds a difference in 4.8 to 5.3 % of pairs of equal players. Sign flips find one in 3.4 to 4.7 %,
because they have few distinct sums, and miss two percentage points more of the true differences.
"""
MANY_TESTS: Final = 400
"""Number of differences from which the t test replaces resampling, as a comparison of twenty players has 400 pairs."""
BUNDLES: Final = 1_000
"""Maximum number of separate groups; more groups are dealt into this number of bundles."""
ALL: Final = 12
"""Maximum number of seeds for which every combination of signs is evaluated."""
SAMPLES: Final = 9_999
ORDERS: Final = 4_999
"""Number of random samples: of sign flips, and of seat orders."""
RARE: Final = 20
"""Minimum number of samples as extreme as the result; with fewer, the p-value is that of the t test."""
ALIKE: Final = 1e-9
"""Tolerance for equal sums of scores: smaller differences are rounding errors."""


def bundled(seeds: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return rows summed into at most a thousand bundles; bundles of independent seeds are independent."""
    if len(seeds) <= BUNDLES:
        return seeds
    short = -len(seeds) % BUNDLES
    padded = np.concatenate([seeds, np.zeros((short, *seeds.shape[1:]))])
    found: NDArray[np.float64] = padded.reshape(-1, BUNDLES, *seeds.shape[1:]).sum(axis=0)
    return found


def flip_tests(moved: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return two-sided p-values for the hypothesis that each column mean is zero; `moved` is seeds × tests.

    For up to twelve seeds, all 2^G sign flips are evaluated; for more, a fixed random sample of them. From
    `MANY_FLIPPED` seeds, and far out in the tail, the t test is used. No p is below 2^(1−n) for n seeds with a
    difference other than zero. Differences below 1e-9 are rounding errors and count as zero.
    """
    moved = np.where(np.abs(moved) < ALIKE, 0.0, moved)
    seeds, tests = moved.shape
    total = np.abs(moved.sum(axis=0))
    least = np.exp2(1.0 - np.minimum((moved != 0).sum(axis=0), 1000))
    if not seeds or not tests:
        return np.ones(tests)
    if seeds >= MANY_FLIPPED or tests > MANY_TESTS:
        found = np.maximum(_t_tests(moved), least)
    else:
        count = (np.abs(_signs(seeds) @ moved) >= total - ALIKE).sum(axis=0)
        found = count / len(_signs(seeds)) if seeds <= ALL else (1 + count) / (1 + SAMPLES)
        if seeds > ALL:
            tail = np.maximum(np.minimum(_t_tests(moved), found), least)
            found = np.where(count < RARE, tail, found)
    return np.where(total <= ALIKE, 1.0, np.minimum(found, 1.0))


def seat_tests(beyond: "NDArray[np.float64]") -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return the p-value of each seat, and p-values corrected over all seats (Westfall and Young 1993).

    `beyond` is seeds × seats: the wins of each seat in a seed minus the usual wins of its players. Without a seat
    advantage, seats can be relabelled in any order in each seed, whichever seat the seed itself favours.
    """
    seeds, seats = beyond.shape
    found = np.abs(beyond.sum(axis=0))
    if not seeds or seats < 2:
        return np.ones(seats), np.ones(seats)
    random = np.random.default_rng(0)
    mixed = np.zeros((ORDERS, seats))
    for row in beyond:
        mixed += random.permuted(np.broadcast_to(row, (ORDERS, seats)), axis=1)
    mixed = np.abs(mixed)
    alone = (mixed[:, :, None] >= found - ALIKE).mean(axis=1).sum(axis=0)
    most = (mixed.max(axis=1)[:, None] >= found - ALIKE).sum(axis=0)
    return (1 + alone) / (1 + ORDERS), (1 + most) / (1 + ORDERS)


def swap_tests(one: "Counts", other: "Counts") -> float | None:
    """Return the p-value of a test that exchanges seeds between two sides with different seeds; `None` for many seeds.

    The null hypothesis is that both means are equal. A side is given as its trials and its total score in each seed;
    each seed has trials of one side only.
    """
    (n, x), (their_n, their_x) = one, other
    met = (n > 0) | (their_n > 0)
    if met.sum() >= MANY:
        return None
    trials, total, is_one = (n + their_n)[met], (x + their_x)[met], (n > 0)[met]
    beyond = total - total.sum() / trials.sum() * trials
    random = np.random.default_rng(0)
    sides = random.permuted(np.broadcast_to(is_one, (SAMPLES, len(is_one))), axis=1)
    mine = sides @ trials
    found = np.abs(sides @ beyond * (1 / mine + 1 / (trials.sum() - mine)))
    least = abs(beyond[is_one].sum() * (1 / trials[is_one].sum() + 1 / trials[~is_one].sum()))
    return 1.0 if least <= ALIKE else float((1 + (found >= least - ALIKE).sum()) / (1 + SAMPLES))


def _t_tests(moved: "NDArray[np.float64]") -> "NDArray[np.float64]":
    from scipy.special import stdtr

    seeds = len(moved)
    mean = moved.mean(axis=0)
    error = np.sqrt(moved.var(axis=0, ddof=1) / seeds)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: NDArray[np.float64] = 2 * stdtr(seeds - 1, -np.abs(mean) / error)
    return np.where(error > 0, found, np.where(np.abs(mean) > ALIKE, 0.0, 1.0))


@lru_cache(4)  # each cached array has at most 4 MB (100 seeds)
def _signs(seeds: int) -> "NDArray[np.float32]":
    """Return sign combinations, one per row: all of them for few seeds, else a random sample."""
    if seeds <= ALL:
        return np.array([*product((1, -1), repeat=seeds)], np.float32)
    return np.random.default_rng(seeds).choice(np.array([1, -1], np.float32), (SAMPLES, seeds))
