"""Likelihood ratios of two means, or of two t-values, whatever the distribution of scores.

The t-value of a distribution is (mean − 1/2) / standard deviation. Both ratios compare the greatest likelihoods that
distributions on the observed scores reach under either hypothesis; that of means is the multinomial GSPRT in logistic
Elo, that of t-values the one in normalised Elo (M. Van den Bergh, "A practical introduction to the GSPRT", and
"Normalized Elo", section 4.1). Scores run from 0 to 1, and both 0 and 1 must be among them.
"""

from collections.abc import Mapping, Sequence
from math import inf, log1p, sqrt
from typing import Final

from himalaya_core.arena.betting import Payoff

__all__ = ["ratio_of_means", "ratio_of_t_values"]

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
