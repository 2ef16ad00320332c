"""The course of a match: each seat's chances of winning after every decision."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from himalaya_core.replay import Replay
from himalaya_core.review.model import Model, chances

__all__ = ["DIGITS", "Valued", "course", "decisions", "rounded"]

DIGITS: Final = 4
"""Decimals of a chance or a part of one, as shown and kept: more than any model knows."""


@dataclass(frozen=True, slots=True)
class Valued:
    """The chances after an entry of a log, by seat; they sum to one."""

    seq: int
    ply: int
    round: int
    chances: tuple[float, ...]


def decisions(replay: Replay) -> Iterator[int]:
    """Yield the end of each ply of a match, as an index of its entries, after the automatic events that follow."""
    entries = replay.entries
    for index, entry in enumerate(entries):
        if index + 1 == len(entries) or entries[index + 1].ply != entry.ply:
            yield index


def course(model: Model, replay: Replay) -> list[Valued]:
    """Return the chances after every decision of a match, in order; for a finished match, the last are its outcome.

    This does not check whether the model holds for the match, see `model.not_valued`.
    """
    valued = []
    for index in decisions(replay):
        entry = replay.entries[index]
        valued.append(Valued(entry.seq, entry.ply, entry.round, chances(model, replay.states[index])))
    return valued


def rounded(chances: Sequence[float]) -> tuple[float, ...]:
    """Return chances with `DIGITS` decimals that still sum to one; each is off by less than one unit.

    The remainder of rounding down goes to those that lost most by it, a unit each, and to the first of equals.
    """
    units = 10**DIGITS
    exact = [units * chance for chance in chances]
    parts = [int(each) for each in exact]
    lost = sorted(range(len(exact)), key=lambda seat: parts[seat] - exact[seat])
    for seat in lost[: units - sum(parts)]:
        parts[seat] += 1
    return tuple([part / units for part in parts])
