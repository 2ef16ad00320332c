"""What a seat may choose in a position, as a page offers it: a list to pick from, or what the board asks for by itself.

How it is written for keyboards is the game's notation; whether it may be done is for the rules alone to say.
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
"""Actions that a page lists; of more the first, and others are written."""


class Way(StrEnum):
    """How a choice is made: picked from a list, written as a plan of several steps, or by laying a block."""

    LIST = "list"
    PLAN = "plan"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Choice:
    """An action of the game, what it does in words, and what on the board it is about, by the ids of the scene."""

    action: Any
    text: str
    on: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """What a seat may choose, and in which way; plans and moves of blocks are too many to be listed."""

    way: Way
    listed: Sequence[Choice]


class ListChoices(Protocol):
    """A game's own list of what a seat may choose: `choices(game, state, seat, names)`, where all seats have names."""

    def __call__(self, game: Game[Any, Any, Any], state: Any, seat: int, names: Sequence[str], /) -> Offer:
        """Return it; `seat` is one of the position's actors."""
        ...


class ListWays(Protocol):
    """A game's ways to complete an action that says too little: `ways(game, state, action, names)`."""

    def __call__(self, game: Game[Any, Any, Any], state: Any, action: Any, names: Sequence[str], /) -> list[Choice]:
        """Return them, each legal, the usual one first; none where there is nothing to complete."""
        ...


def no_ways(_game: Game[Any, Any, Any], _state: Any, _action: Any, _names: Sequence[str]) -> list[Choice]:
    """Return none: an action says all there is to say."""
    return []


def plain_choices(game: Game[Any, Any, Any], state: Any, seat: int, _names: Sequence[str]) -> Offer:
    """Return the first of all legal actions, by name: all that is known of a game with rules alone."""
    actions: Iterable[Any] = game.legal_actions(state, seat)
    return Offer(Way.LIST, [Choice(action, _text(action)) for action in islice(actions, MOST_LISTED)])


def without_name(text: str, name: str) -> str:
    """Return what a seat would do, told without its name: the page says whose choice it is."""
    rest = text.removeprefix(name).removeprefix("'s").strip()
    return rest[:1].upper() + rest[1:]


def _text(action: Any) -> str:
    return ", ".join([in_words(log_name(type(action))), *facts_of(action)])
