"""The course of a match: each seat's chances of winning after every decision."""

from collections.abc import Iterator
from dataclasses import dataclass

from himalaya_core.replay import Replay
from himalaya_core.review.model import Model, chances

__all__ = ["Valued", "course", "decisions"]


@dataclass(frozen=True, slots=True)
class Valued:
    """The chances after an entry of a log, by seat; they sum to one."""

    seq: int
    ply: int
    round: int
    chances: tuple[float, ...]


def decisions(replay: Replay) -> Iterator[int]:
    """Yield where each ply of a match ends, as an index of its entries: what follows by itself has happened then."""
    entries = replay.entries
    for index, entry in enumerate(entries):
        if index + 1 == len(entries) or entries[index + 1].ply != entry.ply:
            yield index


def course(model: Model, replay: Replay) -> list[Valued]:
    """Return the chances after every decision of a match, in order; of one that was finished, the last are its outcome.

    Whether the model holds for the match is not asked here, see `model.not_valued`.
    """
    valued = []
    for index in decisions(replay):
        entry = replay.entries[index]
        valued.append(Valued(entry.seq, entry.ply, entry.round, chances(model, replay.states[index])))
    return valued
