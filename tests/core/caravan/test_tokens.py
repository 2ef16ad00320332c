"""Event tokens: which token a seat may place where, and its effect on the six actions (C-Ib)."""

from collections.abc import Sequence
from typing import Any

import pytest

from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import Collect, CommitPlan, DeclineTrade, PassToken, PlaceToken
from himalaya_core.caravan.events import (
    ActionVoided,
    Collected,
    Event,
    Moved,
    Rested,
    StormEntered,
    TokenPassed,
    TokenPlaced,
    TokensRemoved,
)
from himalaya_core.caravan.pieces import TOKENS, Act, Resource, RoadType, Token, VoidReason
from himalaya_core.caravan.state import PlacedToken, State
from himalaya_core.game import CHANCE
from tests.core.caravan.positions import BOARD, do, plan, position, refusal, reveal

ROAD = (3, 4)
"""A road of soil from village 3 to 4; stone leads from 3 to 1, ice from 3 to 6 and from 4 to 7."""
YETI, STORM, MARKET = Token.YETI, Token.SNOWSTORM, Token.MARKET
OFFERED = {3: {"salt": 2, "tea": 1, "gold": 1}, 8: {"jade": 2}}
MOVER = 1


def phase(players: int = 4, **changes: Any) -> State:
    """Return the start of the token phase: no seat has placed a token or passed."""
    return position(players, cubes=OFFERED, orders={9: "o1"}, on=("tokens",), **changes)


def planning(*placed: tuple[Token, tuple[int, int] | int], caravan: int = 3, **changes: Any) -> State:
    """Return the planning phase with tokens on a road or in a village, and the moving seat's caravan."""
    tokens = [
        PlacedToken(token, 0, at, None) if isinstance(at, tuple) else PlacedToken(token, 0, None, at)
        for token, at in placed
    ]
    caravans = (20, caravan, 18, 17)
    return phase(caravans=caravans, token_turn=4, tokens=tuple(tokens), **changes)


def journey(state: State, words: str) -> tuple[list[Event], int]:
    """Return the events of the moving seat's six actions, and the caravan's final place."""
    events, state = reveal(state, {MOVER: words})
    own = [event for event in events if isinstance(event, ActionVoided | Moved | Rested | StormEntered)]
    return [event for event in own if event.seat == MOVER], state.caravans[MOVER]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("first", [0, 2])
def test_each_seat_places_or_passes_once_clockwise_from_the_first(players: int, first: int) -> None:
    """Rule C-Ib."""
    state = phase(players, first=first)
    for turn in range(players):
        seat = (first + turn) % players
        assert CARAVAN.actors(state) == (seat,)
        others = [other for other in range(players) if other != seat]
        assert all(refusal(state, PassToken(other)) for other in others)
        assert refusal(state, CommitPlan(seat, plan()))
        (passed,), state = do(state, PassToken(seat))
        assert passed == TokenPassed(seat)
    assert set(CARAVAN.actors(state)) == set(range(players))
    assert refusal(state, PassToken(first)) == f"seat {first + 1} may not place a token now"


def test_tokens_are_not_placed_without_the_option() -> None:
    """Rule C-Ib."""
    state = position(cubes=OFFERED)
    assert set(CARAVAN.actors(state)) == {0, 1, 2, 3}
    assert refusal(state, PassToken(0))
    assert refusal(state, PlaceToken(0, YETI, road=ROAD))


def test_each_kind_is_placed_once_in_a_round() -> None:
    """Rule C-Ib.once."""
    _, state = do(phase(), PlaceToken(0, YETI, road=ROAD))
    assert refusal(state, PlaceToken(1, YETI, road=(1, 2))) == "seat 2 has no yeti that may be placed this round"
    kinds = {action.token for action in CARAVAN.legal_actions(state, 1) if isinstance(action, PlaceToken)}
    assert kinds == {STORM, MARKET}
    _, state = do(state, PlaceToken(1, STORM, road=(1, 2)), PlaceToken(2, MARKET, village=3))
    assert (CARAVAN.actors(state), state.token_turn) == ((0, 1, 2, 3), 4)
    assert [placed.token for placed in state.tokens] == [YETI, STORM, MARKET]


def test_a_seat_without_a_placeable_token_passes_automatically() -> None:
    """Rule C-Ib: the second seat has no tokens left, the third only a kind that is already placed."""
    state = phase(tokens_left=(TOKENS, frozenset(), frozenset({YETI}), TOKENS))
    events, state = do(state, PlaceToken(0, YETI, road=ROAD))
    assert events == [TokenPlaced(0, YETI, ROAD, None), TokenPassed(1), TokenPassed(2)]
    assert CARAVAN.actors(state) == (3,)


