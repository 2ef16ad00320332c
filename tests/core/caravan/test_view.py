"""A seat's view of a position (C-view)."""

import pytest

from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import CommitPlan
from tests.core.caravan.positions import do, order, plan, position, reveal

SECRET = plan("trade soil trade")


def test_rival_plans_are_hidden_until_all_are_revealed() -> None:
    """Rule C-view."""
    _, state = do(position(), CommitPlan(1, SECRET), CommitPlan(3, plan("ice")))
    assert CARAVAN.view(state, 1).plans == (None, SECRET, None, ())
    assert CARAVAN.view(state, 0).plans == (None, (), None, ())


def test_a_seat_sees_its_own_plan() -> None:
    """Rule C-view."""
    _, state = do(position(), CommitPlan(1, SECRET))
    assert CARAVAN.view(state, 1) == state


@pytest.mark.parametrize("seat", range(4))
def test_all_seats_see_revealed_plans(seat: int) -> None:
    """Rule C-view."""
    _, state = reveal(position(cubes={20: {"salt": 1}}), {0: "trade", 1: "ice"})
    assert state.step == 1
    assert CARAVAN.view(state, seat) == state
    assert CARAVAN.view(state, seat).plans[1] == plan("ice")


def test_a_view_hides_only_plans() -> None:
    """Rules C-view and C-view.screens."""
    behind_screens = position(hands={2: {"gold": 3}}, herds=((), (), (order("o1"),), ()))
    _, state = do(behind_screens, CommitPlan(1, SECRET))
    view = CARAVAN.view(state, 0)
    assert (view.hands, view.herds) == (behind_screens.hands, behind_screens.herds)
    assert view._replace(plans=()) == state._replace(plans=())
