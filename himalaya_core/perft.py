"""Counting paths: how many sequences of choices lead on from a position, the classic check of a move generator.

A ply is one decision of a seat. Chance is not enumerated: when it must roll, it rolls once, by the given seed, and
that roll is no ply. If several seats choose in secret at the same time they do so in turn, the first of
`actors` first, so a round of plans is as many plies as there are seats.
"""

from collections.abc import Sequence
from typing import TypeVar

from himalaya_core.engine import step
from himalaya_core.game import CHANCE, DiceSource, Game

__all__ = ["divide", "perft"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")


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