def test_a_token_leaves_the_game_at_the_end_of_phase_iii() -> None:
    """Rule C-Ib."""
    _, state = do(phase(), PlaceToken(0, STORM, road=ROAD), *(PassToken(seat) for seat in (1, 2, 3)))
    assert [len(left) for left in state.tokens_left] == [2, 3, 3, 3]
    events, state = reveal(state, {})
    assert events[-1] == TokensRemoved((STORM,))
    assert (state.tokens, state.tokens_left[0]) == ((), {YETI, MARKET})
    assert isinstance(events[-2], Rested)
    again = phase(tokens_left=state.tokens_left)
    assert refusal(again, PlaceToken(0, STORM, road=ROAD)) == "seat 1 has no snowstorm that may be placed this round"


def test_a_round_without_tokens_removes_none() -> None:
    """Rule C-Ib."""
    events, _ = reveal(planning(), {})
    assert not any(isinstance(event, TokensRemoved) for event in events)


REFUSED_SITES = {
    "a yeti in a village": PlaceToken(1, YETI, village=3),
    "a yeti nowhere": PlaceToken(1, YETI),
    "a storm on a road and in a village": PlaceToken(1, STORM, road=(1, 2), village=3),
    "a storm on a road with a token": PlaceToken(1, STORM, road=ROAD),
    "a storm where no road is": PlaceToken(1, STORM, road=(1, 20)),
    "a storm on a road named backwards": PlaceToken(1, STORM, road=(2, 1)),
    "a market on a road": PlaceToken(1, MARKET, road=(1, 2)),
    "a market nowhere": PlaceToken(1, MARKET),
    "a market in an empty village": PlaceToken(1, MARKET, village=4),
    "a market in a village with an order": PlaceToken(1, MARKET, village=9),
    "a market in no village": PlaceToken(1, MARKET, village=21),
    "a market in village 0": PlaceToken(1, MARKET, village=0),
    "a market in a village and on a road": PlaceToken(1, MARKET, road=(1, 2), village=3),
}


@pytest.mark.parametrize("action", REFUSED_SITES.values(), ids=REFUSED_SITES)
def test_tokens_are_refused_on_forbidden_sites(action: PlaceToken) -> None:
    """Rule C-Ib.site."""
    _, state = do(phase(), PlaceToken(0, YETI, road=ROAD))
    assert refusal(state, action)
    assert action not in CARAVAN.legal_actions(state, 1)


def test_the_sites_are_every_road_without_a_token_and_every_village_with_resources() -> None:
    """Rule C-Ib.site."""
    _, state = do(phase(), PlaceToken(0, YETI, road=ROAD))
    roads = [PlaceToken(1, STORM, road=road.between) for road in BOARD.roads if road.between != ROAD]
    markets = [PlaceToken(1, MARKET, village=village) for village in (3, 8)]
    assert len(roads) == 26
    assert list(CARAVAN.legal_actions(state, 1)) == [PassToken(1), *roads, *markets]


@pytest.mark.parametrize(("start", "words"), [(3, "soil"), (4, "soil"), (3, "soil soil soil soil soil soil")])
def test_the_road_with_the_yeti_is_blocked(start: int, words: str) -> None:
    """Rule C-Ib.yeti: from both ends; later actions of the plan are still carried out."""
    events, end = journey(planning((YETI, ROAD), caravan=start), words)
    assert end == start
    voids = [ActionVoided(MOVER, step, Act.SOIL, VoidReason.YETI) for step in range(1, len(words.split()) + 1)]
    assert events[: len(voids)] == voids


def test_the_yeti_blocks_no_other_road() -> None:
    """Rule C-Ib.yeti."""
    events, end = journey(planning((YETI, ROAD)), "soil stone")
    assert events[1] == Moved(MOVER, 2, RoadType.STONE, 3, 1)
    assert end == 1


def enters(step: int, start: int = 3, toward: int = 4) -> Event:
    return StormEntered(MOVER, step, RoadType.SOIL, start, toward)


def leaves(step: int, start: int = 3, to: int = 4) -> Event:
    return Moved(MOVER, step, RoadType.SOIL, start, to, storm=True)


def void(step: int, act: str, reason: VoidReason) -> Event:
    return ActionVoided(MOVER, step, Act(act), reason)


