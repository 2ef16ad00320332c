"""Listing the legal actions of a seat, each once."""

from collections.abc import Iterator, Sequence
from functools import partial

from himalaya_core.game import CHANCE
from himalaya_core.summit.actions import Decline, Forfeit, Move, MoveByCard, MoveByDie, Reroll, SeatAction, TakeBack
from himalaya_core.summit.flow import actors, resupply_camp
from himalaya_core.summit.pieces import Direction, Piece, values_of
from himalaya_core.summit.rules import first_alike, landing, may_reroll, onward
from himalaya_core.summit.state import State

__all__ = ["legal_actions"]


def legal_actions(state: State, seat: int) -> Sequence[SeatAction]:
    """Return all legal actions of a seat; chance has no list."""
    if seat == CHANCE or seat not in actors(state):
        return ()
    if resupply_camp(state) is not None:
        return [*(TakeBack(seat, card) for card in dict.fromkeys(state.used[seat])), Decline(seat)]
    actions: list[SeatAction] = []
    for face in dict.fromkeys(state.pool):
        actions += _moves(state, seat, face, None)
    if not actions:
        actions += [Forfeit(seat, face) for face in dict.fromkeys(state.pool)]
    for card in dict.fromkeys(state.hands[seat]):
        for value in dict.fromkeys(values_of(card)):
            actions += _moves(state, seat, value, card)
    return [*actions, Reroll(seat)] if may_reroll(state) else actions


def _moves(state: State, seat: int, value: int, card: str | None) -> Iterator[Move]:
    """Yield every move by a value: each pawn and direction, stopping or taking none, one or more along (S-6)."""
    by_card = card is not None
    move = partial(MoveByDie, seat, value) if card is None else partial(MoveByCard, seat, card, value)
    pieces = dict.fromkeys([first_alike(state, seat, piece) for piece in Piece])
    for piece in pieces:
        for direction in Direction:
            found = landing(state, seat, piece, value, direction, by_card=by_card)
            if isinstance(found, str):
                continue
            yield move(piece, direction)
            if not isinstance(onward(state, found, by_card=by_card), str):
                for count in range(len(found.own) + 1):
                    yield move(piece, direction, found.own[:count])
