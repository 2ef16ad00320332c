"""A sequential test on seed groups: it says when two players have met often enough.

It belongs to the arena because it decides whether another match is played. It needs only the standard library and
knows neither games nor logs: scores of groups go in, a log-likelihood ratio and a decision come out. Estimates of
strength are the business of `dashboards/stats`.

The score of a seed group is the share of pairs of seats at one table, one of each player, in which the first came
before the second, a shared place counting half: 0, 1/2P … 1 for P pairs. All matches of a group met the same dice, so
the group is the trial, and its score may have any distribution; for a group of two games between two players these are
the five results of the pentanomial test. With s(e) = 1 / (1 + 10^(−e/400)) the hypotheses are about the mean alone:

    H0: mean = s(elo0)        H1: mean = s(elo1) > s(elo0)

so Elo is logistic Elo of the pairwise better-place share: under Plackett–Luce without shared places the difference of
two ratings, whatever the size of the table and whoever else sits there.

The test is a generalised sequential probability ratio test (Li, Liu, Ying 2014, "Generalized sequential probability
ratio test for separate families of hypotheses", Sequential Analysis 33; for engines M. Van den Bergh, "The generalized
maximum likelihood ratio for the expectation value of a distribution", as on Fishtest): the ratio of the greatest
likelihoods that distributions with either mean give to the scores. Three things keep its errors below what was asked:

- The bounds are log(beta) and log(1/alpha), not Wald's log(beta/(1−alpha)) and log((1−beta)/alpha): those hold only the
  sum of both errors, these each of them (a likelihood ratio ever reaches 1/alpha with probability alpha at most:
  Ville's inequality). They cost some 2 % more groups.
- For a ratio of greatest likelihoods that is no theorem, and lopsided scores break it (8 % for 5 % where wins are rare
  and great). So a decision must also be paid for by a bet against the other hypothesis (`Course`; Waudby-Smith and
  Ramdas 2024, "Estimating means of bounded random variables by betting", J. R. Statist. Soc. B 86): fair stakes that
  depend only on earlier groups multiply by 1/alpha with probability alpha at most, whatever the distribution. That
  holds exactly; near the hypotheses the bet grows about as fast as the ratio, so it rarely makes anybody wait for long.
- Half a group that lost all and half a group that won all are added. Without them the first few scores, which may be
  all the same, would pass for the whole distribution, and rare great wins be ruled out before one could occur.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, inf, log, log1p, log10
from typing import Final

__all__ = ["Course", "Decision", "SequentialTest", "elo_of", "expected_groups", "share_of"]

ADDED: Final = 0.5
"""Groups added at either end."""
STEPS: Final = 100
CLOSE: Final = 1e-13


class Decision(StrEnum):
    """Which way a test went."""

    BETTER = "better"  # H1: the first player is better by `elo1` rather than by `elo0`
    NOT_BETTER = "not better"  # H0
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """H0 against H1 (in Elo); at most `alpha` is decided wrongly if H0 is true, `beta` if H1 is.

    Raises `ValueError` if no test can have these.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise ValueError(
                f"expected elo0 below elo1, both from -2000 to 2000, found {self.elo0:g} and {self.elo1:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 1e-9 <= value < 0.5:
                raise ValueError(f"expected {name} above 0 and below 0.5, found {value:g}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted: log(beta)."""
        return log(self.beta)

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted: log(1/alpha)."""
        return -log(self.alpha)

    def ratio(self, groups: Mapping[float, int]) -> float:
        """Return the log-likelihood ratio of H1 to H0, given how many groups had which score (0 to 1)."""
        counts = Counter({0.0: ADDED, 1.0: ADDED})
        counts.update({float(score): number for score, number in groups.items()})
        scores = sorted(counts)
        weights = [counts[score] for score in scores]
        return _fit(scores, weights, share_of(self.elo1)) - _fit(scores, weights, share_of(self.elo0))

    def decision(self, ratio: float) -> Decision:
        """Return what a log-likelihood ratio says."""
        if ratio >= self.upper:
            return Decision.BETTER
        return Decision.NOT_BETTER if ratio <= self.lower else Decision.UNDECIDED

    def first_decision(self, scores: Iterable[float]) -> tuple[Decision, int, float]:
        """Return the decision on groups in order, after how many of them it falls, and the ratio there."""
        course = Course(self)
        for score in scores:
            course.add(score)
            if course.decision is not Decision.UNDECIDED:
                break
        return course.decision, course.groups.total(), course.ratio


class Course:
    """A test on its way: the groups so far, their log-likelihood ratio, the two bets, and what it has decided.

    The stakes are those that would serve best at the other hypothesis, (s1 − s0) / variance of earlier groups, at most
    half of what one group could lose.
    """

    def __init__(self, test: SequentialTest) -> None:
        self.test = test
        self.groups: Counter[float] = Counter()
        self.ratio = 0.0
        self.decision = Decision.UNDECIDED
        self._s0, self._s1 = share_of(test.elo0), share_of(test.elo1)
        self._against_h0 = self._against_h1 = 0.0
        self._mean, self._squares = 0.5, 0.25

    def add(self, score: float) -> None:
        """Take the next group; after a decision nothing changes any more."""
        if self.decision is not Decision.UNDECIDED:
            return
        count = self.groups.total() + 1
        stake = (self._s1 - self._s0) * count / self._squares
        self._against_h0 += log1p(min(stake, 0.5 / self._s0) * (score - self._s0))
        self._against_h1 += log1p(min(stake, 0.5 / (1 - self._s1)) * (self._s1 - score))
        self._mean += (score - self._mean) / (count + 1)
        self._squares += (score - self._mean) ** 2
        self.groups[score] += 1
        self.ratio = self.test.ratio(self.groups)
        decision = self.test.decision(self.ratio)
        paid = self._against_h0 >= self.test.upper if self.ratio > 0 else self._against_h1 >= -self.test.lower
        if paid:
            self.decision = decision


def share_of(elo: float) -> float:
    """Return the better-place share that a difference in Elo stands for."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """Return the difference in Elo that a better-place share stands for; endless at 0 and 1."""
    if not 0 < share < 1:
        return inf if share >= 1 else -inf
    return 400 * log10(share / (1 - share))


def expected_groups(test: SequentialTest, elo: float, deviation: float) -> float:
    """Return about how many groups a test takes if the truth is `elo` and scores have this standard deviation.

    Wald's approximation (1945, Annals of Mathematical Statistics 16) of the ratio by a random walk whose
    steps have mean (s1 − s0)(s − (s0 + s1)/2) / deviation² and variance ((s1 − s0) / deviation)². Overshoot, the
    groups that are added and the bets make it some groups more: a tenth with the usual hypotheses, up to one and a half
    times as many where it takes few.
    """
    s0, s1 = share_of(test.elo0), share_of(test.elo1)
    variance = ((s1 - s0) / deviation) ** 2
    drift = (s1 - s0) * (share_of(elo) - (s0 + s1) / 2) / deviation**2
    if abs(drift) < 1e-9 * variance:
        return -test.lower * test.upper / variance
    tilt = 2 * drift / variance
    to_upper = (1 - exp(-tilt * test.lower)) / (exp(-tilt * test.upper) - exp(-tilt * test.lower))
    return (to_upper * test.upper + (1 - to_upper) * test.lower) / drift


def _fit(scores: Sequence[float], weights: Sequence[float], mean: float) -> float:
    """Return the greatest log-likelihood of a distribution on the scores with this mean, less that of any.

    The likeliest probabilities are w / (1 + λ(x − mean)) with the λ at which their mean is right (Owen 1988,
    Biometrika 75, section 2).
    """
    tilt = _tilt([(score - mean, weight) for score, weight in zip(scores, weights, strict=True)], mean)
    return -sum(weight * log1p(tilt * (score - mean)) for score, weight in zip(scores, weights, strict=True))


def _tilt(scores: Sequence[tuple[float, float]], mean: float) -> float:
    """Return λ with Σ w·d / (1 + λd) = 0 over distances d from the mean, by Newton's method held between bounds."""
    low, high, tilt = -1 / (1 - mean), 1 / mean, 0.0
    for _ in range(STEPS):
        value = slope = 0.0
        for distance, weight in scores:
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
