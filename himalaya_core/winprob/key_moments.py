"""The chances of winning during a match, and the key moments when they changed."""

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
from himalaya_core.winprob.model import Model, chances, fixed_shares

__all__ = [
    "DIGITS",
    "FAVOURITE",
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
    "in_past",
    "interval",
    "review_of",
    "rounded",
    "turning",
]


DIGITS: Final = 4
"""Number of decimals of displayed and stored chances; no model is more precise."""


@dataclass(frozen=True, slots=True)
class Valued:
    """Each seat's chance of winning after an entry of a log; the chances sum to one."""

    seq: int
    ply: int
    round: int
    chances: tuple[float, ...]


def decisions(replay: Replay) -> Iterator[int]:
    """Yield the index of each ply's last entry, automatic events included."""
    entries = replay.entries
    for index, entry in enumerate(entries):
        if index + 1 == len(entries) or entries[index + 1].ply != entry.ply:
            yield index


def course(model: Model, replay: Replay) -> list[Valued]:
    """Return the chances after every decision of a match, in order. In a finished match, the last ones are its outcome.

    This does not check whether the model is valid for the match; see `model.not_valued`.
    """
    valued = []
    for index in decisions(replay):
        entry = replay.entries[index]
        valued.append(Valued(entry.seq, entry.ply, entry.round, chances(model, replay.states[index])))
    return valued


def rounded(chances: Sequence[float]) -> tuple[float, ...]:
    """Return chances rounded to `DIGITS` decimals that still sum to one; each is off by less than one unit.

    All chances are rounded down. The missing units are added to those that lost most by rounding; ties go to the first.
    """
    units = 10**DIGITS
    exact = [units * chance for chance in chances]
    parts = [int(each) for each in exact]
    lost = sorted(range(len(exact)), key=lambda seat: parts[seat] - exact[seat])
    for seat in lost[: units - sum(parts)]:
        parts[seat] += 1
    return tuple([part / units for part in parts])


Value: TypeAlias = Callable[[Any], tuple[float, ...]]
"""A function that maps a position to each seat's chance of winning, or share of the win if the match is over."""


class Kind(StrEnum):
    """The source of a change in the chances."""

    DICE = "dice"
    MOVE = "move"
    PLAN = "plan"
    TRADE = "trade"
    DRIFT = "drift"
    """A change that no seat causes: that of a round in which every seat plays like the reference player, or that of an
    estimate to the result, once nothing can change it."""


class Cause(StrEnum):
    """The cause of a change, as seen by one seat."""

    DICE = "dice"
    OWN_MOVE = "own move"
    RIVAL_MOVE = "a rival's move"
    OWN_PLAN = "own plan"
    RIVAL_PLAN = "a rival's plan"
    TRADE = "a trade"
    DRIFT = "drift"


T_975: Final[Mapping[int, float]] = {8: 2.365, 10: 2.262, 16: 2.131}
"""The 97.5 % quantile of Student's t distribution, by number of samples."""
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
    """A change of every seat's chances by one decision or one roll.

    It begins after entry `since`, when nothing was hidden, and ends with entry `seq`, when all its causes are revealed.
    `by` is the seat that decided, or `CHANCE` if no single seat did. `amounts` are the changes by seat, which sum to
    zero.

    `cost` is the expected cost to the deciding seat, judged when it decided, unlike the change that followed. It is 0
    if unknown.
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
        """The seat most affected. If `cost` exceeds every seat's change, the deciding seat."""
        most = max(range(len(self.amounts)), key=lambda seat: abs(self.amounts[seat]))
        return self.by if self.cost > abs(self.amounts[most]) else most

    @property
    def size(self) -> float:
        """The largest absolute change of any seat's chances, or `cost` if that is greater."""
        return max(self.cost, *map(abs, self.amounts))

    def cause(self, seat: int) -> Cause:
        """Return the cause of the change, as seen by one seat."""
        if self.kind in OF_SEAT:
            own, rivals = OF_SEAT[self.kind]
            return own if self.by == seat else rivals
        return OF_NOBODY[self.kind]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A decision compared with the best alternative found, judged by what was known when it was made.

    `seq` is its entry in the log; from entry `shown` on, all seats know it. `cost` is the difference in the seat's
    chance of winning; below zero, the decision was better than all alternatives found. From `low` to `high` is a 95 %
    interval over samples of what was unknown (equal values if nothing was). The model's own error is not included.

    `action` is the alternative as in a log, and `words` describes it. `values` gives the seat's chance for each thing
    it could use (e.g. each die and card), if used in the best way examined.

    A climb is judged as a whole: it covers `decisions` of the seat's decisions from `seq` on, and `then` lists the
    alternative's further actions.
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
        """Return whether the alternative is better by more than the model's error in nearly all samples."""
        return self.low > 0 and self.cost >= error


def interval(costs: Sequence[float], chance: float) -> tuple[float, float, float]:
    """Return the mean of 8, 10 or 16 samples and its 95 % interval. For one sample, all three values are equal.

    The ends are limited to what is possible for an alternative to a decision with this mean `chance` of winning.
    """
    cost = fmean(costs)
    half = T_975[len(costs)] * stdev(costs) / sqrt(len(costs)) if len(costs) > 1 else 0.0
    return cost, min(max(cost - half, -chance), cost), max(min(cost + half, 1.0 - chance), cost)


