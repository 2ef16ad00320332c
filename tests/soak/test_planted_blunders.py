"""How often a review lists a planted blunder among the costliest decisions."""

import logging

import pytest

from tests.core.winprob.spoiled import spoiled

said = logging.getLogger(__name__)

MATCHES = 60
LARGEST = 3
BLUNDER = 0.1
"""Minimum cost of a blunder; most decisions that look bad cost less."""


LINE_UPS = [("summit", "search", ("racer", "porter", "greedy")), ("climbers", "greedy", ("greedy",) * 3)]


@pytest.mark.soak("reviews hundreds of matches")
@pytest.mark.parametrize(("game", "good", "rivals"), LINE_UPS)
def test_a_planted_blunder_is_among_the_costliest_decisions(game: str, good: str, rivals: tuple[str, ...]) -> None:
    """Its turn is less often among the three largest changes, as a missed chance does not change the probability."""
    found = [spoiled(game, good, rivals[: 1 + number // 3 % 3], number) for number in range(MATCHES)]
    all_of_them = [each for each in found if each is not None]
    blunders = [each for each in all_of_them if each.cost >= BLUNDER]
    for name, some in (("all", all_of_them), ("costing 10 points or more", blunders)):
        by_cost = sum(each.by_cost <= LARGEST for each in some)
        by_swing = sum(each.by_swing <= LARGEST for each in some)
        said.info("%s: of %d (%s) %d by cost, %d by swing", game, len(some), name, by_cost, by_swing)
    assert sum(each.by_cost <= LARGEST for each in blunders) >= 0.9 * len(blunders)
