"""The sequential test: its likelihood ratio by hand, its bounds, and its error rates."""

import random
from collections import Counter
from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Any, Final

import pytest

from himalaya_core.tournament.sequential import Course, Decision, SequentialTest, elo_of, expected_groups, share_of

FEW, MANY = 300, 4_000
Scores = dict[float, float]
PENTANOMIAL: Final[Scores] = {0: 1, 0.25: 3, 0.5: 6, 0.75: 3, 1: 1}
KINDS: Final[dict[str, Scores]] = {
    "pentanomial": PENTANOMIAL,
    "all or nothing": {0: 1, 1: 1},
    "mostly even": {0: 0.05, 0.5: 0.9, 1: 0.05},
    "rare great wins": {0.4: 3, 0.45: 3, 0.5: 3, 1: 2},
    "rare great losses": {0.6: 3, 0.55: 3, 0.5: 3, 0: 2},
    "thirteen scores": {score / 12: 1 for score in range(13)},
}


def tilted(scores: Scores, mean: float) -> Scores:
    """Return the distribution with the given mean that is closest to the weights."""
    low, high = -200.0, 200.0
    for _ in range(100):
        tilt = (low + high) / 2
        most = max(tilt * score for score in scores)
        weights = {score: weight * exp(tilt * score - most) for score, weight in scores.items()}
        found = sum(score * weight for score, weight in weights.items()) / sum(weights.values())
        low, high = (tilt, high) if found < mean else (low, tilt)
    return {score: weight / sum(weights.values()) for score, weight in weights.items()}  # type: ignore[possibly-undefined]


def deviation(scores: Scores) -> float:
    mean = sum(score * chance for score, chance in scores.items())
    return sqrt(sum(chance * (score - mean) ** 2 for score, chance in scores.items()))


def decisions(test: SequentialTest, scores: Scores, runs: int) -> tuple[Counter[Decision], float]:
    """Return how often the test decided each way, and the mean number of groups until then."""
    dice = random.Random(11)
    found: Counter[Decision] = Counter()
    groups = 0
    for _ in range(runs):
        drawn = iter(lambda: dice.choices(list(scores), list(scores.values()))[0], None)
        decision, number, _ = test.first_decision(drawn)
        found[decision] += 1
        groups += number
    return found, groups / runs


def at_most(chance: float, runs: int) -> float:
    """Return an upper bound for events in a number of runs, given their probability: mean plus 3.5 standard errors."""
    return chance * runs + 3.5 * sqrt(chance * (1 - chance) * runs)


def test_elo_and_share_are_inverse_functions() -> None:
    assert share_of(0) == 0.5
    assert share_of(400) == pytest.approx(10 / 11)
    assert [elo_of(share_of(elo)) for elo in (-35, 0, 120)] == pytest.approx([-35, 0, 120])
    assert (elo_of(0), elo_of(1)) == (float("-inf"), float("inf"))


def test_the_ratio_for_wins_and_losses_matches_wald() -> None:
    """With two scores the mean determines the distribution; half a group is added for each score."""
    test = SequentialTest(0, 100)
    s1 = share_of(100)
    assert test.ratio({1: 30, 0: 20}) == pytest.approx(30.5 * log(s1 / 0.5) + 20.5 * log((1 - s1) / 0.5))


def test_the_ratio_for_three_scores_uses_the_likeliest_distributions() -> None:
    """Each hypothesis leaves one unknown of the shares (loss, half, win); the test finds it by small steps."""
    test, groups = SequentialTest(0, 80), {0.0: 9.5, 0.5: 20.0, 1.0: 14.5}

    def likeliest(mean: float) -> float:
        halves = (step / 20_000 for step in range(1, 20_000))
        chances = ((1 - mean - half / 2, half, mean - half / 2) for half in halves)
        weights = list(groups.values())
        return max(
            sum(weight * log(chance) for weight, chance in zip(weights, row, strict=True))
            for row in chances
            if min(row) > 0
        )

    expected = likeliest(share_of(80)) - likeliest(0.5)
    assert test.ratio({0: 9, 0.5: 20, 1: 14}) == pytest.approx(expected, abs=1e-6)


def test_the_ratio_of_many_groups_approaches_a_normal_mean() -> None:
    """(s1 − s0)(2·mean − s0 − s1)·n / 2·variance: the limit of the pentanomial test for close hypotheses."""
    groups = {0: 900, 0.25: 3100, 0.5: 6000, 0.75: 3200, 1: 1000}
    n = sum(groups.values())
    mean = sum(score * number for score, number in groups.items()) / n
    variance = sum(number * (score - mean) ** 2 for score, number in groups.items()) / n
    s1 = share_of(4)
    normal = (s1 - 0.5) * (2 * mean - 0.5 - s1) * n / (2 * variance)
    assert SequentialTest(0, 4).ratio(groups) == pytest.approx(normal, rel=0.01)


def test_swapping_the_players_negates_the_ratio() -> None:
    groups = {0: 3, 0.25: 7, 0.5: 9, 1: 4}
    turned = {1 - score: number for score, number in groups.items()}
    assert SequentialTest(-10, 30).ratio(groups) == pytest.approx(-SequentialTest(-30, 10).ratio(turned))


def test_each_bound_controls_its_own_error() -> None:
    test = SequentialTest(alpha=0.01, beta=0.1)
    assert (exp(test.upper), exp(test.lower)) == pytest.approx((100, 0.1))
    assert [test.decision(ratio) for ratio in (test.upper, test.lower, 0)] == list(Decision)


