"""Phase III: six planned actions, moving and trading (C-III)."""

from typing import Any

import pytest

from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import Action, Collect, CommitPlan, DeclineTrade, Deliver, PlaceCaravan
from himalaya_core.caravan.events import (
    ActionVoided,
    Collected,
    DelegationsSent,
    Delivered,
    Event,
    Moved,
    OrderReturned,
    PlanCommitted,
    PlansRevealed,
    Rested,
    StupaPlaced,
)
from himalaya_core.caravan.pieces import Act, Cause, Resource, Reward, RoadType, VoidReason
from himalaya_core.caravan.state import State
from tests.core.caravan.positions import SALT_BARLEY, Cubes, do, goods, order, plan, position, refusal, reveal

SHERPA = 1
HELD = {"salt": 2, "jade": 2, "gold": 1}


def sherpa_round() -> State:
    return position(
        cubes={3: {"salt": 1, "jade": 1, "gold": 1}, 4: {"barley": 2, "jade": 1}},
        orders={6: SALT_BARLEY},
        caravans=(20, 3, 18, 17),
        hands={SHERPA: HELD},
    )


def own(events: list[Event], seat: int = SHERPA) -> list[Event]:
    return [event for event in events if getattr(event, "seat", None) == seat]


def test_the_sherpas_round_matches_the_rulebook() -> None:
    events, state = reveal(sherpa_round(), {SHERPA: "trade soil trade soil ice trade"})
    rewards = (Reward.OFFERING, Reward.DELEGATION)
    more, state = do(
        state, Collect(SHERPA, Resource.SALT), Collect(SHERPA, Resource.BARLEY), Deliver(SHERPA, rewards, {1: 3})
    )
    spent = {Resource.SALT: 1, Resource.BARLEY: 1}
    assert own(events + more)[1:] == [
        Collected(SHERPA, 1, 3, Resource.SALT, market=False),
        Moved(SHERPA, 2, RoadType.SOIL, 3, 4),
        Collected(SHERPA, 3, 4, Resource.BARLEY, market=False),
        Moved(SHERPA, 4, RoadType.SOIL, 4, 3),
        Moved(SHERPA, 5, RoadType.ICE, 3, 6),
        Delivered(SHERPA, 6, 6, order(SALT_BARLEY), spent, rewards),
        OrderReturned(SHERPA, SALT_BARLEY),
        StupaPlaced(SHERPA, 6, 3, Cause.OFFERING),
        DelegationsSent(SHERPA, {1: 3}, Cause.DELEGATION),
    ]
    assert state.hands[SHERPA] == goods(HELD)
    assert state.stupas[6] == SHERPA
    assert state.delegations[1] == (0, 3, 0, 0)
    assert order(SALT_BARLEY) in state.order_bag


def test_a_second_trade_in_a_village_in_one_round_is_void() -> None:
    """Rule C-III.collect, like the Sherpa's round in the rulebook."""
    _, state = reveal(sherpa_round(), {SHERPA: "trade soil trade soil trade rest"})
    events, state = do(state, Collect(SHERPA, Resource.SALT), Collect(SHERPA, Resource.BARLEY))
    assert ActionVoided(SHERPA, 5, Act.TRADE, VoidReason.ALREADY_COLLECTED) in events
    assert Rested(SHERPA, 6) in events


def test_a_village_can_be_traded_in_again_next_round() -> None:
    """Rule C-III.collect."""
    five = {village: {"tea": 2} for village in (3, 4, 5, 6, 7)}
    orders = {8: "o1", 9: "o2", 10: "o3", 11: "o4", 12: "o5"}
    _, state = reveal(position(cubes=five, orders=orders, caravans=(20, 3, 18, 17)), {SHERPA: "trade"})
    _, state = do(state, Collect(SHERPA, Resource.TEA))
    assert (state.round, state.collected[SHERPA]) == (2, frozenset())
    _, state = reveal(state, {SHERPA: "trade"})
    assert list(CARAVAN.legal_actions(state, SHERPA)) == [Collect(SHERPA, Resource.TEA), DeclineTrade(SHERPA)]


@pytest.mark.parametrize("first", [0, 3])
def test_actions_run_clockwise_step_by_step_from_the_first_caravaneer(first: int) -> None:
    """Rule C-III.order."""
    events, _ = reveal(position(first=first), {})
    acted = [(event.step, event.seat) for event in events if isinstance(event, Rested)]
    assert acted == [(step, (first + turn) % 4) for step in range(1, 7) for turn in range(4)]


@pytest.mark.parametrize("first", [0, 1])
def test_all_plan_in_secret_and_reveal_together(first: int) -> None:
    """Rules C-II and C-II.time: nothing happens until all plans are made."""
    state = position(first=first)
    assert sorted(CARAVAN.actors(state)) == [0, 1, 2, 3]
    rest = plan()
    for seat in (2, 0, 3):
        events, state = do(state, CommitPlan(seat, rest))
        assert events == [PlanCommitted(seat, rest)]
    assert CARAVAN.actors(state) == (1,)
    assert do(state, CommitPlan(1, rest))[0][:2] == [PlanCommitted(1, rest), PlansRevealed()]


