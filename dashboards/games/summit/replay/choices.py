"""Choices of a seat in summit: a pawn and a number, with the automatic consequences."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from dashboards.games.choices import MOST_LISTED, Choice, Offer, Way, without_name
from dashboards.games.summit.replay.targets import touched
from dashboards.games.summit.replay.text import OPENING, event_in_words
from himalaya_core.engine import step
from himalaya_core.game import Game
from himalaya_core.summit.actions import Decline, SeatAction, TakeBack
from himalaya_core.summit.state import State

__all__ = ["summit_choices"]


def summit_choices(game: Game[Any, Any, Any], state: State, seat: int, names: Sequence[str]) -> Offer:
    """Return the choices of a seat."""
    listed = islice(game.legal_actions(state, seat), MOST_LISTED)
    return Offer(Way.LIST, [_choice(game, state, action, names) for action in listed])


def _choice(game: Game[Any, Any, Any], state: State, action: SeatAction, names: Sequence[str]) -> Choice:
    if isinstance(action, TakeBack | Decline):
        what = f"supply card {action.card}" if isinstance(action, TakeBack) else "no supply card"
        return Choice(action, f"Takes {what} back", touched(game.decide(state, action), state.board))
    events = _with_what_follows([event for event, _ in step(game, state, action)])
    return Choice(
        action,
        without_name(event_in_words(events, names, state.board)[0], names[action.seat]),
        touched(events, state.board),
    )


def _with_what_follows(events: Sequence[Any]) -> list[Any]:
    """Return the first event and its consequences, up to the next beginning."""
    after = next((at for at, event in enumerate(events) if at and isinstance(event, OPENING)), len(events))
    return list(events[:after])
