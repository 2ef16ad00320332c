"""Figures of a position for players: the climber's next site, the danger to its Sherpas, and the value of its cards."""

from functools import lru_cache

from himalaya_core.summit.board import Board
from himalaya_core.summit.flow import bad_weather_is_in
from himalaya_core.summit.pieces import FACES, values_of
from himalaya_core.summit.state import State

__all__ = ["cards_to_come", "danger", "next_site", "supplies"]


def next_site(state: State, seat: int) -> int:
    """Return the highest field that the climber may reach next with a die; its own field if there is none."""
    climber, row = state.climbers[seat], state.sherpas[seat]
    if climber + FACES >= state.board.summit:
        return state.board.summit
    for field in range(climber + FACES, climber, -1):
        if row.count(field) > 1 and field != state.yeti and field not in state.climbers:
            return field
    return climber


def danger(state: State, seat: int) -> float:
    """Return the expected number of fields the seat's Sherpas lose to the next Yeti card."""
    cards = cards_to_come(state)
    exposed = _exposed(state.board, state.yeti, cards)
    climber, below = state.climbers[seat], state.board.camp_below
    lost = [exposed.count(field) * (field - below[field]) for field in state.sherpas[seat] if field != climber]
    return sum(lost) / len(cards) if cards else 0.0


def cards_to_come(state: State) -> tuple[int, ...]:
    """Return the cards that may come next; all of them if the deck is about to be reshuffled."""
    return state.deck or (() if bad_weather_is_in(state) else tuple(sorted(state.board.yeti_cards)))


@lru_cache(maxsize=4096)
def _exposed(board: Board, yeti: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the Yeti's field after each card."""
    return tuple([min(max(yeti + card, 0), board.summit - 1) for card in cards])


def supplies(state: State, seat: int) -> int:
    """Return the sum of the higher values of the cards in hand."""
    return sum([max(values_of(card)) for card in state.hands[seat]])
