"""Choices of a seat in a position, for pages: a list to pick from, or input on the board.

The game's notation is the form for keyboards; only the rules decide whether an action is allowed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, Final, Protocol

from dashboards.boards.plain.build import facts_of, in_words
from himalaya_core.game import Game, log_name

__all__ = [
    "MOST_LISTED",
    "Choice",
    "ListChoices",
    "ListWays",
    "Offer",
    "Way",
    "no_ways",
    "plain_choices",
    "without_name",
]

MOST_LISTED: Final = 400
"""Maximum number of actions in a page's list; further ones are typed."""


class Way(StrEnum):
    """Form of a choice: picked from a list, written as a plan of several steps, or made by laying a block."""

    LIST = "list"
    PLAN = "plan"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Choice:
    """An action of the game, its effect in words, and its targets on the board, by the ids of the scene."""

    action: Any
    text: str
    on: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """The choices of a seat, and their form; plans and moves of blocks are too many to be listed."""

    way: Way
    listed: Sequence[Choice]


class ListChoices(Protocol):
    """A game's own list of choices: `choices(game, state, seat, names)`; all seats have names."""

    def __call__(self, game: Game[Any, Any, Any], state: Any, seat: int, names: Sequence[str], /) -> Offer:
        """Return the choices; `seat` is one of the position's actors."""
        ...


class ListWays(Protocol):
    """A game's ways to complete an incomplete action: `ways(game, state, action, names)`."""

    def __call__(self, game: Game[Any, Any, Any], state: Any, action: Any, names: Sequence[str], /) -> list[Choice]:
        """Return them, each legal, the default one first; empty for a complete action."""
        ...


def no_ways(_game: Game[Any, Any, Any], _state: Any, _action: Any, _names: Sequence[str]) -> list[Choice]:
    """Return no ways: all actions are complete."""
    return []


def plain_choices(game: Game[Any, Any, Any], state: Any, seat: int, _names: Sequence[str]) -> Offer:
    """Return the first of all legal actions, by name; used for games with only rules."""
    actions: Iterable[Any] = game.legal_actions(state, seat)
    return Offer(Way.LIST, [Choice(action, _text(action)) for action in islice(actions, MOST_LISTED)])


def without_name(text: str, name: str) -> str:
    """Return the description of a seat's action without its name: the page shows the seat itself."""
    rest = text.removeprefix(name).removeprefix("'s").strip()
    return rest[:1].upper() + rest[1:]


def _text(action: Any) -> str:
    return ", ".join([in_words(log_name(type(action))), *facts_of(action)])
