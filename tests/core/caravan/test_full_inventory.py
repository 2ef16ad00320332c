"""Full inventory: what the winner of a resource may choose instead of the marker (C-V.full)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import PlaceInventoryStupa, SendInventoryDelegations, TakeMarker
from himalaya_core.caravan.events import (
    DelegationsSent,
    Event,
    InventoryCounted,
    InventoryMarkerTaken,
    RoundStarted,
    StupaPlaced,
)
from himalaya_core.caravan.pieces import Cause, Resource
from himalaya_core.caravan.state import State
from tests.core.caravan.positions import Cubes, do, position, put, refusal, settled

OFFERED = {village: {"salt": 1} for village in (1, 2, 3, 4, 5)}
ORDERED = {6: "o1", 7: "o2", 8: "o3", 9: "o4", 10: "o5"}
BHOTIA = 2
SALT = {BHOTIA: {"salt": 2}}


def inventory(
    hands: Mapping[int, Cubes] = SALT, stupas: Mapping[int, int] | None = None, caravan: int = 19, **changes: Any
) -> tuple[list[Event], State]:
    """Return the events up to the first choice of the inventory after round 4, and the position there."""
    empty: Sequence[int | None] = (None,) * 21
    end = position(
        cubes=OFFERED,
        orders=ORDERED,
        hands=hands,
        caravans=(1, 2, caravan, 3),
        on=("full_inventory",),
        **{"round": 4, "step": 7, "stupas": put(empty, stupas or {}), **changes},
    )
    return settled(end)


def rewards(state: State) -> list[Any]:
    return list(CARAVAN.legal_actions(state, BHOTIA))


def stupas(*villages: int) -> list[PlaceInventoryStupa]:
    return [PlaceInventoryStupa(BHOTIA, village) for village in villages]


def delegations(*regions: int) -> list[SendInventoryDelegations]:
    return [SendInventoryDelegations(BHOTIA, region) for region in regions]


def test_the_full_inventory_matches_the_rulebook() -> None:
    """Rule C-V.full: Bhotia places a stupa in 19; other choices are a stupa in 20, delegations in 7 or 8, a marker."""
    _, state = inventory({BHOTIA: {"salt": 2, "barley": 1}})
    assert CARAVAN.actors(state) == (BHOTIA,)
    events, state = do(state, PlaceInventoryStupa(BHOTIA, 19))
    assert events == [
        StupaPlaced(BHOTIA, 19, 1, Cause.INVENTORY),
        InventoryCounted(Resource.BARLEY, (0, 0, 1, 0), BHOTIA),
    ]
    assert (state.stupas[19], state.stupas_left[BHOTIA]) == (BHOTIA, 4)
    assert {*stupas(20), *delegations(7, 8), TakeMarker(BHOTIA)} < set(rewards(state))
    assert PlaceInventoryStupa(BHOTIA, 19) not in rewards(state)


# columns: places of caravan and stupas, pieces left, choices other than the marker
CHOICES = {
    "a house of two regions": (19, {}, {}, [*delegations(7, 8), *stupas(12, 14, 19, 20)]),
    "a house of one region": (4, {}, {}, [*delegations(1), *stupas(4, 10)]),
    "a monastery": (2, {}, {}, [*delegations(2, 3), *stupas(1, 5, 14)]),
    "three regions": (6, {}, {}, [*delegations(1, 2, 4), *stupas(1, 4, 5, 10, 12)]),
    "houses with a stupa": (19, {12: 0, 19: BHOTIA}, {}, [*delegations(7, 8), *stupas(14, 20)]),
    "no free house": (4, {4: 0, 10: 1}, {}, delegations(1)),
    "no stupa left": (19, {}, {"stupas_left": (5, 5, 0, 5)}, delegations(7, 8)),
    "no delegation left": (19, {}, {"delegations_left": (15, 15, 0, 15)}, stupas(12, 14, 19, 20)),
    "one delegation left": (4, {}, {"delegations_left": (15, 15, 1, 15)}, [*delegations(1), *stupas(4, 10)]),
    "nothing left": (19, {}, {"stupas_left": (5, 5, 0, 5), "delegations_left": (15, 15, 0, 15)}, []),
}


@pytest.mark.parametrize(("caravan", "standing", "changes", "expected"), CHOICES.values(), ids=CHOICES)
def test_the_winner_chooses_a_permitted_prize(
    caravan: int, standing: Mapping[int, int], changes: Mapping[str, Any], expected: Sequence[Any]
) -> None:
    """Rules C-V.full and C-V.region: delegations go to a region that borders the village, not to the next region."""
    _, state = inventory(stupas=standing, caravan=caravan, **changes)
    assert rewards(state) == [TakeMarker(BHOTIA), *expected]
    assert not any(refusal(state, action) for action in rewards(state))


@pytest.mark.parametrize(("left", "sent"), [(15, 2), (3, 2), (2, 2), (1, 1)])
def test_two_delegations_or_the_last_one_go_to_one_region(left: int, sent: int) -> None:
    """Rule C-V.full."""
    _, state = inventory(delegations_left=(15, 15, left, 15))
    events, state = do(state, SendInventoryDelegations(BHOTIA, 8))
    assert events[0] == DelegationsSent(BHOTIA, {8: sent}, Cause.INVENTORY)
    assert (state.delegations[8], state.delegations_left[BHOTIA]) == ((0, 0, sent, 0), left - sent)


def test_the_winner_can_still_take_the_marker() -> None:
    """Rule C-V.full."""
    _, state = inventory()
    events, state = do(state, TakeMarker(BHOTIA))
    assert events[0] == InventoryMarkerTaken(BHOTIA, Resource.SALT, 3)
    assert (state.markers, state.yaks(BHOTIA)) == ((0, 0, 1, 0), 3)


REFUSED = {
    "a stupa in a temple": PlaceInventoryStupa(BHOTIA, 16),
    "a stupa far away": PlaceInventoryStupa(BHOTIA, 1),
    "a stupa in no village": PlaceInventoryStupa(BHOTIA, 21),
    "a stupa on a stupa": PlaceInventoryStupa(BHOTIA, 12),
    "delegations far away": SendInventoryDelegations(BHOTIA, 1),
    "delegations into no region": SendInventoryDelegations(BHOTIA, 9),
    "another's marker": TakeMarker(0),
    "another's stupa": PlaceInventoryStupa(0, 19),
}


@pytest.mark.parametrize("action", REFUSED.values(), ids=REFUSED)
def test_other_prizes_are_refused(action: Any) -> None:
    """Rule C-V.full."""
    assert refusal(inventory(stupas={12: 0})[1], action)


def test_each_winner_chooses_once_in_the_order_of_resources() -> None:
    """Rules C-V.full and C-V.inventory: no choice for a tie, or for a resource that no seat holds."""
    hands = {0: {"salt": 1, "gold": 1}, 1: {"salt": 1, "tea": 2}, BHOTIA: {"jade": 1}}
    events, state = inventory(hands)
    asked = []
    while state.round == 4:
        (seat,) = CARAVAN.actors(state)
        assert state.inventory is not None
        asked.append((state.inventory.resource, seat))
        events, state = do(state, TakeMarker(seat))
        assert refusal(state, TakeMarker(seat))
    assert asked == [(Resource.TEA, 1), (Resource.JADE, BHOTIA), (Resource.GOLD, 0)]
    assert isinstance(events[-1], RoundStarted)
    assert state.markers == (1, 1, 1, 0)


def test_the_winner_gets_the_marker_automatically_without_the_option() -> None:
    """Rule C-V.inventory."""
    end = position(cubes=OFFERED, orders=ORDERED, hands=SALT, round=4, step=7)
    events, state = settled(end)
    assert InventoryMarkerTaken(BHOTIA, Resource.SALT, 3) in events
    assert refusal(state, TakeMarker(BHOTIA))


def test_the_last_inventory_is_chosen_before_the_scoring() -> None:
    """Rule C-V.full."""
    events, state = inventory(round=12)
    assert (CARAVAN.actors(state), len(events)) == ((BHOTIA,), 1)
    _, state = do(state, PlaceInventoryStupa(BHOTIA, 20))
    assert state.scores is not None
    assert state.scores.religious == (0, 0, 1, 0)
