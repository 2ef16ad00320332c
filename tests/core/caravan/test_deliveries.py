"""Deliveries and their rewards (C-III.deliver, C-III.rewards, C-III.barter, C-III.offering, C-III.delegation)."""

from itertools import combinations_with_replacement
from typing import Any

import pytest

from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import Collect, DeclineTrade, Deliver
from himalaya_core.caravan.events import Bartered, DelegationsSent, Delivered, OrderReturned, StupaPlaced
from himalaya_core.caravan.pieces import Cause, Resource, Reward
from himalaya_core.caravan.state import State
from tests.core.caravan.positions import SALT_BARLEY, VILLAGES, do, goods, order, position, put, refusal, reveal

B, O, D = Reward.BARTER, Reward.OFFERING, Reward.DELEGATION  # noqa: E741  the three rewards, for the tables below
HAND = {"salt": 2, "barley": 1, "tea": 1}


def trading(village: int = 6, **changes: Any) -> State:
    """Return a position in which seat 0 decides about a delivery of salt and barley."""
    start = position(orders={village: SALT_BARLEY}, caravans=(village, 19, 18, 17), hands={0: HAND}, **changes)
    return reveal(start, {0: "trade"})[1]


def stupa_in(village: int, seat: int) -> dict[str, Any]:
    return {"stupas": put((None,) * 21, {village: seat}), "stupas_left": put((5,) * 4, {seat: 4})}


@pytest.mark.parametrize(
    ("rewards", "regions", "following"),
    [
        ((B, O), {}, [Bartered(0, SALT_BARLEY, 3), StupaPlaced(0, 6, 3, Cause.OFFERING)]),
        ((B, D), {1: 1, 2: 2}, [Bartered(0, SALT_BARLEY, 3), DelegationsSent(0, {1: 1, 2: 2}, Cause.DELEGATION)]),
        (
            (O, D),
            {4: 3},
            [
                OrderReturned(0, SALT_BARLEY),
                StupaPlaced(0, 6, 3, Cause.OFFERING),
                DelegationsSent(0, {4: 3}, Cause.DELEGATION),
            ],
        ),
    ],
    ids=["C-III.rewards barter, offering", "C-III.rewards barter, delegation", "C-III.rewards offering, delegation"],
)
def test_a_delivery_is_followed_by_its_two_rewards(
    rewards: tuple[Reward, ...], regions: dict[int, int], following: list[Any]
) -> None:
    events, _ = do(trading(), Deliver(0, rewards, regions))
    spent = {Resource.SALT: 1, Resource.BARLEY: 1}
    assert events[0] == Delivered(0, 1, 6, order(SALT_BARLEY), spent, rewards)
    assert events[1 : 1 + len(following)] == following


def test_goods_go_back_into_the_bag() -> None:
    """Rule C-III.deliver."""
    before = trading()
    _, after = do(before, Deliver(0, (B, O), {}))
    assert after.hands[0] == goods({"salt": 1, "tea": 1})
    assert [new - old for new, old in zip(after.bag, before.bag, strict=True)] == [1, 1, 0, 0, 0]
    assert after.orders[6] is None


def test_a_bartered_disc_leaves_the_game_for_its_yaks() -> None:
    """Rule C-III.barter."""
    _, after = do(trading(), Deliver(0, (B, O), {}))
    assert after.herds[0] == (order(SALT_BARLEY),)
    assert after.yaks(0) == 3
    assert order(SALT_BARLEY) not in after.order_bag


def test_a_disc_not_bartered_goes_back_into_its_bag() -> None:
    """Rule C-III.barter."""
    _, after = do(trading(), Deliver(0, (O, D), {1: 3}))
    assert after.yaks(0) == 0
    assert order(SALT_BARLEY) in after.order_bag


def rewards_offered(state: State) -> set[tuple[Reward, ...]]:
    return {action.rewards for action in CARAVAN.legal_actions(state, 0) if isinstance(action, Deliver)}


@pytest.mark.parametrize(
    ("changes", "offered"),
    [
        pytest.param({}, {(B, O), (B, D), (O, D)}, id="C-III.rewards all three possible"),
        pytest.param(stupa_in(6, 2), {(B, D)}, id="C-III.offering another's stupa stands here"),
        pytest.param(stupa_in(6, 0), {(B, D)}, id="C-III.offering my own stupa stands here"),
        pytest.param({"stupas_left": (0, 5, 5, 5)}, {(B, D)}, id="C-III.offering no stupa in supply"),
        pytest.param({"delegations_left": (0, 15, 15, 15)}, {(B, O)}, id="C-III.delegation none in supply"),
        pytest.param({"delegations_left": (0,) * 4, **stupa_in(6, 2)}, {(B,)}, id="C-III.rewards barter alone"),
    ],
)
def test_two_different_possible_rewards_are_chosen(changes: dict[str, Any], offered: set[tuple[Reward, ...]]) -> None:
    state = trading(**changes)
    assert rewards_offered(state) == offered
    assert DeclineTrade(0) in CARAVAN.legal_actions(state, 0)
    for rewards in ((), (B,), (O,), (D,), (B, B), (B, O), (B, D), (O, D), (O, B), (B, O, D)):
        regions = {1: 3} if D in rewards else {}
        assert (refusal(state, Deliver(0, rewards, regions)) == "") == (rewards in offered), rewards


