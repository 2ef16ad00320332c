"""Shapley values, checked by hand."""

import pytest

from himalaya_core.winprob.review import shapley


def test_the_right_glove_is_worth_two_thirds_next_to_two_left_gloves() -> None:
    """One pair is worth 1 (row 0), as in Osborne & Rubinstein, example 295.1; each glove alone is worth 2 (row 1)."""

    def worth(gloves: frozenset[int]) -> tuple[float, float]:
        return float(2 in gloves and len(gloves) > 1), 2.0 * len(gloves)

    asked: list[frozenset[int]] = []

    def asking(gloves: frozenset[int]) -> tuple[float, float]:
        asked.append(gloves)
        return worth(gloves)

    shares = shapley(asking, (0, 1, 2))
    assert shares[0] == pytest.approx([1 / 6, 2])
    assert shares[1] == pytest.approx([1 / 6, 2])
    assert shares[2] == pytest.approx([4 / 6, 2])
    assert len(asked) == len(set(asked)) == 8


def test_a_single_player_gets_the_whole_difference_and_no_players_get_none() -> None:
    assert shapley(lambda some: [5.0 + len(some)], (3,)) == {3: [1.0]}
    assert shapley(lambda _: [5.0], ()) == {}