@pytest.mark.parametrize(
    "wrong",
    [{"elo0": 20}, {"elo1": 9000}, {"alpha": 0}, {"beta": 0.5}, {"alpha": float("nan")}, {"elo0": float("nan")}],
)
def test_an_impossible_test_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        SequentialTest(**wrong)


def test_equal_first_groups_decide_nothing() -> None:
    """Being 35 Elo better takes only one more win in ten groups; the chance that the first 28 have none is 5 %."""
    decision, number, _ = SequentialTest(0, 35).first_decision([0.5] * 90)
    assert decision is Decision.NOT_BETTER
    assert number >= 28


def wrongly(kind: str, truth: float, elo1: float, runs: int) -> int:
    """Return how many runs decide for the false hypothesis."""
    test = SequentialTest(0, elo1)
    found, _ = decisions(test, tilted(KINDS[kind], share_of(truth)), runs)
    return found[Decision.NOT_BETTER if truth >= elo1 else Decision.BETTER]


CASES: Final = [
    (kind, better) for kind in KINDS for better in (False, True) if (kind, better) != ("rare great losses", True)
]
"""If great losses are rare, no distribution of these scores is that much better."""


@pytest.mark.slow("simulates tournaments")
@pytest.mark.parametrize(("kind", "better"), CASES)
def test_errors_stay_below_the_requested_rates(kind: str, better: bool) -> None:
    assert wrongly(kind, 120.0 if better else 0.0, 120, FEW) <= at_most(0.05, FEW)


@pytest.mark.soak("simulates thousands of tests")
@pytest.mark.parametrize(("kind", "better"), CASES)
@pytest.mark.parametrize("elo1", [200, 100, 50])
def test_errors_stay_below_the_requested_rates_over_thousands(kind: str, better: bool, elo1: float) -> None:
    assert wrongly(kind, elo1 if better else 0.0, elo1, MANY) <= at_most(0.05, MANY)


@pytest.mark.soak("simulates thousands of tests")
@pytest.mark.parametrize(("kind", "better"), CASES)
def test_the_usual_test_is_rarely_wrong(kind: str, better: bool) -> None:
    assert wrongly(kind, 20 if better else 0, 20, 1_000) <= at_most(0.05, 1_000)


@pytest.mark.parametrize("elo", [-10, 0, 30, 60, 80])
def test_the_expected_number_of_groups_is_close_to_the_actual_one(elo: float) -> None:
    test = SequentialTest(0, 60)
    scores = tilted(PENTANOMIAL, share_of(elo))
    _, groups = decisions(test, scores, 60)
    assert 0.85 < groups / expected_groups(test, elo, deviation(scores)) < 1.7


def test_expected_numbers_of_groups_match_hand_calculation() -> None:
    """Half-way between the hypotheses: log(20)² · (deviation / (s1 − s0))²; at either: about 0.9 · 2 · log 20."""
    test = SequentialTest(0, 20)
    far = (0.25 / (share_of(20) - 0.5)) ** 2
    assert expected_groups(test, 10, 0.25) == pytest.approx(log(20) ** 2 * far, rel=0.01)
    assert expected_groups(test, 0, 0.25) == pytest.approx(0.9 * 2 * log(20) * far, rel=0.01)


def test_bets_match_hand_calculation() -> None:
    """The first bet is (s1 − s0) / ¼; for the second, the variance is that of ½ and the first result."""
    course, gap = Course(SequentialTest(0, 100)), share_of(100) - 0.5
    course.add(1.0)
    assert course.bets.against_h0 == pytest.approx(log(1 + 4 * gap * 0.5))
    assert course.bets.against_h1 == pytest.approx(log(1 - min(4 * gap, 0.5 / (0.5 - gap)) * (0.5 - gap)))
    course.add(0.0)
    stake = min(gap * 2 / (0.25 + 0.25**2), 1)
    assert course.bets.against_h0 == pytest.approx(log(1 + 4 * gap * 0.5) + log(1 - stake * 0.5))


def test_a_ratio_beyond_its_bound_decides_nothing_until_the_bet_has_won() -> None:
    scores, dice = tilted(KINDS["rare great wins"], 0.5), random.Random(5)
    waited = 0
    for _ in range(50):
        course, crossed = Course(SequentialTest(0, 100)), False
        while course.decision is Decision.UNDECIDED:
            waited += crossed
            course.add(dice.choices(list(scores), list(scores.values()))[0])
            crossed = not course.test.lower < course.ratio < course.test.upper
        won = course.bets.against_h0 if course.decision is Decision.BETTER else course.bets.against_h1
        assert won >= log(20) - 1e-12
    assert waited


def test_a_course_ignores_scores_after_its_decision() -> None:
    course = Course(SequentialTest(0, 200))
    while course.decision is Decision.UNDECIDED:
        course.add(1.0)
    before = (course.decision, course.ratio, course.groups.copy())
    course.add(0.0)
    assert (course.decision, course.ratio, course.groups) == before


def in_order(scores: Sequence[float]) -> tuple[Decision, int, float]:
    return SequentialTest(0, 100).first_decision(scores)


def test_scores_after_the_decision_change_nothing() -> None:
    scores = [0.75, 1, 0.5, 1] * 20
    decision, number, ratio = in_order(scores)
    assert decision is Decision.BETTER
    assert number < 40
    assert in_order(scores[:number]) == (decision, number, ratio)
    assert in_order(scores[: number - 1])[0] is Decision.UNDECIDED
    assert in_order(scores[:number] + [0.0] * 99) == (decision, number, ratio)
