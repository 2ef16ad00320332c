"""Shapley values: the contribution of each of several members, independent of the order in which they join."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

__all__ = ["shapley"]


def shapley(worth: Callable[[frozenset[int]], Sequence[float]], members: Sequence[int]) -> dict[int, list[float]]:
    """Return, for each member, the mean of its changes when it joins, over all orders of joining.

    `worth` of a set of members is a row of numbers, and is called once for each of the 2^n sets. The rows of all
    members sum to the worth of all of them less that of none. (Shapley 1953, A value for n-person games)
    """
    sets = [frozenset(some) for count in range(len(members) + 1) for some in combinations(members, count)]
    worths = {some: worth(some) for some in sets}
    shares = {member: [0.0] * len(worths[frozenset()]) for member in members}
    for some in sets:
        for member in members:
            if member in some:
                continue
            weight = 1 / (len(members) * comb(len(members) - 1, len(some)))
            joined = worths[some | {member}]
            shares[member] = [
                share + weight * (after - before)
                for share, before, after in zip(shares[member], worths[some], joined, strict=True)
            ]
    return shares
