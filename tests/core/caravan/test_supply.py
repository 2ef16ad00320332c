"""Pieces on the board by number of players, and village cards instead of the die (C-setup)."""

from collections.abc import Mapping
from typing import Any

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import RollOrder, RollResources
from himalaya_core.caravan.events import RefillRolled
from himalaya_core.caravan.pieces import STUPAS_PER_SEAT, Refill, Resource
from himalaya_core.game import CHANCE
from himalaya_core.match import Match
from himalaya_core.seed import Seed
from tests.conformance.playing import AnyMatch, Variant, recorded
from tests.core.caravan.positions import do, position, refusal

ALL_CARDS = frozenset(range(1, 21))
# columns: players, villages with resources, cubes in each, villages with an order
TABLE = {3: (5, 5, 5), 4: (5, 5, 5), 5: (6, 4, 6), 6: (6, 5, 6)}


def set_up(players: int, **options: Any) -> AnyMatch:
    match: AnyMatch = Match(CARAVAN, shipped_board("caravan"), {"players": players, **options})
    while match.actors == (CHANCE,):
        match.play(match.sample_chance(Seed("supply")))
    return match


@pytest.mark.parametrize(("players", "expected"), TABLE.items(), ids=[f"{players} players" for players in TABLE])
def test_the_setup_depends_on_the_number_of_players(players: int, expected: tuple[int, int, int]) -> None:
    """Rule C-setup.supply."""
    rolls = [event for event in set_up(players).events if isinstance(event, RefillRolled)]
    cubes = [sum(event.drawn.values()) for event in rolls if event.drawn]
    orders = [event for event in rolls if event.kind is Refill.ORDER]
    assert (len(cubes), max(cubes), len(orders)) == expected
    assert min(cubes) == max(cubes)


@pytest.mark.parametrize(("players", "expected"), TABLE.items(), ids=[f"{players} players" for players in TABLE])
def test_a_refill_depends_on_the_number_of_players(players: int, expected: tuple[int, int, int]) -> None:
    """Rules C-setup.supply and C-IV.refill: the same numbers of villages and cubes as at set-up."""
    villages, cubes, orders = expected
    offered = {village: {"salt": 1} for village in range(1, villages)}
    state = position(players, cubes=offered, orders={20: "o1"}, step=7)
    for count in {3, 4, 5, 6} - {cubes}:
        assert refusal(state, RollResources(9, {Resource.TEA: count})) == (
            f"expected {cubes} cubes that are in the bag, found {count} tea"
        )
    _, state = do(state, RollResources(9, {Resource.TEA: cubes}))
    assert sum(map(any, state.goods)) == villages
    for number in range(2, orders + 1):
        assert CARAVAN.actors(state) == (CHANCE,)
        _, state = do(state, RollOrder(10, f"o{number}"))
    assert sum(order is not None for order in state.orders) == orders
    assert state.round == 2


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_seat_has_a_tribe_and_its_pieces(players: int) -> None:
    """Rule C-setup.supply."""
    state = set_up(players).state
    assert len(CARAVAN.seat_labels[:players]) == players
    assert state.stupas_left == (STUPAS_PER_SEAT,) * players
    assert CARAVAN.seat_labels[4:] == ("Gurung", "Magar")


def rolled(match: AnyMatch) -> list[int]:
    return [event.die for event in match.events if isinstance(event, RefillRolled)]


CARDS = Variant("caravan", ("trader", "greedy", "envoy", "pilgrim", "trader", "greedy"), ("village_cards",))
DIE = Variant("caravan", CARDS.line_up)


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_each_card_is_drawn_once_until_the_deck_is_empty(seed: str) -> None:
    """Rule C-setup.cards."""
    drawn = rolled(recorded(CARDS, seed)[0])
    assert len(drawn) > 20
    passes = [drawn[start : start + 20] for start in range(0, len(drawn), 20)]
    assert all(len(set(each)) == len(each) for each in passes)
    assert set(passes[0]) == ALL_CARDS
    assert len({tuple(each) for each in passes}) == len(passes)


def test_die_rolls_can_repeat() -> None:
    """Rule C-setup.cards: without the option."""
    assert len(set(rolled(recorded(DIE, "one")[0])[:20])) < 20


@pytest.mark.parametrize(
    ("cards", "die", "after"),
    [({3, 7}, 3, {7}), ({7}, 7, ALL_CARDS), (ALL_CARDS, 20, ALL_CARDS - {20})],
    ids=["one left", "the last: reshuffled", "the first"],
)
def test_a_card_leaves_the_deck(cards: frozenset[int], die: int, after: frozenset[int]) -> None:
    """Rule C-setup.cards, for orders as for resources."""
    state = position(step=7, on=("village_cards",), cards=frozenset(cards))
    _, state = do(state, RollResources(die, {Resource.TEA: 5}))
    assert state.cards == after


def test_a_card_missing_from_the_deck_is_not_drawn() -> None:
    """Rule C-setup.cards."""
    state = position(step=7, on=("village_cards",), cards=frozenset({3, 7}))
    assert refusal(state, RollResources(4, {Resource.TEA: 5})) == "the card of village 4 is not in the deck"
    drawn = {CARAVAN.sample_chance(state, Seed(str(n))).die for n in range(40)}  # type: ignore[union-attr]
    assert drawn == {3, 7}
    last = position(step=7, on=("village_cards",), cards=frozenset({7}))
    assert CARAVAN.sample_chance(last, Seed("last")).die == 7  # type: ignore[union-attr]


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 7}, {"players": 6, "village_cards": "20"}])
def test_other_numbers_of_players_are_refused(options: Mapping[str, Any]) -> None:
    """Rule C-setup.supply."""
    words = r"^(caravan needs 3 to 6 players; you named \d|option village_cards: expected)"
    with pytest.raises(ValueError, match=words):
        CARAVAN.parse_options(options)
