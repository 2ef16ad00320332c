"""The rounds and what ends them: First Caravaneer, inventory, the last round (C-I, C-V)."""

from collections.abc import Mapping

import pytest

from himalaya_core.caravan.events import (
    Event,
    InfluenceScored,
    InventoryCounted,
    InventoryMarkerTaken,
    RoundEnded,
    RoundStarted,
)
from himalaya_core.caravan.pieces import MARKER_YAKS, Resource
from himalaya_core.caravan.state import State
from tests.conformance.playing import CARAVANS, Variant, recorded
from tests.core.caravan.positions import Cubes, position, reveal, settled

OFFERED = {village: {"salt": 1} for village in (1, 2, 3, 4, 5)}
ORDERED = {6: "o1", 7: "o2", 8: "o3", 9: "o4", 10: "o5"}


def end_of_round(number: int, hands: Mapping[int, Cubes] | None = None, first: int = 0) -> State:
    return position(cubes=OFFERED, orders=ORDERED, hands=hands, round=number, first=first, step=7)


def inventory(hands: Mapping[int, Cubes], number: int = 4) -> list[Event]:
    kinds = (InventoryCounted, InventoryMarkerTaken)
    return [event for event in settled(end_of_round(number, hands))[0] if isinstance(event, kinds)]


@pytest.mark.parametrize("number", range(1, 12))
@pytest.mark.parametrize("first", range(4))
def test_the_next_seat_clockwise_is_first_in_the_next_round(number: int, first: int) -> None:
    """Rule C-I."""
    events, state = settled(end_of_round(number, first=first))
    assert events[-2:] == [RoundEnded(), RoundStarted((first + 1) % 4)]
    assert (state.round, state.first) == (number + 1, (first + 1) % 4)


@pytest.mark.parametrize("number", range(1, 13))
def test_inventories_follow_rounds_4_8_and_12(number: int) -> None:
    """Rule C-V.inventory."""
    counted = [event.resource for event in inventory({}, number) if isinstance(event, InventoryCounted)]
    assert counted == (list(Resource) if number in {4, 8, 12} else [])


def test_scoring_follows_round_12() -> None:
    """Rule C-I."""
    events, state = settled(end_of_round(12))
    kinds = [type(event) for event in events]
    assert RoundStarted not in kinds
    assert kinds.index(RoundEnded) + 1 == kinds.index(InfluenceScored)
    assert state.round == 12


def test_the_inventory_matches_the_rulebook() -> None:
    """Rule C-V.inventory: of salt 3/4/0/0, the seat with four wins; of barley 2/1/4/4, no seat."""
    hands = {0: {"salt": 3, "barley": 2}, 1: {"salt": 4, "barley": 1}, 2: {"barley": 4}, 3: {"barley": 4}}
    events = inventory(hands)
    assert events[:3] == [
        InventoryCounted(Resource.SALT, (3, 4, 0, 0), 1),
        InventoryMarkerTaken(1, Resource.SALT, 3),
        InventoryCounted(Resource.BARLEY, (2, 1, 4, 4), None),
    ]


@pytest.mark.parametrize(
    ("counts", "winner"),
    [
        ((1, 0, 0, 0), 0),
        ((0, 0, 0, 2), 3),
        ((2, 1, 1, 1), 0),
        ((1, 2, 3, 2), 2),
        ((2, 2, 1, 0), None),
        ((1, 1, 1, 1), None),
        ((0, 0, 0, 0), None),
    ],
    ids=lambda value: f"C-V.inventory {value}" if isinstance(value, tuple) else "",
)
def test_only_a_strict_majority_wins_an_inventory(counts: tuple[int, ...], winner: int | None) -> None:
    events = inventory({seat: {"gold": count} for seat, count in enumerate(counts)})
    assert InventoryCounted(Resource.GOLD, counts, winner) in events
    taken = [event for event in events if isinstance(event, InventoryMarkerTaken)]
    assert taken == ([] if winner is None else [InventoryMarkerTaken(winner, Resource.GOLD, 3)])


def test_one_seat_can_win_all_five_and_keeps_its_goods() -> None:
    """Rules C-V.inventory and C-scoring.economic."""
    hand = dict.fromkeys(Resource, 1)
    _, state = settled(end_of_round(8, {2: hand}))
    assert state.markers == (0, 0, 5, 0)
    assert state.yaks(2) == 5 * MARKER_YAKS
    assert state.hands[2] == (1, 1, 1, 1, 1)


def test_a_round_without_refill_ends_automatically() -> None:
    events, state = reveal(position(cubes=OFFERED, orders=ORDERED, first=3), {})
    assert events[-2:] == [RoundEnded(), RoundStarted(0)]
    assert state.plans == (None,) * 4


@pytest.mark.parametrize("variant", CARAVANS, ids=str)
def test_a_match_has_twelve_rounds_with_each_seat_first_in_turn(variant: Variant) -> None:
    """Rule C-I."""
    events = recorded(variant, "calendar")[0].events
    players = len(variant.line_up)
    firsts = [event.first for event in events if isinstance(event, RoundStarted)]
    assert firsts == [number % players for number in range(12)]
    assert events.count(RoundEnded()) == 12
