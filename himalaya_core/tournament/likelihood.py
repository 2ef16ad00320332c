"""Statistics of the sequential test: likelihood ratios of means and of t-values, and bets against both hypotheses.

A group is the matches with one seed. Its score, from 0 to 1, is the share of comparisons in which the tested player
placed better than the other; ties count half.
"""

from collections.abc import Mapping, Sequence
from math import inf, log1p, sqrt
from typing import Final, Protocol

__all__ = ["Bets", "BetsOnMeans", "BetsOnTValues", "Payoff", "ratio_of_means", "ratio_of_t_values"]


CORRECTION: Final = 4.0
"""The constant κ. While the standard deviation is only estimated, t·a·κ/2n is subtracted from the n-th payoff."""
LEAST_RISK: Final = 1e-9


class Bets(Protocol):
    """Two bets, one against each hypothesis. The attributes are the logarithms of the winnings so far."""

    against_h0: float
    against_h1: float

    def add(self, score: float) -> None:
        """Update both bets with the score of the next group."""
        ...


class _Moments:
    """Running mean and variance of group scores. It starts with one imaginary group, half at 0 and half at 1."""

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
    """Bets against a mean of at most s0, and against a mean of at least s1."""

    def __init__(self, s0: float, s1: float) -> None:
        self.against_h0 = self.against_h1 = 0.0
        self._s0, self._s1 = s0, s1
        self._earlier = _Moments()

    def add(self, score: float) -> None:
        """Update both bets with the score of the next group."""
        stake = (self._s1 - self._s0) / self._earlier.variance
        self.against_h0 += log1p(min(stake, 0.5 / self._s0) * (score - self._s0))
        self.against_h1 += log1p(min(stake, 0.5 / (1 - self._s1)) * (self._s1 - score))
        self._earlier.add(score)


class Payoff:
    """The payoff of a bet that the t-value is above t: x − 1/2 − t·(a + (x − c)²/a)/2 for a score x.

    If c is the mean and a the standard deviation, its mean is mean − 1/2 − t·(standard deviation). For t ≥ 0 any other
    c and a make it lower, because a + v/a is at least 2·√v. If the true t-value is at most t, the mean of the payoff is
    therefore at most 0 for all c and a.
    """

    def __init__(self, t: float, centre: float, spread: float, docked: float = 0.0) -> None:
        self._t, self._centre, self._spread = t, centre, spread
        self._fixed = spread * (1 - docked)

    def __call__(self, score: float) -> float:
        """Return the payoff for a score."""
        return score - 0.5 - self._t * (self._fixed + (score - self._centre) ** 2 / self._spread) / 2

    def range(self) -> tuple[float, float]:
        """Return the smallest and the largest payoff for scores from 0 to 1."""
        turn = self._centre + self._spread / self._t if self._t else 0.0
        payoffs = [self(score) for score in (0.0, 1.0, min(max(turn, 0.0), 1.0))]
        return min(payoffs), max(payoffs)


class BetsOnTValues:
    """Bets against a t-value of at most t0, and against a t-value of at least t1.

    The first bet is exactly fair for t0 ≥ 0, the second for t1 ≤ 0. With the opposite signs, wrong estimates c and a
    would favour the bet by (t/2a)·((a − deviation)² + (c − mean)²). This error decreases with the number of groups n.
    Subtracting t·a·κ/2n from the n-th payoff compensates for it.
    """

    def __init__(self, t0: float, t1: float) -> None:
        self.against_h0 = self.against_h1 = 0.0
        self._t0, self._t1 = t0, t1
        self._earlier = _Moments()

    def add(self, score: float) -> None:
        """Update both bets with the score of the next group."""
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


STEPS: Final = 100
CLOSE: Final = 1e-13
ROUNDS: Final = 500
SETTLED: Final = 1e-12
MANY_PEAKS: Final = 0.5
"""Above this t-value, the likelihood can have several peaks."""

Weighted = Sequence[tuple[float, float]]


def ratio_of_means(weights: Mapping[float, float], low: float, high: float) -> float:
    """Return the log-likelihood ratio of mean `high` to mean `low`. `weights` maps scores to their weights."""
    scores = sorted(weights.items())
    return _fit_mean(scores, high) - _fit_mean(scores, low)


