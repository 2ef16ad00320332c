"""How a match turned, by its chances: when it was decided, its winner's lowest chance, a losing seat's highest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from himalaya_core.review.course import Valued

__all__ = ["Turning", "turning"]

FAVOURITE: Final = 0.5
"""From this chance on a seat is more likely to win than all others together."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """The chance of a seat that was the lowest or highest, after the decision of a ply in a round."""

    chance: float
    seat: int
    round: int
    ply: int


@dataclass(frozen=True, slots=True)
class Turning:
    """How a match turned that one seat won.

    From the end of a decision in `decided_round` on, the winner's chance was never again below one half. `lowest` is
    its lowest chance in the second half of the decisions, `rival` the highest one of another seat there; among equals
    the last.
    """

    decided_round: int
    lowest: Extreme
    rival: Extreme


def turning(course: Sequence[Valued]) -> Turning | None:
    """Return how a finished match turned, from its chances in order, the last of them its outcome.

    `None` for a match that several seats won together.
    """
    winner = next((seat for seat, share in enumerate(course[-1].chances) if share == 1), None)
    if winner is None:
        return None
    late, rivals = course[len(course) // 2 :], [seat for seat in range(len(course[-1].chances)) if seat != winner]
    return Turning(
        _decided(course, winner),
        min((_at(each, winner) for each in reversed(late)), key=lambda at: at.chance),
        max((_at(each, seat) for each in reversed(late) for seat in rivals), key=lambda at: at.chance),
    )


def _decided(course: Sequence[Valued], winner: int) -> int:
    """Return the round of the decision from which on the winner was never below one half."""
    first = len(course) - 1
    while first and course[first - 1].chances[winner] >= FAVOURITE:
        first -= 1
    return course[first].round


def _at(each: Valued, seat: int) -> Extreme:
    return Extreme(each.chances[seat], seat, each.round, each.ply)
