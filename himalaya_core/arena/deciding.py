"""A sequential test on seed groups: it says when two players have met often enough.

It belongs to the arena because it decides whether another match is played. It needs only the standard library and
knows neither games nor logs. Its input is scores of groups, its output a log-likelihood ratio and a decision. Estimates
of strength are the business of `dashboards/stats`.

The score of a seed group is the share of pairs of seats at one table, one of each player, in which the first came
before the second, a shared place counting half: 0, 1/2P … 1 for P pairs. All matches of a group met the same dice, so
the group is the trial, and its score may have any distribution. For a group of two games between two players these are
the five results of the pentanomial test. With s(e) = 1 / (1 + 10^(−e/400)) the hypotheses are about the mean alone:

    H0: mean = s(elo0)        H1: mean = s(elo1) > s(elo0)

so Elo is logistic Elo of the pairwise better-place share: under Plackett–Luce without shared places the difference of
two ratings, whatever the size of the table and the other players there.

In normalised Elo the hypotheses are about t = (mean − 1/2) / standard deviation, so that a test of given bounds takes
about as many groups in every game (M. Van den Bergh, "Normalized Elo"; Fishtest, `LLRcalc.LLR_normalized`). There
Elo is 800/ln 10 times the t-value of one match, and the deviation of one match is √2 times that of the score of a pair.
A group here has m matches in which the two meet. One match is taken to have √m times the deviation of the group, as
it would if they were independent:

    H0: t = √m · elo0 · ln 10 / 800        H1: t = √m · elo1 · ln 10 / 800

For two players who meet twice a seed these are the figures of the field.

The test is a generalised sequential probability ratio test (Li, Liu, Ying 2014, "Generalized sequential probability
ratio test for separate families of hypotheses", Sequential Analysis 33; for engines M. Van den Bergh, "A practical
introduction to the GSPRT"): the ratio of the greatest likelihoods that distributions of either hypothesis give to the
scores (`likelihood`). Three things keep its errors below the requested rates:

- The bounds are log(beta) and log(1/alpha), not Wald's log(beta/(1−alpha)) and log((1−beta)/alpha): those hold only the
  sum of both errors, these each of them (a likelihood ratio ever reaches 1/alpha with probability alpha at most:
  Ville's inequality). They cost some 2 % more groups.
- For a ratio of greatest likelihoods that is no theorem, and lopsided scores break it (8 % for 5 % if wins are rare
  and great). So a decision must also be paid for by a bet against the other hypothesis (`betting`; Waudby-Smith and
  Ramdas 2024, "Estimating means of bounded random variables by betting", J. R. Statist. Soc. B 86): fair stakes that
  depend only on earlier groups multiply by 1/alpha with probability alpha at most, whatever the distribution. That
  holds exactly; near the hypotheses the bet grows about as fast as the ratio, so it rarely delays a decision for long.
- Half a group that lost all and half a group that won all are added. Without them the first few scores, which may be
  all the same, would pass for the whole distribution, and rare great wins be ruled out before one could occur.

For t-values the bet is exactly fair against H0 with elo0 ≥ 0 and against H1 with elo1 ≤ 0. On the other side it needs
the deviation, which is estimated from earlier groups, so that the error there is held in simulation and not by a
theorem (`BetsOnTValues`); t-values beyond 1 are refused.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import exp, inf, log, log10, sqrt
from typing import Final

from himalaya_core.arena.betting import Bets, BetsOnMeans, BetsOnTValues
from himalaya_core.arena.likelihood import ratio_of_means, ratio_of_t_values

__all__ = ["Course", "Decision", "EloModel", "SequentialTest", "elo_of", "expected_groups", "share_of", "t_value_of"]

ADDED: Final = 0.5
"""Groups added at either end."""
ELO_PER_T: Final = 800 / log(10)
"""Normalised Elo of a t-value of 1 a match."""
MOST_T: Final = 1.0
"""Greatest t-value of a group that can be tested."""


class EloModel(StrEnum):
    """Meaning of a difference in Elo for a score: its mean, or its mean in standard deviations."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


