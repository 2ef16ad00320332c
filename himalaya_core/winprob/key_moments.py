"""The course of a match by its chances of winning, and the key moments where they changed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby, pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final, TypeAlias

from himalaya_core.game import CHANCE
from himalaya_core.games import Registry
from himalaya_core.replay import Replay
from himalaya_core.winprob.model import Model, chances

__all__ = [
    "DIGITS",
    "REVIEWS",
    "Cause",
    "Evaluation",
    "GameReview",
    "Kind",
    "Swing",
    "Turning",
    "Value",
    "Valued",
    "by_ply",
    "by_turn",
    "course",
    "decisions",
    "interval",
    "review_of",
    "rounded",
    "turning",
]


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


Value: TypeAlias = Callable[[Any], tuple[float, ...]]
"""Each seat's chance of winning from a position; of one that is over, its part of the win."""


class Kind(StrEnum):
    """Source of a swing."""

    DICE = "dice"
    MOVE = "move"
    PLAN = "plan"
    TRADE = "trade"
    DRIFT = "drift"
    """Change by a round if every seat plays like the reference player; no seat causes it."""


class Cause(StrEnum):
    """Cause of a swing for a seat whose chances it changed."""

    DICE = "dice"
    OWN_MOVE = "own move"
    RIVAL_MOVE = "a rival's move"
    OWN_PLAN = "own plan"
    RIVAL_PLAN = "a rival's plan"
    TRADE = "a trade"
    DRIFT = "drift"


T_975: Final[Mapping[int, float]] = {8: 2.365, 10: 2.262, 16: 2.131}
"""The quantile of Student's t that leaves out 2.5 % above it, by how many samples there are."""
OF_SEAT: Final[Mapping[Kind, tuple[Cause, Cause]]] = {
    Kind.MOVE: (Cause.OWN_MOVE, Cause.RIVAL_MOVE),
    Kind.PLAN: (Cause.OWN_PLAN, Cause.RIVAL_PLAN),
}
OF_NOBODY: Final[Mapping[Kind, Cause]] = {
    Kind.DICE: Cause.DICE,
    Kind.TRADE: Cause.TRADE,
    Kind.DRIFT: Cause.DRIFT,
}


@dataclass(frozen=True, slots=True)
class Swing:
    """Change for every seat by one deed, or one throw.

    `since` is the `seq` after which it begins, a position that everybody knew. With the entry `seq` it is complete, and
    all its sources are revealed. `by` is the seat whose deed it was; `CHANCE` if it was not the deed of a single seat.
    The `amounts` are by seat, in chances of winning, and sum to zero. `cost` is the cost of the deed to its seat as
    judged when it was done, apart from its later effect; 0 if that is not known, or nothing.
    """

    since: int
    seq: int
    round: int
    by: int
    kind: Kind
    amounts: tuple[float, ...]
    cost: float = 0.0

    @property
    def seat(self) -> int:
        """Seat that it is about: the deed's seat if its cost exceeds its effect, or the seat it changed most."""
        most = max(range(len(self.amounts)), key=lambda seat: abs(self.amounts[seat]))
        return self.by if self.cost > abs(self.amounts[most]) else most

    @property
    def size(self) -> float:
        """Largest change of a seat's chances, without its sign, or the cost of the deed if that is more."""
        return max(self.cost, *map(abs, self.amounts))

    def cause(self, seat: int) -> Cause:
        """Return its cause for a seat."""
        if self.kind in OF_SEAT:
            own, rivals = OF_SEAT[self.kind]
            return own if self.by == seat else rivals
        return OF_NOBODY[self.kind]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A decision as judged when it was made: its cost, by the model, compared with the best alternative found.

    `seq` is its entry in the log, `shown` the entry from which on everybody knows it. `cost` is in chances of winning
    of the seat, from `low` to `high` in 95 % of samples of what the model does not know (both the same if it needs
    none); it does not include the model's own error. Below zero the decision was better than all that was found.
    `action` is the alternative as a log writes it, `words` is that in words. `values` are the chances of the seat by
    the things it may use, e.g. each die and card, at the best option examined.

    A climb is judged as a whole: `decisions` is how many of the seat's decisions from `seq` on, and `then` are the
    actions of the alternative that follow its first.
    """

    seq: int
    shown: int
    round: int
    seat: int
    cost: float
    low: float
    high: float
    action: Mapping[str, Any]
    words: str
    values: Mapping[str, float] = field(default_factory=dict)
    decisions: int = 1
    then: Sequence[Mapping[str, Any]] = ()

    def is_clear(self, error: float) -> bool:
        """Whether it is worth naming: better by more than the model's error, and in all but a few samples."""
        return self.low > 0 and self.cost >= error


def interval(costs: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of samples, of 8, 10 or 16, and the ends of its 95 % interval; for one sample, just its value.

    A difference of chances is between -1 and 1, and so are the ends.
    """
    cost = fmean(costs)
    half = T_975[len(costs)] * stdev(costs) / sqrt(len(costs)) if len(costs) > 1 else 0.0
    return cost, max(cost - half, -1.0), min(cost + half, 1.0)


def by_ply(replay: Replay, value: Value) -> list[Swing]:
    """Return a swing for each ply, by the seat that decided it, or by chance."""
    return _between(replay, value, list(decisions(replay)))


def by_turn(replay: Replay, value: Value) -> list[Swing]:
    """Return a swing for a seat's actions within a round before another seat or chance acted, and for each draw."""

    def doer(ply: tuple[int, int]) -> tuple[int, int]:
        first = replay.entries[ply[0] + 1]
        return (CHANCE, ply[0]) if first.seat is None else (first.seat, first.round)

    turns = groupby(pairwise(decisions(replay)), doer)
    return _between(replay, value, [next(decisions(replay)), *(list(plies)[-1][1] for _, plies in turns)])


def _between(replay: Replay, value: Value, ends: Sequence[int]) -> list[Swing]:
    """Return the swings between some decisions, from the end of each to that of the next."""
    swings = []
    chances = [value(replay.states[end]) for end in ends]
    for (start, before), (end, after) in pairwise(zip(ends, chances, strict=True)):
        first = replay.entries[start + 1]
        by = CHANCE if first.seat is None else first.seat
        kind = Kind.DICE if by == CHANCE else Kind.MOVE
        amounts = tuple([now - then for then, now in zip(before, after, strict=True)])
        swings.append(Swing(start, end, first.round, by, kind, amounts))
    return swings


def _nothing(_replay: Replay, _value: Value) -> list[Evaluation]:
    return []


def _unsaid(_replay: Replay, _swing: Swing) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReview:
    """How a game's matches are reviewed; every field may be left out.

    `swings` gives the course of a match; if it is not over, up to the last event that all know. `judgements`
    compares decisions with the best alternative found to each. `words` names the source of a swing, to be followed by
    its gain or cost, say `Round 7, Bhotia's plan`. `has_split` is true if the causes
    are separated within a round, so that their sums by round are worth a table.
    """

    swings: Callable[[Replay, Value], Sequence[Swing]] = by_ply
    judgements: Callable[[Replay, Value], Sequence[Evaluation]] = _nothing
    words: Callable[[Replay, Swing], str] = _unsaid
    has_split: bool = False


REVIEWS: Final[Registry[GameReview]] = Registry("himalaya.reviews")
"""By game; a record is imported when it is first used."""
PLAIN: Final = GameReview()


def review_of(game: str) -> GameReview:
    """Return how a game's matches are reviewed; by ply alone for a game without its own review."""
    return REVIEWS.get(game, PLAIN)


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
