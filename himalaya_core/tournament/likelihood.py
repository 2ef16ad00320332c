"""Likelihood ratios of two means, and bets against two hypotheses: the statistics of the sequential test."""

from collections.abc import Mapping, Sequence
from math import inf, log1p, sqrt
from typing import Final, Protocol

__all__ = ["Bets", "BetsOnMeans", "BetsOnTValues", "Payoff", "ratio_of_means", "ratio_of_t_values"]


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


STEPS: Final = 100
CLOSE: Final = 1e-13
ROUNDS: Final = 500
SETTLED: Final = 1e-12
MANY_PEAKS: Final = 0.5
"""Above this t-value the likelihood may have several peaks."""

Weighted = Sequence[tuple[float, float]]


def ratio_of_means(weights: Mapping[float, float], low: float, high: float) -> float:
    """Return the log-likelihood ratio of the mean `high` to the mean `low`, given the weight of each score."""
    scores = sorted(weights.items())
    return _fit_mean(scores, high) - _fit_mean(scores, low)


def ratio_of_t_values(weights: Mapping[float, float], low: float, high: float) -> float:
    """Return the log-likelihood ratio of the t-value `high` to the t-value `low`, given the weight of each score."""
    scores = sorted(weights.items())
    return _fit_t_value(scores, high) - _fit_t_value(scores, low)


def _fit_mean(scores: Weighted, mean: float) -> float:
    """Return the greatest log-likelihood of a distribution with this mean, less that of any.

    The likeliest probabilities are w / (1 + λ(x − mean)) with the λ at which their mean is right (Owen 1988,
    Biometrika 75, section 2).
    """
    distances = [(score - mean, weight) for score, weight in scores]
    return _loss(distances, _tilt(distances))


def _fit_t_value(scores: Weighted, t: float) -> float:
    """Return the greatest log-likelihood of a distribution with this t-value, less that of any.

    The mean of a `Payoff` is held at 0, and its c and a are set to those of the distribution found, repeatedly, until
    they no longer change. To raise a t-value, each round raises the likelihood, so it may end on a lower peak; if there
    can be several, it starts from each side.
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
    """Return mean and deviation once so much weight is added at one score that the t-value is t."""
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
    """Return mean and standard deviation."""
    total = sum(weight for _, weight in scores)
    mean = sum(score * weight for score, weight in scores) / total
    return mean, sqrt(sum(weight * (score - mean) ** 2 for score, weight in scores) / total)


def _loss(distances: Weighted, tilt: float) -> float:
    return -sum(weight * log1p(tilt * distance) for distance, weight in distances)


def _tilt(distances: Weighted) -> float:
    """Return λ with Σ w·d / (1 + λd) = 0 over distances d from the mean, by Newton's method held between bounds."""
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