@pytest.mark.parametrize(
    ("village", "supply", "sent"),
    [(6, 15, 3), (6, 3, 3), (6, 2, 2), (6, 1, 1), (9, 15, 2), (9, 1, 1), (12, 15, 1), (4, 15, 1), (18, 2, 2)],
    ids=lambda value: f"C-III.delegation {value}",
)
def test_delegations_number_exactly_what_level_and_supply_allow(village: int, supply: int, sent: int) -> None:
    state = trading(village, delegations_left=(supply, 15, 15, 15))
    borders = state.board.borders[village]
    legal = [action for action in CARAVAN.legal_actions(state, 0) if isinstance(action, Deliver)]
    splits = [action.regions for action in legal if action.rewards == (B, D)]
    wanted = list(combinations_with_replacement(sorted(borders), sent))
    assert sorted(map(sorted_split, splits)) == wanted
    for count in {0, 1, 2, 3, 4} - {sent}:
        assert f"expected {sent} delegations" in refusal(state, Deliver(0, (B, D), {borders[0]: count}))


def sorted_split(regions: dict[int, int]) -> tuple[int, ...]:
    return tuple(sorted(region for region, count in regions.items() for _ in range(count)))


def test_the_delegations_of_the_rulebook_go_to_regions_3_and_5() -> None:
    """Rule C-III.delegation: the monastery borders both regions."""
    events, state = do(trading(11), Deliver(0, (B, D), {5: 1, 3: 2}))
    assert events[2] == DelegationsSent(0, {3: 2, 5: 1}, Cause.DELEGATION)
    assert (state.delegations[3][0], state.delegations[5][0], state.delegations_left[0]) == (2, 1, 12)


@pytest.mark.parametrize(
    ("regions", "reason"),
    [
        ({3: 3}, "region 3 does not border village 6"),
        ({1: 2, 7: 1}, "region 7 does not border village 6"),
        ({1: 4, 2: -1}, "expected 3 delegations"),
        ({1: 3, 2: 0}, "expected 3 delegations"),
        ({0: 3}, "region 0 does not border"),
    ],
)
def test_delegations_go_only_to_bordering_regions(regions: dict[int, int], reason: str) -> None:
    """Rule C-III.delegation."""
    assert reason in refusal(trading(), Deliver(0, (B, D), regions))


def test_regions_without_the_reward_are_refused() -> None:
    assert "expected 0 delegations" in refusal(trading(), Deliver(0, (B, O), {1: 3}))


@pytest.mark.parametrize("village", VILLAGES)
def test_a_stupa_counts_the_level_of_its_village(village: int) -> None:
    """Rules C-III.offering and C-scoring.religious."""
    events, state = do(trading(village), Deliver(0, (B, O), {}))
    assert events[2] == StupaPlaced(0, village, state.board.levels[village], Cause.OFFERING)
    assert (state.stupas[village], state.stupas_left[0]) == (0, 4)


MAY: dict[tuple[tuple[Reward, ...], int], tuple[bool, bool]] = {
    ((B, O), 0): (True, True),
    ((O, D), 3): (True, True),
    ((B, D), 2): (False, True),
    ((B, D), 4): (False, False),
    ((B,), 0): (False, True),
    ((D,), 1): (False, True),
    ((D,), 0): (False, False),
    ((), 0): (False, False),
    ((B, O, D), 3): (False, False),
}
"""Rewards and number of delegations for a delivery at a monastery: whether legal normally, and with fewer_rewards."""


@pytest.mark.parametrize("fewer", [False, True])
def test_the_option_allows_fewer_rewards_and_delegations(fewer: bool) -> None:
    """Rule C-III.may."""
    state = trading(on=("fewer_rewards",) if fewer else ())
    legal = list(CARAVAN.legal_actions(state, 0))
    for (rewards, sent), allowed in MAY.items():
        action = Deliver(0, rewards, {1: sent} if sent else {})
        assert (action in legal) == (refusal(state, action) == "") == allowed[fewer], action
    splits = 3 + 6 + 10 if fewer else 10
    assert len(set(map(str, legal))) == len(legal) == 2 + 2 * splits + fewer * (2 + splits)


def test_a_village_with_an_order_offers_no_cube() -> None:
    assert "has an order" in refusal(trading(), Collect(0, Resource.SALT))


def test_two_deliveries_in_one_round_are_allowed() -> None:
    """Rule C-III.deliver: limited only by the discs on the board."""
    orders = {3: "o9", 4: "o10"}
    state = position(orders=orders, caravans=(3, 19, 18, 17), hands={0: {"salt": 2, "barley": 2}})
    _, state = reveal(state, {0: "trade soil trade"})
    _, state = do(state, Deliver(0, (B, O), {}), Deliver(0, (B, O), {}))
    assert (state.yaks(0), state.stupas[3], state.stupas[4]) == (6, 0, 0)


def test_goods_collected_this_round_can_be_delivered_this_round() -> None:
    state = position(cubes={4: {"barley": 1}}, orders={3: "o9"}, caravans=(4, 19, 18, 17), hands={0: {"salt": 1}})
    _, state = reveal(state, {0: "trade soil trade"})
    _, state = do(state, Collect(0, Resource.BARLEY), Deliver(0, (B, O), {}))
    assert state.yaks(0) == 3