ON_STORM, UNFINISHED = VoidReason.ON_STORM, VoidReason.STORM_UNFINISHED
# columns: the plan, its outcome (without final rests), the caravan's final place
THROUGH_THE_STORM = {
    "two actions": ("soil soil", [enters(1), leaves(2)], 4),
    "late": ("rest rest rest rest soil soil", [*(Rested(MOVER, n) for n in range(1, 5)), enters(5), leaves(6)], 4),
    "resting on it": ("soil rest soil", [enters(1), Rested(MOVER, 2), leaves(3)], 4),
    "trading on it": ("soil trade soil", [enters(1), void(2, "trade", ON_STORM), leaves(3)], 4),
    "another road on it": (
        "soil stone ice soil",
        [enters(1), void(2, "stone", ON_STORM), void(3, "ice", ON_STORM), leaves(4)],
        4,
    ),
    "no second action": ("soil", [void(1, "soil", UNFINISHED)], 3),
    "only an earlier one": (
        "stone stone soil",
        [Moved(MOVER, 1, RoadType.STONE, 3, 1), Moved(MOVER, 2, RoadType.STONE, 1, 3), void(3, "soil", UNFINISHED)],
        3,
    ),
    "not back half way": ("soil soil soil", [enters(1), leaves(2), void(3, "soil", UNFINISHED)], 4),
    "and back": ("soil soil soil soil", [enters(1), leaves(2), enters(3, 4, 3), leaves(4, 4, 3)], 3),
    "the last action": ("soil rest rest rest rest soil",
                        [enters(1), *(Rested(MOVER, n) for n in range(2, 6)), leaves(6)], 4),
    "the second action pays, though it was meant for elsewhere": (
        "soil ice soil",
        [enters(1), void(2, "ice", ON_STORM), leaves(3)],
        4,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("words", "expected", "end"), THROUGH_THE_STORM.values(), ids=THROUGH_THE_STORM)
def test_crossing_a_snowstorm_takes_two_actions(words: str, expected: Sequence[Event], end: int) -> None:
    """Rule C-Ib.snowstorm."""
    events, village = journey(planning((STORM, ROAD)), words)
    assert (events[: len(expected)], village) == (list(expected), end)
    assert all(isinstance(event, Rested) for event in events[len(expected) :])


@pytest.mark.parametrize("words", ["soil soil", "soil", "soil rest soil", "rest soil soil soil"])
def test_no_caravan_ends_a_round_on_a_storm(words: str) -> None:
    """Rule C-Ib.snowstorm."""
    _, state = reveal(planning((STORM, ROAD)), dict.fromkeys(range(4), words))
    assert state.storms == (0, 0, 0, 0)


def test_two_caravans_can_meet_on_a_storm() -> None:
    """Rule C-Ib.snowstorm."""
    storm = PlacedToken(STORM, 3, ROAD, None)
    state = phase(caravans=(3, 4, 18, 17), token_turn=4, tokens=(storm,))
    _, state = reveal(state, {0: "soil rest soil", 1: "rest soil soil"})
    assert state.caravans[:2] == (4, 3)


def test_a_caravan_on_a_storm_cannot_reach_goods_of_the_village_it_left() -> None:
    """Rule C-Ib.snowstorm: village 3 has goods, but the caravan is on the road."""
    _, state = reveal(planning((STORM, ROAD)), {MOVER: "soil trade soil trade"})
    assert MOVER not in CARAVAN.actors(state)


@pytest.mark.parametrize("resource", [Resource.SALT, Resource.TEA, Resource.GOLD])
def test_any_resource_can_be_taken_at_the_market(resource: Resource) -> None:
    """Rule C-Ib.market."""
    _, state = reveal(planning((MARKET, 3)), {MOVER: "trade"})
    free = [Collect(MOVER, resource) for resource in (Resource.SALT, Resource.TEA, Resource.GOLD)]
    assert list(CARAVAN.legal_actions(state, MOVER)) == [*free, DeclineTrade(MOVER)]
    assert "salt or tea or gold" in refusal(state, Collect(MOVER, Resource.JADE))
    events, _ = do(state, Collect(MOVER, resource))
    assert events[0] == Collected(MOVER, 1, 3, resource, market=True)


def test_the_cheapest_resource_is_taken_away_from_the_market() -> None:
    """Rules C-Ib.market and C-III.collect."""
    _, state = reveal(planning((MARKET, 8)), {MOVER: "trade trade"})
    assert list(CARAVAN.legal_actions(state, MOVER)) == [Collect(MOVER, Resource.SALT), DeclineTrade(MOVER)]
    events, _ = do(state, Collect(MOVER, Resource.SALT))
    assert events[0] == Collected(MOVER, 1, 3, Resource.SALT, market=False)
    assert void(2, "trade", VoidReason.ALREADY_COLLECTED) in events


def test_only_one_cube_a_round_is_taken_at_the_market() -> None:
    """Rules C-Ib.market and C-III.collect."""
    _, state = reveal(planning((MARKET, 3)), {MOVER: "trade trade"})
    events, _ = do(state, Collect(MOVER, Resource.GOLD))
    assert void(2, "trade", VoidReason.ALREADY_COLLECTED) in events


def test_the_market_ends_before_the_refill() -> None:
    """Rules C-Ib and C-IV.refill: tokens are removed at the end of phase III, before chance rolls for the refill."""
    events, state = reveal(planning((MARKET, 3)), {})
    assert events[-1] == TokensRemoved((MARKET,))
    assert CARAVAN.actors(state) == (CHANCE,)
