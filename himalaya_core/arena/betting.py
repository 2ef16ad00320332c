"""Bets against two hypotheses: their winnings bound how often a sequential test decides wrongly.

A fair bet that depends only on earlier groups multiplies its stake by 1/alpha with probability alpha at most if its
hypothesis is true (Ville's inequality). The stakes here are those that would serve best at the other hypothesis, at
most half of what one group could lose.
"""

from math import log1p, sqrt
from typing import Final, Protocol

__all__ = ["Bets", "BetsOnMeans", "BetsOnTValues", "Payoff"]

CORRECTION: Final = 4.0
"""κ in the t·a·κ/2n that is taken off the n-th payoff, if the deviation is only estimated."""
LEAST_RISK: Final = 1e-9


class Bets(Protocol):
    """Logarithms of the winnings so far of two bets, each against one hypothesis."""

    against_h0: float
    against_h1: float

    def add(self, score: float) -> None:
        """Take the score of the next group."""
        ...


class _Moments:
    """Mean and sum of squares of the groups so far, with one that half lost all and half won all."""

    def __init__(self) -> None:
        self.count = 1
        self.mean, self.squares = 0.5, 0.25

    @property
    def variance(self) -> float:
        return self.squares / self.count

    def add(self, score: float) -> None:
        self.count += 1
        self.mean += (score - self.mean) / self.count
        self.squares += (score - self.mean) ** 2


class BetsOnMeans:
    """Against a mean of at most s0, and against one of at least s1."""

    def __init__(self, s0: float, s1: float) -> None:
        self.against_h0 = self.against_h1 = 0.0
        self._s0, self._s1 = s0, s1
        self._earlier = _Moments()

    def add(self, score: float) -> None:
        """Take the score of the next group."""
        stake = (self._s1 - self._s0) / self._earlier.variance
        self.against_h0 += log1p(min(stake, 0.5 / self._s0) * (score - self._s0))
        self.against_h1 += log1p(min(stake, 0.5 / (1 - self._s1)) * (self._s1 - score))
        self._earlier.add(score)


class Payoff:
    """x − 1/2 − t·(a + (x − c)²/a)/2: the payoff of a bet on a t-value above t for a score x.

    Its mean is mean − 1/2 − t·(standard deviation) if c is the mean and a the standard deviation. For t ≥ 0 every other
    c and a make it less, because a + v/a is at least 2·√v: with a t-value of at most t the mean of the payoff is at
    most 0, whatever c and a are.
    """

    def __init__(self, t: float, centre: float, spread: float, docked: float = 0.0) -> None:
        self._t, self._centre, self._spread = t, centre, spread
        self._fixed = spread * (1 - docked)

    def __call__(self, score: float) -> float:
        """Return the payoff for a score."""
        return score - 0.5 - self._t * (self._fixed + (score - self._centre) ** 2 / self._spread) / 2

    def range(self) -> tuple[float, float]:
        """Return the least and the greatest payoff for scores from 0 to 1."""
        turn = self._centre + self._spread / self._t if self._t else 0.0
        payoffs = [self(score) for score in (0.0, 1.0, min(max(turn, 0.0), 1.0))]
        return min(payoffs), max(payoffs)


class BetsOnTValues:
    """Against a t-value of at most t0, and against one of at least t1.

    The first is exactly fair for t0 ≥ 0, the second for t1 ≤ 0. On the other side estimates c and a that are off give
    (t/2a)·((a − deviation)² + (c − mean)²) away, which falls with the number of groups n; for that t·a·κ/2n is taken
    off the n-th payoff.
    """

    def __init__(self, t0: float, t1: float) -> None:
        self.against_h0 = self.against_h1 = 0.0
        self._t0, self._t1 = t0, t1
        self._earlier = _Moments()

    def add(self, score: float) -> None:
        """Take the score of the next group."""
        centre, spread = self._earlier.mean, sqrt(self._earlier.variance)
        docked = CORRECTION / self._earlier.count
        for_h1 = Payoff(self._t0, centre, spread, docked if self._t0 < 0 else 0.0)
        for_h0 = Payoff(self._t1, centre, spread, docked if self._t1 > 0 else 0.0)
        stake = (self._t1 - self._t0) / spread
        self.against_h0 += log1p(_capped(stake, -for_h1.range()[0]) * for_h1(score))
        self.against_h1 += log1p(_capped(stake, for_h0.range()[1]) * -for_h0(score))
        self._earlier.add(score)


def _capped(stake: float, risk: float) -> float:
    return min(stake, 0.5 / max(risk, LEAST_RISK))
