"""When a match turned, with made-up win probabilities."""

from collections.abc import Sequence

import pytest

from himalaya_core.winprob.key_moments import Valued, turning


def course(*winners: float, last: Sequence[float] = (1.0, 0.0, 0.0)) -> list[Valued]:
    """Return a match in which seat 0 has these win probabilities; seat 2 has twice seat 1's share of the rest.

    Each decision is a ply, and two decisions are a round; rounds count from 1.
    """
    chances = [(each, (1 - each) / 3, 2 * (1 - each) / 3) for each in winners]
    return [Valued(5 * ply, ply, 1 + ply // 2, found) for ply, found in enumerate([*chances, tuple(last)])]


@pytest.mark.parametrize(
    ("winners", "decided"),
    [
        ((0.3, 0.6, 0.7, 0.8, 0.9), 1),  # the second decision is still in round 1
        ((0.6, 0.7, 0.4, 0.8, 0.9), 2),
        ((0.6, 0.7, 0.5, 0.8, 0.9), 1),  # a chance of one half is not below one half
        ((0.1, 0.1, 0.1, 0.1, 0.1), 3),  # only the end of the match decides it
    ],
)
def test_a_match_is_decided_once_its_winner_stays_at_one_half_or_more(winners: tuple[float, ...], decided: int) -> None:
    turned = turning(course(*winners))
    assert turned is not None
    assert turned.decided_round == decided


def test_the_lowest_chance_of_the_winner_is_from_the_second_half() -> None:
    turned = turning(course(0.01, 0.02, 0.3, 0.2, 0.2, 0.4, 0.9))
    assert turned is not None
    low = turned.lowest
    assert (low.chance, low.seat, low.round, low.ply) == (0.2, 0, 3, 4), "of equal ones the last"
    assert (turned.rival.seat, turned.rival.round, turned.rival.ply) == (2, 3, 4)
    assert turned.rival.chance == pytest.approx(2 * 0.8 / 3)


def test_a_shared_win_has_no_turning_point() -> None:
    assert turning(course(0.3, 0.4, last=(0.5, 0.5, 0.0))) is None
