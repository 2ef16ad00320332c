"""A planted blunder is among the costliest decisions in a review."""

import pytest

from tests.core.winprob.spoiled import Spoiled, spoiled

LEAST = 0.1
"""Minimum cost of a blunder."""


def blunders(game: str, good: str, rivals: tuple[str, ...], numbers: range) -> list[Spoiled]:
    found = [spoiled(game, good, rivals, number) for number in numbers]
    return [each for each in found if each is not None and each.cost >= LEAST]


@pytest.mark.slow("plays and judges matches")
def test_the_worst_die_is_among_the_costliest_decisions_of_summit() -> None:
    found = blunders("summit", "racer", ("greedy",), range(4))
    assert len(found) > 1
    assert [each.by_cost <= 3 for each in found].count(True) >= 0.9 * len(found)


@pytest.mark.slow("plays and judges matches")
def test_skipping_a_block_move_is_among_the_costliest_decisions_of_climbers() -> None:
    found = blunders("climbers", "greedy", ("greedy",), range(4))
    assert len(found) > 1
    assert [each.by_cost <= 3 for each in found].count(True) >= 0.9 * len(found)
