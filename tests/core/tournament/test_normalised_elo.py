"""The sequential test in normalised Elo: Fishtest's ratios, error rates, and verdicts in words."""

import json
import logging
import random
from collections import Counter
from math import exp, inf, log, log1p, sqrt
from pathlib import Path
from typing import Final

import pytest
from scipy.optimize import minimize

from himalaya_core.tournament.likelihood import Payoff, ratio_of_means, ratio_of_t_values
from himalaya_core.tournament.plan import Seating, TournamentError, make_plan
from himalaya_core.tournament.runner import run_tournament
from himalaya_core.tournament.sequential import (
    Course,
    Decision,
    EloModel,
    Referee,
    SequentialOutcome,
    SequentialTest,
    expected_groups,
    share_of,
    t_value_of,
)
from tests.core.tournament.test_deciding import FEW, KINDS, MANY, Scores, at_most, deviation

LOG: Final = logging.getLogger(__name__)
NORMALIZED: Final = EloModel.NORMALIZED
OLD: Final = (10789, 19328, 33806, 19402, 10543)
DRAWISH: Final = (39, 2226, 31451, 2412, 40)
LOGISTIC_VECTORS: Final = [
    ((461, 16726, 36723, 16920, 514), 0, 2, -2.421220130461109),
    ((82, 2646, 5623, 2507, 70), 0, 2, -4.9326113547089845),
    ((1300, 400, 1500), -1, 3, 2.510409338650599),
]
NORMALISED_VECTORS: Final = [
    (OLD, 0, 5, -26.838448639795093),
    (OLD, -5, 0, 12.039751536817539),
    (OLD, 0.764, 3.439, -12.701291983706488),
    (OLD, -3, 1, 0.3008697854813657),
    (DRAWISH, 0, 5, 2.847898594083),
    (DRAWISH, -5, 0, 17.832223595824992),
    (DRAWISH, 0.764, 3.439, 2.1629408695845367),
    ((1187, 7410, 13475, 7378, 1164), 0, 5, -8.12581361915957),
    ((0, 3, 10, 5, 2), 0, 5, 0.14646048082087207),
    ((5, 5, 5, 5, 5), -3, 1, 0.0016567539493761486),
    ((82, 2646, 5623, 2507, 70), 0, 2, -2.1897352412822704),
    ((1300, 400, 1500), -1, 3, 2.3555279425663933),
]
"""Results from losses to wins (of games or pairs), elo0, elo1, and the value from Fishtest's `LLR_normalized`."""


def weights(results: tuple[int, ...]) -> Scores:
    """Return results weighted like Fishtest: zero counts as one thousandth."""
    return {score / (len(results) - 1): number or 1e-3 for score, number in enumerate(results)}


@pytest.mark.parametrize(("results", "elo0", "elo1", "expected"), LOGISTIC_VECTORS)
def test_ratios_in_logistic_elo_match_fishtest(
    results: tuple[int, ...], elo0: float, elo1: float, expected: float
) -> None:
    assert ratio_of_means(weights(results), share_of(elo0), share_of(elo1)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("results", "elo0", "elo1", "expected"), NORMALISED_VECTORS)
