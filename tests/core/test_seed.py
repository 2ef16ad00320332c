"""Seeded random numbers: uniform, the same on every machine, one stream per key."""

from itertools import pairwise

import pytest

from himalaya_core.seed import DigestDice, Seed

MONDAY = [5, 8, 11, 8, 17, 7, 10, 15, 15, 9, 2, 7]


def rolls(key: str, bound: int, count: int) -> list[int]:
    dice = DigestDice(key)
    return [dice.below(bound) for _ in range(count)]


def test_the_rolls_of_a_key_never_change() -> None:
    """Every log depends on these numbers; another digest would make all logs invalid."""
    dice = Seed("monday").dice("resources", 3, 1)
    assert [1 + dice.below(20) for _ in range(12)] == MONDAY


@pytest.mark.parametrize("bound", [2, 6, 20, 40, 60])
def test_every_number_is_drawn_equally_often(bound: int) -> None:
    """Chi-square test over 200 draws of each number; random streams violate the bounds once in ten thousand times."""
    numbers = rolls(f"uniform {bound}", bound, 200 * bound)
    squares = sum((numbers.count(number) - 200) ** 2 / 200 for number in range(bound))
    free = bound - 1
    spread = 4 * (2 * free) ** 0.5
    assert max(0.0, free - spread) <= squares <= free + spread + 8


def test_one_draw_does_not_predict_the_next() -> None:
    numbers = rolls("pairs", 6, 7201)
    pairs = list(pairwise(numbers))
    squares = sum((pairs.count((one, two)) - 200) ** 2 / 200 for one in range(6) for two in range(6))
    assert 10 < squares < 75


@pytest.mark.parametrize("other", [("wednesday", "order", 1, 0), ("tuesday", "resources", 1, 0)])
def test_a_different_seed_or_purpose_gives_a_different_stream(other: tuple[str, str, int, int]) -> None:
    assert stream("tuesday", "order", 1, 0) != stream(*other)


@pytest.mark.parametrize("place", [(1, 1), (2, 0), (11, 0), (1, 10)])
def test_a_different_round_or_index_gives_a_different_stream(place: tuple[int, int]) -> None:
    assert stream("tuesday", "order", 1, 0) != stream("tuesday", "order", *place)


def stream(seed: str, purpose: str, number: int, index: int) -> list[int]:
    dice = Seed(seed).dice(purpose, number, index)
    return [dice.below(1000) for _ in range(8)]


def test_numbers_that_would_favour_small_results_are_skipped() -> None:
    """40,000 fits once into 65,536: without skipping, the numbers 0 to 25,535 would be drawn twice as often."""
    numbers = rolls("fair", 40_000, 4_000)
    assert sum(number < 20_000 for number in numbers) == pytest.approx(2_000, abs=130)
    assert max(numbers) < 40_000


def test_a_bound_of_one_leaves_no_choice() -> None:
    assert rolls("one", 1, 5) == [0] * 5
