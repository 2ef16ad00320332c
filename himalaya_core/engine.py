"""The decision cycle: decide, apply, then advance until an actor must choose. Also `perft`, which counts sequences."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final, TypeVar

from himalaya_core.game import CHANCE, DiceSource, Game

__all__ = ["EndlessAdvance", "divide", "fold", "perft", "settle", "step"]


S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")

MOST_AUTOMATIC: Final = 10_000
"""Maximum number of automatic events in a row. It stops a faulty game from looping forever; no game comes near it."""


class EndlessAdvance(RuntimeError):
    """Raised when a game's `advance` never returns `None`, which is a fault in that game."""


def fold(game: Game[S, A, E], state: S, events: Iterable[E]) -> S:
    """Return the state after applying the events in order."""
    return reduce(game.apply, events, state)


def settle(game: Game[S, A, E], state: S) -> list[tuple[E, S]]:
    """Return the automatic events that follow a state, each with the state after it."""
    return _settled(game, state, [])


def _settled(game: Game[S, A, E], state: S, transitions: list[tuple[E, S]]) -> list[tuple[E, S]]:
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
    """Return all events of one ply, each with the state after it: first the chosen action's, then the automatic ones.

    Raises `IllegalAction` if the rules forbid the action; the state is then unchanged.

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
    """Return the number of sequences of `depth` plies; a sequence that ends the match earlier counts as one."""
    state, actions = _choices(game, state, seed)
    if depth == 0 or not actions:
        return 1
    if depth == 1:
        return len(actions)
    return sum(perft(game, _after(game, state, action), depth - 1, seed) for action in actions)


def divide(game: Game[S, A, E], state: S, depth: int, seed: DiceSource) -> dict[str, int]:
    """Return the `perft` count below each first action, which shows where two implementations differ."""
    state, actions = _choices(game, state, seed)
    return {str(action): perft(game, _after(game, state, action), depth - 1, seed) for action in actions}


def _choices(game: Game[S, A, E], state: S, seed: DiceSource) -> tuple[S, Sequence[A]]:
    """Let chance act until a seat must choose. Return the resulting state and that seat's legal actions."""
    while (actors := game.actors(state)) and actors[0] == CHANCE:
        state = _after(game, state, game.sample_chance(state, seed))
    return state, game.legal_actions(state, actors[0]) if actors else ()


def _after(game: Game[S, A, E], state: S, action: A) -> S:
    return step(game, state, action)[-1][1]