@pytest.mark.parametrize(
    ("village", "act", "event"),
    [
        pytest.param(3, "soil", Moved(0, 1, RoadType.SOIL, 3, 4), id="C-III.move soil"),
        pytest.param(3, "stone", Moved(0, 1, RoadType.STONE, 3, 1), id="C-III.move stone"),
        pytest.param(3, "ice", Moved(0, 1, RoadType.ICE, 3, 6), id="C-III.move ice"),
        pytest.param(4, "stone", ActionVoided(0, 1, Act.STONE, VoidReason.NO_ROAD), id="C-III.move no such road"),
        pytest.param(4, "trade", ActionVoided(0, 1, Act.TRADE, VoidReason.NOTHING_HERE), id="C-III.trade nothing"),
        pytest.param(6, "trade", ActionVoided(0, 1, Act.TRADE, VoidReason.GOODS_MISSING), id="C-III.trade too little"),
    ],
)
def test_each_action_has_its_effect(village: int, act: str, event: Moved | ActionVoided) -> None:
    state = position(orders={6: SALT_BARLEY}, caravans=(village, 19, 18, 17), hands={0: {"salt": 5}})
    events, after = reveal(state, {0: f"{act} rest"})
    assert own(events, 0)[1:3] == [event, Rested(0, 2)]
    assert after.caravans[0] == (event.to if isinstance(event, Moved) else village)


def test_a_planned_movement_is_always_forced() -> None:
    """Rule C-III.move: the plan says ice, so the caravan moves, even if it would rather trade."""
    events, state = reveal(position(cubes={3: {"gold": 1}}, caravans=(3, 19, 18, 17)), {0: "ice trade"})
    assert state.caravans[0] == 6
    assert ActionVoided(0, 2, Act.TRADE, VoidReason.NOTHING_HERE) in events


def test_a_village_emptied_by_another_has_nothing_left() -> None:
    """Rule C-III.trade."""
    state = position(cubes={3: {"gold": 1}}, caravans=(3, 3, 18, 17))
    _, state = reveal(state, {0: "trade", 1: "trade trade"})
    events, _ = do(state, Collect(0, Resource.GOLD))
    assert events.count(ActionVoided(1, 1, Act.TRADE, VoidReason.NOTHING_HERE)) == 1


@pytest.mark.parametrize(
    ("offered", "cheapest"),
    [
        ({"gold": 1, "jade": 1, "tea": 1, "barley": 1, "salt": 1}, Resource.SALT),
        ({"gold": 1, "jade": 1, "tea": 1, "barley": 2}, Resource.BARLEY),
        ({"gold": 1, "jade": 1, "tea": 3}, Resource.TEA),
        ({"gold": 4, "jade": 1}, Resource.JADE),
        ({"gold": 1}, Resource.GOLD),
    ],
    ids=lambda value: f"C-III.collect {value}" if isinstance(value, Resource) else "",
)
def test_trading_takes_the_cheapest_cube(offered: Cubes, cheapest: Resource) -> None:
    _, state = reveal(position(cubes={3: offered}, caravans=(3, 19, 18, 17)), {0: "trade"})
    assert list(CARAVAN.legal_actions(state, 0)) == [Collect(0, cheapest), DeclineTrade(0)]
    for resource in set(Resource) - {cheapest}:
        assert f"cheapest resource in village 3 is {cheapest}" in refusal(state, Collect(0, resource))
    assert do(state, Collect(0, cheapest))[1].hands[0] == goods({cheapest: 1})


def test_a_declined_trade_is_void_and_possible_later_in_the_round() -> None:
    """Rule C-III.decline."""
    _, state = reveal(position(cubes={3: {"tea": 1}}, caravans=(3, 19, 18, 17)), {0: "trade trade"})
    events, state = do(state, DeclineTrade(0))
    assert events[0] == ActionVoided(0, 1, Act.TRADE, VoidReason.DECLINED)
    assert CARAVAN.actors(state) == (0,)
    assert do(state, Collect(0, Resource.TEA))[0][0] == Collected(0, 2, 3, Resource.TEA, market=False)


@pytest.mark.parametrize(
    "action",
    [
        Collect(1, Resource.TEA),
        DeclineTrade(1),
        DeclineTrade(-1),
        Deliver(0, (Reward.BARTER,), {}),
        CommitPlan(0, plan()),
        CommitPlan(7, plan()),
        CommitPlan(-1, plan()),
        PlaceCaravan(0, 12),
    ],
    ids=str,
)
def test_only_the_pending_trade_can_be_decided(action: Action) -> None:
    _, state = reveal(position(cubes={3: {"tea": 1}}, caravans=(3, 19, 18, 17)), {0: "trade"})
    assert refusal(state, action)


@pytest.mark.parametrize("acts", [(), (Act.REST,) * 5, (Act.REST,) * 7, ("rest",) * 5 + ("swim",)], ids=str)
def test_a_plan_has_six_actions(acts: Any) -> None:
    """Rule C-II."""
    state = position()
    assert refusal(state, CommitPlan(0, acts))
    assert CommitPlan(0, acts) not in CARAVAN.legal_actions(state, 0)


def test_a_plan_is_made_once() -> None:
    """Rules C-II and C-II.time."""
    _, state = do(position(), CommitPlan(0, plan()))
    assert "no plan to make" in refusal(state, CommitPlan(0, plan("ice")))