class Decision(StrEnum):
    """Outcome of a test."""

    BETTER = "better"  # for H1: the difference is above `elo0`
    NOT_BETTER = "not better"  # for H0: the difference is below `elo1`
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
    elo_model: EloModel = EloModel.LOGISTIC

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
        """Log-likelihood ratio at which H0 is accepted: log(beta)."""
        return log(self.beta)

    @property
    def upper(self) -> float:
        """Log-likelihood ratio at which H1 is accepted: log(1/alpha)."""
        return -log(self.alpha)

    def effects(self, matches: int = 1) -> tuple[float, float]:
        """Return the two hypotheses for groups of so many matches: means, or t-values; `ValueError` if out of range."""
        if self.elo_model is EloModel.LOGISTIC:
            return share_of(self.elo0), share_of(self.elo1)
        low, high = t_value_of(self.elo0, matches), t_value_of(self.elo1, matches)
        if max(-low, high) > MOST_T:
            most = int(MOST_T * ELO_PER_T / sqrt(matches))
            raise ValueError(
                f"expected elo0 and elo1 from {-most} to {most} in normalised Elo with {matches} matches a seed, "
                f"found {self.elo0:g} and {self.elo1:g}"
            )
        return low, high

    def ratio(self, groups: Mapping[float, int], matches: int = 1) -> float:
        """Return the log-likelihood ratio of H1 to H0, given the number of groups with each score (0 to 1).

        `matches` is the number of matches of a group that count.
        """
        counts = Counter({0.0: ADDED, 1.0: ADDED})
        counts.update({float(score): number for score, number in groups.items()})
        of_either = ratio_of_means if self.elo_model is EloModel.LOGISTIC else ratio_of_t_values
        return of_either(counts, *self.effects(matches))

    def decision(self, ratio: float) -> Decision:
        """Return the decision at a log-likelihood ratio."""
        if ratio >= self.upper:
            return Decision.BETTER
        return Decision.NOT_BETTER if ratio <= self.lower else Decision.UNDECIDED

    def first_decision(self, scores: Iterable[float], matches: int = 1) -> tuple[Decision, int, float]:
        """Return the decision on groups in order, the number of groups it took, and the ratio there."""
        course = Course(self, matches)
        for score in scores:
            course.add(score)
            if course.decision is not Decision.UNDECIDED:
                break
        return course.decision, course.groups.total(), course.ratio


class Course:
    """A test in progress: the groups so far, the two bets, and the decision."""

    def __init__(self, test: SequentialTest, matches: int = 1) -> None:
        """Take groups of so many matches; `ValueError` if the test has no such groups."""
        self.test = test
        self.matches = matches
        self.groups: Counter[float] = Counter()
        self.decision = Decision.UNDECIDED
        kind = BetsOnMeans if test.elo_model is EloModel.LOGISTIC else BetsOnTValues
        self.bets: Bets = kind(*test.effects(matches))

    def add(self, score: float) -> None:
        """Take the next group; nothing changes after a decision.

        The ratio takes a hundred times the work of the bets, so it is computed only if one of them is won.
        """
        if self.decision is not Decision.UNDECIDED:
            return
        self.bets.add(score)
        self.groups[score] += 1
        won = {
            Decision.BETTER: self.bets.against_h0 >= self.test.upper,
            Decision.NOT_BETTER: self.bets.against_h1 >= -self.test.lower,
            Decision.UNDECIDED: False,
        }
        if any(won.values()) and won[decision := self.test.decision(self.ratio)]:
            self.decision = decision

    @property
    def ratio(self) -> float:
        """Return the log-likelihood ratio of the groups so far; without groups it is even."""
        return self.test.ratio(self.groups, self.matches) if self.groups else 0.0


def share_of(elo: float) -> float:
    """Return the better-place share for a difference in Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """Return the difference in Elo for a better-place share; infinite at 0 and 1."""
    if not 0 < share < 1:
        return inf if share >= 1 else -inf
    return 400 * log10(share / (1 - share))


def t_value_of(elo: float, matches: int) -> float:
    """Return the t-value, for groups of so many matches, for a difference in normalised Elo."""
    return sqrt(matches) * elo / ELO_PER_T


def expected_groups(test: SequentialTest, elo: float, deviation: float, matches: int = 1) -> float:
    """Return about how many groups a test takes if the truth is `elo` and scores have this standard deviation.

    Wald's approximation (1945, Annals of Mathematical Statistics 16) of the ratio by a random walk whose
    steps have mean (s1 − s0)(s − (s0 + s1)/2) / deviation² and variance ((s1 − s0) / deviation)². Overshoot, the added
    groups and the bets make it some groups more: a tenth with the usual hypotheses, up to one and a half times as many
    if it takes few. With t-values for s the deviation is 1, so normalised Elo does not use it.
    """
    s0, s1 = test.effects(matches)
    if test.elo_model is EloModel.LOGISTIC:
        truth = share_of(elo)
    else:
        truth, deviation = t_value_of(elo, matches), 1.0
    variance = ((s1 - s0) / deviation) ** 2
    drift = (s1 - s0) * (truth - (s0 + s1) / 2) / deviation**2
    if abs(drift) < 1e-9 * variance:
        return -test.lower * test.upper / variance
    tilt = 2 * drift / variance
    to_upper = (1 - exp(-tilt * test.lower)) / (exp(-tilt * test.upper) - exp(-tilt * test.lower))
    return (to_upper * test.upper + (1 - to_upper) * test.lower) / drift
