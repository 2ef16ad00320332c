"""Changes of win probability caused only by dice in a match of caravan."""

import pytest

from himalaya_core.api import play
from himalaya_core.players.caravan.hindsight import hindsight, luck
from himalaya_core.winprob.key_moments import Kind
from tests.core.winprob.planted import value


@pytest.mark.slow("reviews with other dice")
def test_luck_is_the_hindsight_value_of_the_dice() -> None:
    replay = play("caravan", ["greedy", "random", "trader"], seed="luck").replay
    dice = [swing for swing in hindsight(replay, value()) if swing.kind is Kind.DICE]
    assert luck(replay, value()) == dice
    assert any(any(swing.amounts) for swing in dice)
