"""What a position promises a seat: how far its climber is and may go, where its Sherpas stand, what the Yeti may do."""

from functools import lru_cache

from himalaya_core.summit.board import Board
from himalaya_core.summit.flow import bad_weather_is_in
from himalaya_core.summit.pieces import FACES, values_of
from himalaya_core.summit.state import State

__all__ = ["cards_to_come", "danger", "next_site", "supplies"]


def next_site(state: State, seat: int) -> int:
    """Return the highest field that the climber may reach next with some die; where it stands if there is none."""
    climber, row = state.climbers[seat], state.sherpas[seat]
    if climber + FACES >= state.board.summit:
        return state.board.summit
    for field in range(climber + FACES, climber, -1):
        if row.count(field) > 1 and field != state.yeti and field not in state.climbers:
            return field
    return climber


def danger(state: State, seat: int) -> float:
    """Return how many fields the seat's Sherpas can expect to lose to the next Yeti card."""
    cards = cards_to_come(state)
    exposed = _exposed(state.board, state.yeti, cards)
    climber, below = state.climbers[seat], state.board.camp_below
    lost = [exposed.count(field) * (field - below[field]) for field in state.sherpas[seat] if field != climber]
    return sum(lost) / len(cards) if cards else 0.0


def cards_to_come(state: State) -> tuple[int, ...]:
    """Return the cards of which one comes next; all of them when the deck is about to be shuffled again."""
    return state.deck or (() if bad_weather_is_in(state) else tuple(sorted(state.board.yeti_cards)))


@lru_cache(maxsize=4096)
def _exposed(board: Board, yeti: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return where each card sends the Yeti."""
    return tuple([min(max(yeti + card, 0), board.summit - 1) for card in cards])


def supplies(state: State, seat: int) -> int:
    """Return how far the cards in hand lead, each by its higher value."""
    return sum([max(values_of(card)) for card in state.hands[seat]])
