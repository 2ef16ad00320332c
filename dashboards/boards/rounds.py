"""First and last entries of rounds in a log, and the gains of seats in them, for the summaries of every game."""

from collections.abc import Sequence
from itertools import pairwise

__all__ = ["gains_between", "spans_of"]


def spans_of(rounds: Sequence[int]) -> list[tuple[int, int]]:
    """Return for each round the index of its first entry and of the first after it; the set-up is no round.

    `rounds` has the number of the round of each entry.
    """
    starts = [at for at in range(1, len(rounds)) if rounds[at] > rounds[at - 1]]
    return list(pairwise([*starts, len(rounds)]))


def gains_between(first: Sequence[Sequence[int]], last: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the growth of each measure of each seat from one frame to another, given their `f`."""
    return [[now - then for then, now in zip(*rows, strict=True)] for rows in zip(first, last, strict=True)]