def ratio_of_t_values(weights: Mapping[float, float], low: float, high: float) -> float:
    """Return the log-likelihood ratio of t-value `high` to `low`. `weights` maps scores to their weights."""
    scores = sorted(weights.items())
    return _fit_t_value(scores, high) - _fit_t_value(scores, low)


def _fit_mean(scores: Weighted, mean: float) -> float:
    """Return the maximum log-likelihood of distributions with this mean, minus the maximum of all distributions.

    The maximum-likelihood probabilities are w / (1 + λ(x − mean)), with λ chosen so that the mean is right (Owen 1988,
    Biometrika 75, section 2).
    """
    distances = [(score - mean, weight) for score, weight in scores]
    return _loss(distances, _tilt(distances))


def _fit_t_value(scores: Weighted, t: float) -> float:
    """Return the maximum log-likelihood of distributions with this t-value, minus the maximum of all distributions.

    The mean of a `Payoff` is held at 0 while c and a are set to those of the distribution found, until they converge.
    When raising a t-value, each iteration raises the likelihood, so the result may be a lower peak. If there can be
    several peaks, the iteration starts once from each side.
    """
    if t < 0:
        return _fit_t_value([(1 - score, weight) for score, weight in reversed(scores)], -t)
    mean, deviation = _moments(scores)
    if mean - 0.5 >= t * deviation:
        return _climbed(scores, t, mean, deviation)
    above = [score for score, _ in scores if score > 0.5] if t > MANY_PEAKS else [1.0]
    return max(_climbed(scores, t, *_raised(scores, t, score)) for score in above)


def _climbed(scores: Weighted, t: float, mean: float, deviation: float) -> float:
    payoffs, tilt = [(0.0, 0.0)], 0.0
    for _ in range(ROUNDS):
        payoff = Payoff(t, mean, deviation)
        payoffs = [(payoff(score), weight) for score, weight in scores]
        tilt = _tilt(payoffs)
        before = mean, deviation
        mean, deviation = _moments(
            [(score, weight / (1 + tilt * paid)) for (score, weight), (paid, _) in zip(scores, payoffs, strict=True)]
        )
        if abs(mean - before[0]) + abs(deviation - before[1]) <= SETTLED:
            break
    return _loss(payoffs, tilt)


def _raised(scores: Weighted, t: float, towards: float) -> tuple[float, float]:
    """Add weight at score `towards` until the t-value is `t`. Return the mean and standard deviation then."""
    total = sum(weight for _, weight in scores)
    least, most = 0.0, total
    while True:
        mean, deviation = _moments([*scores, (towards, most)])
        if mean - 0.5 >= t * deviation:
            break
        least, most = most, 2 * most
    for _ in range(STEPS):
        middle = (least + most) / 2
        mean, deviation = _moments([*scores, (towards, middle)])
        least, most = (least, middle) if mean - 0.5 >= t * deviation else (middle, most)
    return _moments([*scores, (towards, most)])


def _moments(scores: Weighted) -> tuple[float, float]:
    total = sum(weight for _, weight in scores)
    mean = sum(score * weight for score, weight in scores) / total
    return mean, sqrt(sum(weight * (score - mean) ** 2 for score, weight in scores) / total)


def _loss(distances: Weighted, tilt: float) -> float:
    return -sum(weight * log1p(tilt * distance) for distance, weight in distances)


def _tilt(distances: Weighted) -> float:
    """Solve Σ w·d / (1 + λd) = 0 for λ by bounded Newton steps; d are distances from the mean, w their weights."""
    low, high, tilt = -inf, inf, 0.0
    for distance, _ in distances:
        if distance > 0:
            low = max(low, -1 / distance)
        elif distance < 0:
            high = min(high, -1 / distance)
    for _ in range(STEPS):
        value = slope = 0.0
        for distance, weight in distances:
            part = distance / (1 + tilt * distance)
            value += weight * part
            slope += weight * part * part
        low, high = (tilt, high) if value > 0 else (low, tilt)
        following = tilt + value / slope
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - tilt) <= CLOSE * max(1.0, abs(tilt)):
            return following
        tilt = following
    return tilt
