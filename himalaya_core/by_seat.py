"""Numbers by seat, used to make features of several games (`game.Features`)."""

from collections.abc import Sequence
from typing import TypeAlias

from himalaya_core.game import Outcome

__all__ = ["BySeat", "below", "leads", "over_mean", "places"]

BySeat: TypeAlias = Sequence[float]
"""A number for each seat."""


def leads(values: BySeat, rank: int = 0) -> BySeat:
    """Return how far each seat is ahead of the one at that rank among the others; of the last, if there are fewer."""
    return [
        values[seat] - sorted([*values[:seat], *values[seat + 1 :]], reverse=True)[min(rank, len(values) - 2)]
        for seat in range(len(values))
    ]


def below(values: BySeat) -> BySeat:
    """Return the share of the other seats that have less than each seat."""
    return [sum([other < value for other in values]) / (len(values) - 1) for value in values]


def over_mean(values: BySeat) -> BySeat:
    """Return how much each seat has above the mean of the others."""
    return [value - (sum(values) - value) / (len(values) - 1) for value in values]


def places(outcome: Outcome) -> BySeat:
    """Return the place of each seat, from 0 for the first group to 1; the groups after it count one each."""
    ranks = {seat: rank for rank, group in enumerate(outcome.ranking) for seat in group}
    return [ranks[seat] / (len(ranks) - 1) for seat in range(len(ranks))]