def test_ratios_in_normalised_elo_match_fishtest(
    results: tuple[int, ...], elo0: float, elo1: float, expected: float
) -> None:
    t0, t1 = (t_value_of(elo, matches=len(results) // 2) for elo in (elo0, elo1))
    assert ratio_of_t_values(weights(results), t0, t1) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(
    "t", [-0.2, *(pytest.param(t, marks=pytest.mark.slow("more t-values")) for t in (-1.0, 0.05, 0.3, 0.7, 1.0))]
)
@pytest.mark.parametrize("groups", [(2.5, 1, 3, 1, 0.5), (0.5, 0, 4, 30, 9.5), (8.5, 2, 0, 0, 1.5)])
def test_the_likeliest_distribution_matches_a_constrained_search(groups: tuple[float, ...], t: float) -> None:
    found = [(score / 4, weight) for score, weight in enumerate(groups) if weight]
    scores, counts = [score for score, _ in found], [weight for _, weight in found]

    def loss(chances: list[float]) -> float:
        return -sum(weight * log(chance / weight * sum(counts)) for weight, chance in zip(counts, chances, strict=True))

    def off(chances: list[float]) -> float:
        mean = sum(score * chance for score, chance in zip(scores, chances, strict=True))
        variance = sum(chance * (score - mean) ** 2 for score, chance in zip(scores, chances, strict=True))
        return float(mean - 0.5 - t * sqrt(variance))

    dice, best = random.Random(2), inf
    for _ in range(6):
        start = [dice.random() for _ in scores]
        answer = minimize(
            loss,
            [chance / sum(start) for chance in start],
            method="SLSQP",
            bounds=[(1e-9, 1)] * len(scores),
            constraints=[{"type": "eq", "fun": lambda p: sum(p) - 1}, {"type": "eq", "fun": off}],
            options={"maxiter": 500, "ftol": 1e-12},
        )
        best = min(best, answer.fun) if answer.success else best
    mean = sum(score * weight for score, weight in found) / sum(counts)
    free = ratio_of_t_values(dict(found), t, 0) - ratio_of_means(dict(found), mean, 0.5)
    assert free == pytest.approx(best, abs=1e-5)


def test_swapping_the_players_negates_the_ratio() -> None:
    groups = {0: 3, 0.25: 7, 0.5: 9, 1: 4}
    turned = {1 - score: number for score, number in groups.items()}
    one, other = (SequentialTest(low, low + 40, elo_model=NORMALIZED) for low in (-10, -30))
    assert one.ratio(groups, matches=2) == pytest.approx(-other.ratio(turned, matches=2))


def test_a_payoff_is_at_most_the_mean_minus_t_deviations() -> None:
    """At the true moments the payoff equals this mean; at all others it is smaller."""
    scores = {0: 0.1, 0.25: 0.2, 0.5: 0.3, 1: 0.4}
    mean = sum(score * chance for score, chance in scores.items())

    def paid(centre: float, spread: float) -> float:
        return sum(chance * Payoff(0.3, centre, spread)(score) for score, chance in scores.items())

    exact = paid(mean, deviation(scores))
    assert exact == pytest.approx(mean - 0.5 - 0.3 * deviation(scores))
    assert all(paid(centre, spread) < exact for centre in (0.2, 0.5, 0.9) for spread in (0.1, 0.3, 0.6))


def test_a_payoff_stays_within_its_range() -> None:
    for t in (-0.8, 0.0, 0.3):
        payoff = Payoff(t, 0.6, 0.2, docked=0.5)
        least, greatest = payoff.range()
        found = [payoff(step / 1000) for step in range(1001)]
        assert (min(found), max(found)) == pytest.approx((least, greatest), abs=1e-5)


def test_the_first_bet_matches_hand_calculation() -> None:
    """The bet starts from mean ½ and deviation ½; against H1 four times t·a/2 are subtracted."""
    course, t1 = Course(SequentialTest(0, 60, elo_model=NORMALIZED), matches=2), t_value_of(60, 2)
    course.add(1.0)
    stake = t1 / 0.5
    against_h1 = -(0.5 - t1 * (0.5 * (1 - 4) + 0.25 / 0.5) / 2)
    least = -(0.5 - t1 * (0.5 * (1 - 4) + 0.25 / 0.5) / 2)
    assert course.bets.against_h0 == pytest.approx(log1p(min(stake, 1) * 0.5))
    assert course.bets.against_h1 == pytest.approx(log1p(min(stake, 0.5 / -least) * against_h1))


def tilted(scores: Scores, t: float) -> Scores:
    """Return the exponential tilt of the weights with this t-value."""
    low, high, found = -200.0, 200.0, dict[float, float]()
    for _ in range(100):
        tilt = (low + high) / 2
        most = max(tilt * score for score in scores)
        raised = {score: weight * exp(tilt * score - most) for score, weight in scores.items()}
        found = {score: weight / sum(raised.values()) for score, weight in raised.items()}
        mean = sum(score * chance for score, chance in found.items())
        low, high = (tilt, high) if mean - 0.5 < t * deviation(found) else (low, tilt)
    return found


def wrongly(kind: str, test: SequentialTest, *, better: bool, runs: int, matches: int = 2) -> int:
    """Return how many runs decide for the false hypothesis, and log the number for the docs."""
    truth = test.elo1 if better else test.elo0
    scores, dice = tilted(KINDS[kind], t_value_of(truth, matches)), random.Random(11)
    found: Counter[Decision] = Counter()
    groups = 0
    for _ in range(runs):
        drawn = iter(lambda: dice.choices(list(scores), list(scores.values()))[0], None)
        decision, number, _ = test.first_decision(drawn, matches)
        found[decision] += 1
        groups += number
    wrong = found[Decision.NOT_BETTER if better else Decision.BETTER]
    told = f"{test.elo0:g} and {test.elo1:g}, the truth is {truth:g}: wrong in {wrong} of {runs} runs"
    LOG.info("%s, %s, %.0f seeds", kind, told, groups / runs)
    return wrong


@pytest.mark.slow("simulates tournaments")
@pytest.mark.parametrize("better", [False, True])
@pytest.mark.parametrize("kind", ["pentanomial", "rare great wins"])
def test_errors_stay_below_the_requested_rates(kind: str, better: bool) -> None:
    test = SequentialTest(0, 200, elo_model=NORMALIZED)
    assert wrongly(kind, test, better=better, runs=FEW // 5) <= at_most(0.05, FEW // 5)


@pytest.mark.soak("simulates thousands of tests")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("better", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 200), (0, 100), (0, 50), (-50, 50), (-100, 0), (50, 120)])
def test_errors_stay_below_the_requested_rates_over_thousands(
    kind: str, better: bool, elo0: float, elo1: float
) -> None:
    test = SequentialTest(elo0, elo1, elo_model=NORMALIZED)
    assert wrongly(kind, test, better=better, runs=MANY // 4) <= at_most(0.05, MANY // 4)


def test_the_expected_number_of_groups_does_not_depend_on_the_deviation() -> None:
    test = SequentialTest(0, 20, elo_model=NORMALIZED)
    assert expected_groups(test, 10, 0.1, matches=2) == expected_groups(test, 10, 0.4, matches=2)
    assert expected_groups(test, 10, 1, matches=2) == pytest.approx((log(20) / t_value_of(20, 2)) ** 2)


PLAN = make_plan("duel", "caravan", ("greedy", "random", "random"), seating=Seating.EVERY, seeds=60)


def test_bounds_too_far_apart_for_a_seed_are_refused() -> None:
    with pytest.raises(TournamentError, match="from -200 to 200 in normalised Elo with 3 matches a seed"):
        Referee(PLAN, ("greedy", "random"), SequentialTest(0, 500, elo_model=NORMALIZED))


@pytest.mark.slow("plays a tournament twice")
def test_the_manifest_names_the_model_and_resumes_with_it(tmp_path: Path) -> None:
    test = SequentialTest(0, 200, elo_model=NORMALIZED)
    verdicts = []
    for _ in range(2):
        referee = Referee(PLAN, ("greedy", "random"), test)
        run_tournament(PLAN, tmp_path, 1, referee=referee)
        verdicts.append(referee.verdict)
    assert verdicts[0] == verdicts[1]
    asked = json.loads((tmp_path / "duel.tournament.json").read_text())["until_decided"]
    assert asked["elo_model"] == "normalized"
    with pytest.raises(TournamentError, match='a test of elo_model "normalized"; you gave null'):
        run_tournament(PLAN, tmp_path, 1, referee=Referee(PLAN, ("greedy", "random"), SequentialTest(0, 200)))


AFTER: Final = "after 40 seeds (120 matches)"
WRONGLY: Final = "the test would say so with a probability of at most"
SHARE: Final = "  duo finished ahead of solo in 61.0% of 80 pairs of seats"
RATIO: Final = "  log-likelihood ratio 4.70, bounds -2.30 (H0: 5 Elo) and 4.61 (H1: 30 Elo)"
SAID: Final = {
    Decision.BETTER: [
        f"decided for H1 {AFTER}: duo's lead over solo is above 5 Elo (normalized)",
        f"  if it were 5 Elo or less, {WRONGLY} 0.01",
        f"{SHARE}, biased away from 50%, as the test stops at an extreme",
        RATIO,
    ],
    Decision.NOT_BETTER: [
        f"decided for H0 {AFTER}: duo's lead over solo is below 30 Elo (normalized)",
        f"  if it were 30 Elo or more, {WRONGLY} 0.1; it may still be above 5 Elo",
        f"{SHARE}, biased away from 50%, as the test stops at an extreme",
        RATIO,
    ],
    Decision.UNDECIDED: [
        f"undecided {AFTER}, and that was all: nothing follows about duo's lead over solo in Elo (normalized)",
        SHARE,
        RATIO,
    ],
}


@pytest.mark.parametrize("decision", Decision)
def test_a_verdict_claims_only_what_the_decision_means(decision: Decision) -> None:
    verdict = SequentialOutcome(decision, "duo", "solo", 40, 120, 80, 0.61, 4.7)
    assert verdict.in_words(SequentialTest(5, 30, 0.01, 0.1, NORMALIZED)).splitlines() == SAID[decision]
