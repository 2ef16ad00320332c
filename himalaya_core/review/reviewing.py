"""The review of a match: its chances, its key moments, what each cause changed, better decisions that were found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from himalaya_core.game import CHANCE
from himalaya_core.replay import Replay
from himalaya_core.review.course import Valued, course
from himalaya_core.review.model import Model, chances, not_valued
from himalaya_core.review.seats import seat_in_words
from himalaya_core.review.swings import Cause, Judgement, Kind, Swing, review_of

__all__ = ["Moment", "Review", "Share", "key_moments", "review", "split_of"]

MOST_MOMENTS: Final = 6


@dataclass(frozen=True, slots=True)
class Moment:
    """A swing that is worth looking at: the seat that it is about, its cause, and a sentence about it.

    `alternative` is the best one that was found to the decision it comes from, if one was found that is better.
    """

    swing: Swing
    seat: int
    cause: Cause
    text: str
    alternative: Judgement | None

    @property
    def change(self) -> float:
        """What it changed for the seat, in chances of winning."""
        return self.swing.amounts[self.seat]


@dataclass(frozen=True, slots=True)
class Share:
    """What one cause changed for a seat in a round, in chances of winning."""

    round: int
    seat: int
    cause: Cause
    amount: float


@dataclass(frozen=True)
class Review:
    """What a model says of a match; nothing if it was not checked on such matches, `not_valued` then says why."""

    model: Model
    not_valued: str | None
    chances: Sequence[Valued] = ()
    moments: Sequence[Moment] = ()
    split: Sequence[Share] = ()
    judgements: Sequence[Judgement] = ()


def review(model: Model, replay: Replay, *, judges: bool = True) -> Review:
    """Return the review of a match by a model of its game; of one in progress, as far as it has come.

    Without `judges` no decision is held beside others, which takes longer than all the rest.
    """
    reason = not_valued(model, replay.header)
    if reason:
        return Review(model, reason)
    game, value = review_of(replay.game.name), partial(chances, model)
    swings, judgements = game.swings(replay, value), game.judgements(replay, value) if judges else ()
    return Review(
        model,
        None,
        course(model, replay),
        key_moments(replay, swings, judgements, model.calibration_error),
        split_of(swings) if game.has_split else (),
        judgements,
    )


def key_moments(replay: Replay, swings: Sequence[Swing], judgements: Sequence[Judgement], least: float) -> list[Moment]:
    """Return the largest swings that somebody or the dice brought about, in their order; none below the least.

    A decision is as large as what came of it, or as what it cost as it could be judged then, whichever is more: one
    that luck made good is as much worth looking at as one that luck made bad.
    """
    brought = [swing for swing in swings if swing.kind is not Kind.DRIFT and swing.size >= least]
    largest = sorted(brought, key=lambda swing: swing.size, reverse=True)[:MOST_MOMENTS]
    better = {(judged.seq, judged.seat): judged for judged in judgements if judged.cost > 0}
    return [_moment(replay, swing, better) for swing in sorted(largest, key=lambda swing: (swing.since, swing.seq))]


def _moment(replay: Replay, swing: Swing, better: dict[tuple[int, int], Judgement]) -> Moment:
    seat = swing.seat
    found = [better[at, swing.by] for at in range(swing.since + 1, swing.seq + 1) if (at, swing.by) in better]
    subject = review_of(replay.game.name).words(replay, swing) or _in_words(replay, swing)
    text = f"{subject} {_effect(replay, swing, seat)}"
    return Moment(swing, seat, swing.cause(seat), text, max(found, key=lambda judged: judged.cost, default=None))


def _in_words(replay: Replay, swing: Swing) -> str:
    """Say what a swing comes from, for a game that has no words of its own for it."""
    whose = f" of {seat_in_words(replay, swing.by)}" if swing.by != CHANCE else ""
    return f"The {swing.kind}{whose} in round {swing.round}"


def _effect(replay: Replay, swing: Swing, seat: int) -> str:
    """Say what a swing gave or cost a seat, called `it` if the swing was its own doing; first what counts for more.

    What it cost as it could be judged then is said where that counts, and where it went well all the same.
    """
    points, foreseen = round(100 * swing.amounts[seat]), round(100 * swing.cost)
    whom = "it" if seat == swing.by else seat_in_words(replay, seat)
    came = f"{'gave' if points > 0 else 'cost'} {whom} {_points(points)}"
    if swing.cost == swing.size:
        came = f"it {came}" if points else "it changed nothing"
        return f"cost it {_points(foreseen)} as it could be judged then; as things went, {came}"
    if foreseen and swing.amounts[swing.by] > 0:
        return f"{came}; as it could be judged then, it was to cost its seat {_points(foreseen)}"
    return came


def _points(number: int) -> str:
    return f"{abs(number)} point{'' if abs(number) == 1 else 's'}"


def split_of(swings: Sequence[Swing]) -> list[Share]:
    """Return what each cause changed by round and seat; a seat's, and its chances at first, sum to its outcome."""
    sums: dict[tuple[int, int, Cause], float] = {}
    for each, seat, cause, amount in _effects(swings):
        sums[each, seat, cause] = sums.get((each, seat, cause), 0.0) + amount
    return [Share(*key, amount) for key, amount in sorted(sums.items())]


def _effects(swings: Sequence[Swing]) -> Iterator[tuple[int, int, Cause, float]]:
    for swing in swings:
        for seat, amount in enumerate(swing.amounts):
            yield swing.round, seat, swing.cause(seat), amount
