"""The decision cycle: decide, apply, and advance until an actor must choose; and perft, which counts its paths."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final, TypeVar

from himalaya_core.game import CHANCE, DiceSource, Game

__all__ = ["EndlessAdvance", "divide", "fold", "perft", "settle", "step"]


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

    >>> import himalaya_core as hm
    >>> summit = hm.GAMES["summit"]
    >>> start = summit.initial(summit.parse_options({"players": 2}), hm.shipped_board("summit"))
    >>> event, position = hm.settle(summit, start)[-1]
    >>> after = hm.step(summit, position, summit.sample_chance(position, hm.Seed("monday")))
    >>> hm.fold(summit, position, [event for event, state in after]) == after[-1][1]
    True
    """
    transitions: list[tuple[E, S]] = []
    for event in game.decide(state, action):
        state = game.apply(state, event)
        transitions.append((event, state))
    return _settled(game, state, transitions)


def perft(game: Game[S, A, E], state: S, depth: int, seed: DiceSource) -> int:
    """Return the number of sequences of that many plies; one that ends the match sooner counts once."""
    state, actions = _choices(game, state, seed)
    if depth == 0 or not actions:
        return 1
    if depth == 1:
        return len(actions)
    return sum(perft(game, _after(game, state, action), depth - 1, seed) for action in actions)


def divide(game: Game[S, A, E], state: S, depth: int, seed: DiceSource) -> dict[str, int]:
    """Return the count below each first action, which shows where two programs differ."""
    state, actions = _choices(game, state, seed)
    return {str(action): perft(game, _after(game, state, action), depth - 1, seed) for action in actions}


def _choices(game: Game[S, A, E], state: S, seed: DiceSource) -> tuple[S, Sequence[A]]:
    """Let chance roll until a seat must choose; return that position and what the seat may do."""
    while (actors := game.actors(state)) and actors[0] == CHANCE:
        state = _after(game, state, game.sample_chance(state, seed))
    return state, game.legal_actions(state, actors[0]) if actors else ()


def _after(game: Game[S, A, E], state: S, action: A) -> S:
    return step(game, state, action)[-1][1]