def by_ply(replay: Replay, value: Value) -> list[Swing]:
    """Return one change per ply. Its cause is the seat that decided, or chance."""
    return _between(replay, value, list(decisions(replay)))


def by_turn(replay: Replay, value: Value) -> list[Swing]:
    """Return one change per roll, and one per uninterrupted series of a seat's actions within a round."""

    def doer(ply: tuple[int, int]) -> tuple[int, int]:
        first = replay.entries[ply[0] + 1]
        return (CHANCE, ply[0]) if first.seat is None else (first.seat, first.round)

    turns = groupby(pairwise(decisions(replay)), doer)
    return _between(replay, value, [next(decisions(replay)), *(list(plies)[-1][1] for _, plies in turns)])


def _settled(replay: Replay) -> int:
    """Return the entry after which nothing could change the result; the number of entries if only the end fixed it."""
    first = len(replay.entries)
    for end in reversed(list(decisions(replay))):
        if replay.game.outcome(replay.states[end]) is None:
            if fixed_shares(replay.game, replay.states[end]) is None:
                break
            first = end
    return first


def _between(replay: Replay, value: Value, ends: Sequence[int]) -> list[Swing]:
    swings, settled = [], _settled(replay)
    chances = [value(replay.states[end]) for end in ends]
    for (start, before), (end, after) in pairwise(zip(ends, chances, strict=True)):
        first = replay.entries[start + 1]
        by = CHANCE if first.seat is None else first.seat
        kind = Kind.DICE if by == CHANCE else Kind.MOVE
        if start < settled <= end:  # the model did not know the result before; another decision may lead to it as well
            by, kind = CHANCE, Kind.DRIFT
        amounts = tuple([now - then for then, now in zip(before, after, strict=True)])
        swings.append(Swing(start, end, first.round, by, kind, amounts))
    return swings


def _nothing(_replay: Replay, _value: Value) -> list[Evaluation]:
    return []


def _unsaid(_replay: Replay, _swing: Swing) -> str:
    return ""


PAST: Final = {
    "climbing": "climbed",
    "continuing": "continued",
    "going": "went",
    "laying": "laid",
    "moving": "moved",
    "staying": "stayed",
    "taking": "took",
    "throwing": "threw",
    "turning": "turned",
}
"""Past forms of the verbs that describe decisions."""


def in_past(phrase: str) -> str:
    """Return a phrase on a possible decision as a report, e.g. "moved a Sherpa" for "moving a Sherpa"."""
    verb, space, rest = phrase.partition(" ")
    return f"{PAST[verb]}{space}{rest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReview:
    """How the matches of one game are reviewed. Every field has a default.

    `swings` returns the changes in a match; for an unfinished match, up to the last event that all seats know.
    `judgements` compares decisions with the best alternatives found. `words` names the source of a change as the
    beginning of a sentence, such as `Round 7, Bhotia's plan`. `names` returns the seats' names in sentences, without it
    their labels. `has_split` is true if changes within a round are attributed to separate causes, so that a table of
    sums by round is useful.
    """

    swings: Callable[[Replay, Value], Sequence[Swing]] = by_ply
    judgements: Callable[[Replay, Value], Sequence[Evaluation]] = _nothing
    words: Callable[[Replay, Swing], str] = _unsaid
    names: Callable[[Replay], list[str]] | None = None
    has_split: bool = False


REVIEWS: Final[Registry[GameReview]] = Registry("himalaya.reviews")
"""Review records by game, imported on first use."""
PLAIN: Final = GameReview()


def review_of(game: str) -> GameReview:
    """Return how a game's matches are reviewed; by default, one change per ply."""
    return REVIEWS.get(game, PLAIN)


FAVOURITE: Final = 0.5
"""A seat with at least this chance is more likely to win than all other seats together."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """A seat's lowest or highest chance, with the round and ply after which it occurred."""

    chance: float
    seat: int
    round: int
    ply: int


@dataclass(frozen=True, slots=True)
class Turning:
    """The turning point of a match with a single winner.

    After a decision in `decided_round`, the winner's chance never fell below one half again. `lowest` is the winner's
    lowest chance in the second half of the decisions. `rival` is the highest chance of any other seat in that half.
    Among equal values, the last one counts.
    """

    decided_round: int
    lowest: Extreme
    rival: Extreme


def turning(course: Sequence[Valued]) -> Turning | None:
    """Return the turning point of a finished match, given its chances in order. The last ones are the outcome.

    Returns `None` if several seats won together.
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
    """Return the round of the decision after which the winner's chance never fell below one half."""
    first = len(course) - 1
    while first and course[first - 1].chances[winner] >= FAVOURITE:
        first -= 1
    return course[first].round


def _at(each: Valued, seat: int) -> Extreme:
    return Extreme(each.chances[seat], seat, each.round, each.ply)
