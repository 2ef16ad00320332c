"""Set-up and phase IV: villages that receive cubes and orders (C-setup.refill, C-IV)."""

from collections.abc import Mapping
from typing import Any

import pytest

from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import PlaceCaravan, RollOrder, RollResources
from himalaya_core.caravan.events import CaravanPlaced, RefillRolled, RoundEnded, RoundStarted
from himalaya_core.caravan.flow import next_empty, refill_due
from himalaya_core.caravan.pieces import NO_GOODS, Options, Refill, Resource
from himalaya_core.caravan.state import evolve, initial
from himalaya_core.game import CHANCE
from himalaya_core.seed import Seed
from tests.core.caravan.positions import BOARD, Cubes, do, order, position, refusal, settled

FIVE = {Resource.SALT: 5}
OFFERED = {village: {"salt": 1} for village in (1, 2, 3, 4, 5)}
ORDERED = {6: "o1", 7: "o2", 8: "o3", 9: "o4", 10: "o5"}
CLOSING: dict[str, Any] = {"step": 7}


@pytest.mark.parametrize(
    ("die", "cubes", "orders", "village"),
    [
        pytest.param(20, {20: {"salt": 1}, 1: {"tea": 2}}, {}, 2, id="C-IV.next-empty rulebook: 20 and 1 occupied"),
        pytest.param(20, {}, {}, 20, id="C-IV.next-empty the village rolled"),
        pytest.param(9, {9: {"salt": 1}}, {}, 10, id="C-IV.next-empty upwards"),
        pytest.param(9, {9: {"salt": 1}}, {10: "o1", 11: "o2"}, 12, id="C-IV.next-empty an order occupies too"),
        pytest.param(19, {20: {"salt": 1}}, {19: "o1", 1: "o2"}, 2, id="C-IV.next-empty round the end over an order"),
    ],
)
def test_the_next_empty_village_is_found_in_order(
    die: int, cubes: Mapping[int, Cubes], orders: Mapping[int, str], village: int
) -> None:
    assert next_empty(position(cubes=cubes, orders=orders), die) == village


def test_setup_rolls_five_times_five_cubes_then_five_orders_then_places_caravans() -> None:
    """Rule C-setup.refill."""
    state = initial(Options(4), BOARD)
    for roll in range(5):
        assert CARAVAN.actors(state) == (CHANCE,)
        (event,), state = do(state, RollResources(20, {Resource.BARLEY: 3, Resource.SALT: 2}))
        assert event == RefillRolled(
            Refill.RESOURCES, 20, (20, 1, 2, 3, 4)[roll], {Resource.BARLEY: 3, Resource.SALT: 2}
        )
    for roll in range(5):
        (event,), state = do(state, RollOrder(3, f"o{roll + 1}"))
        assert event == RefillRolled(Refill.ORDER, 3, 5 + roll, order=order(f"o{roll + 1}"))
    assert state.bag == (8, 0, 12, 9, 6)
    assert len(state.order_bag) == 35
    assert CARAVAN.actors(state) == (0,)


@pytest.mark.parametrize("first", [0, 2])
def test_caravans_are_placed_clockwise_from_the_first_no_two_together(first: int) -> None:
    """Rules C-setup.caravans and C-setup.first."""
    state = evolve(position(cubes=OFFERED, orders=ORDERED, caravans=(0, 0, 0, 0), round=0), options=Options(4, first))
    state = evolve(state, first=first)
    for turn in range(4):
        seat = (first + turn) % 4
        assert CARAVAN.actors(state) == (seat,)
        assert "already has a caravan" in refusal(state, PlaceCaravan(seat, 6)) if turn else True
        assert "may not place" in refusal(state, PlaceCaravan((seat + 1) % 4, 20))
        events, state = do(state, PlaceCaravan(seat, 6 + turn))
        assert events == [CaravanPlaced(seat, 6 + turn), RoundStarted(first)][: 2 if turn == 3 else 1]


def test_resources_come_before_orders() -> None:
    """Rule C-IV.refill."""
    state = position(cubes={1: {"salt": 1}}, orders={6: "o1"}, **CLOSING)
    assert refill_due(state) is Refill.RESOURCES
    assert "no refill of orders" in refusal(state, RollOrder(1, "o9"))
    assert refill_due(position(cubes=OFFERED, orders={6: "o1"}, **CLOSING)) is Refill.ORDER


def test_a_village_with_a_cube_left_is_not_topped_up() -> None:
    """Rule C-IV.refill."""
    state = position(cubes=OFFERED, orders=ORDERED, **CLOSING)
    assert refill_due(state) is None
    events, _ = settled(state)
    assert events == [RoundEnded(), RoundStarted(1)]


def test_a_short_bag_gives_all_its_cubes_and_an_empty_bag_ends_the_refill() -> None:
    """Rule C-IV.bag."""
    state = position(cubes={1: {"salt": 1}}, orders=ORDERED, **CLOSING)
    state = evolve(state, bag=(0, 0, 0, 2, 1))
    assert "expected 3 cubes" in refusal(state, RollResources(2, {Resource.JADE: 2}))
    action = CARAVAN.sample_chance(state, Seed("bag"))
    assert isinstance(action, RollResources)
    assert action.drawn == {Resource.JADE: 2, Resource.GOLD: 1}
    events, after = do(state, action)
    assert after.bag == NO_GOODS
    assert events[1:] == [RoundEnded(), RoundStarted(1)]


def test_an_empty_order_bag_ends_its_refill() -> None:
    """Rule C-IV.bag."""
    state = position(cubes=OFFERED, orders={6: "o1"}, order_bag=frozenset({order("o2")}), **CLOSING)
    assert CARAVAN.sample_chance(state, Seed("bag")).order == "o2"  # type: ignore[union-attr]
    events, after = do(state, RollOrder(6, "o2"))
    assert events == [RefillRolled(Refill.ORDER, 6, 7, order=order("o2")), RoundEnded(), RoundStarted(1)]
    assert not after.order_bag


def test_an_empty_cube_bag_does_not_stop_the_orders() -> None:
    """Rule C-IV.bag."""
    assert refill_due(position(bag=NO_GOODS, **CLOSING)) is Refill.ORDER


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (RollResources(2, {Resource.SALT: 4}), "expected 5 cubes"),
        (RollResources(2, {Resource.SALT: 6}), "expected 5 cubes"),
        (RollResources(2, {Resource.SALT: 6, Resource.TEA: -1}), "cubes that are in the bag"),
        (RollResources(2, {Resource.SALT: 2, Resource.JADE: 3}), "cubes that are in the bag"),
        (RollResources(21, FIVE), "no side 21"),
        (RollResources(0, FIVE), "no side 0"),
        (RollOrder(2, "o7"), "no refill of orders is due"),
    ],
)
def test_chance_cannot_draw_missing_pieces(action: RollResources | RollOrder, reason: str) -> None:
    state = evolve(position(**CLOSING), bag=(9, 9, 9, 2, 0))
    assert reason in refusal(state, action)


def test_chance_draws_only_discs_in_the_bag() -> None:
    state = position(cubes=OFFERED, orders={6: "o1"}, **CLOSING)
    assert "o1 is not in the bag" in refusal(state, RollOrder(2, "o1"))
    assert "o99 is not in the bag" in refusal(state, RollOrder(2, "o99"))
