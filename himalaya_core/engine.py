"""The decision cycle: decide, apply, and advance until an actor must choose."""

from collections.abc import Iterable
from functools import reduce
from typing import Final, TypeVar

from himalaya_core.game import Game

__all__ = ["EndlessAdvance", "fold", "settle", "step"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")

MOST_AUTOMATIC: Final = 10_000
"""Limit on automatic events in a row, above that of any game: otherwise a fault in its rules would loop for ever."""


class EndlessAdvance(RuntimeError):
    """A game whose `advance` never returns `None`: a fault in its rules."""


def fold(game: Game[S, A, E], state: S, events: Iterable[E]) -> S:
    """Return the state after applying events, in order."""
    return reduce(game.apply, events, state)


def settle(game: Game[S, A, E], state: S) -> list[tuple[E, S]]:
    """Return the automatic events from here, each with the state after it."""
    return _settled(game, state, [])


def _settled(game: Game[S, A, E], state: S, transitions: list[tuple[E, S]]) -> list[tuple[E, S]]:
    """Add the automatic events that follow."""
    advance, apply = game.advance, game.apply
    for _ in range(MOST_AUTOMATIC):
        event = advance(state)
        if event is None:
            return transitions
        state = apply(state, event)
        transitions.append((event, state))
    raise EndlessAdvance(
        f"{game.name}: {type(transitions[-1][0]).__name__} is event {MOST_AUTOMATIC} in a row by itself"
    )


def step(game: Game[S, A, E], state: S, action: A) -> list[tuple[E, S]]:
    """Return all events of one ply, the chosen and then the automatic ones, each with the state after it.

    Raises `IllegalAction` and changes nothing if the action may not be done.
    """
    transitions: list[tuple[E, S]] = []
    for event in game.decide(state, action):
        state = game.apply(state, event)
        transitions.append((event, state))
    return _settled(game, state, transitions)
