"""Choices of a seat in caravan: six actions of a plan, or one from a list that describes its effects."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from dashboards.games.caravan.replay.targets import touched
from dashboards.games.caravan.replay.text import decision_in_words
from dashboards.games.choices import MOST_LISTED, Choice, Offer, Way, without_name
from himalaya_core.caravan.actions import SeatAction
from himalaya_core.caravan.flow import is_planning
from himalaya_core.caravan.state import State
from himalaya_core.game import Game

__all__ = ["caravan_choices"]


def caravan_choices(game: Game[Any, Any, Any], state: State, seat: int, names: Sequence[str]) -> Offer:
    """Return the choices of a seat; the 15,625 plans are not listed."""
    if is_planning(state):
        return Offer(Way.PLAN, [])
    listed = islice(game.legal_actions(state, seat), MOST_LISTED)
    return Offer(Way.LIST, [_choice(game, state, action, names) for action in listed])


def _choice(game: Game[Any, Any, Any], state: State, action: SeatAction, names: Sequence[str]) -> Choice:
    events = game.decide(state, action)
    return Choice(action, without_name(decision_in_words(events, names), names[action.seat]), touched(events, state))
