"""Pairings of players: a schedule makes line-ups out of the entrants, a seating gives the orders each line-up sits in.

`fixed`   the players as given are the one line-up.
`all`     all-play-all: every combination of so many entrants.
`ladder`  the entrants, as given, are a ranking, best first; every so many neighbours in it meet. Many entrants then
          need few matches, and every two neighbours are compared; the order itself never changes during play.

`rotate`  each line-up sits in every rotation: each player sits once in each seat, always with the same neighbours.
`every`   each line-up sits in every order there is; orders that only swap two equal players count once.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations, permutations

__all__ = ["Schedule", "Seating", "line_ups", "tables"]

LineUp = tuple[str, ...]


class Schedule(StrEnum):
    """Ways to make line-ups out of the entrants."""

    FIXED = "fixed"
    ALL = "all"
    LADDER = "ladder"


class Seating(StrEnum):
    """Orders in which a line-up sits, each once per seed."""

    ROTATE = "rotate"
    EVERY = "every"


def line_ups(schedule: Schedule, entrants: Sequence[str], seats: int) -> list[LineUp]:
    """Return the line-ups of a schedule; `seats` is the number of entrants if the line-up is fixed."""
    match schedule:
        case Schedule.FIXED:
            return [tuple(entrants)]
        case Schedule.ALL:
            return list(combinations(entrants, seats))
        case Schedule.LADDER:
            return [tuple(entrants[top : top + seats]) for top in range(len(entrants) - seats + 1)]


def tables(schedule: Schedule, seating: Seating, entrants: Sequence[str], seats: int) -> list[LineUp]:
    """Return the tables that are played with each seed, in order: each line-up in each of its seatings."""
    return [table for line_up in line_ups(schedule, entrants, seats) for table in _seatings(seating, line_up)]


def _seatings(seating: Seating, line_up: LineUp) -> Iterator[LineUp]:
    match seating:
        case Seating.ROTATE:
            yield from (line_up[turn:] + line_up[:turn] for turn in range(len(line_up)))
        case Seating.EVERY:
            yield from dict.fromkeys(permutations(line_up))
