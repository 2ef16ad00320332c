"""The review of a match: its chances, its key moments, the change by each cause, better decisions that were found."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import combinations, groupby
from math import comb
from typing import Any, Final

from himalaya_core.game import CHANCE
from himalaya_core.log.envelope import Header, SeatInfo
from himalaya_core.names import shown_name
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import DIGITS, Cause, Evaluation, Kind, Swing, Valued, course, review_of, rounded
from himalaya_core.winprob.model import Model, chances, not_valued

__all__ = [
    "Moment",
    "Review",
    "Share",
    "as_document",
    "as_judgement",
    "key_moments",
    "label_of",
    "labels_of",
    "participant",
    "review",
    "shapley",
    "split_of",
]


def label_of(info: SeatInfo) -> str:
    """Return the label of a seat, its short name in sentences; without a label `seat 3` for seat 2."""
    return shown_name(info.label) or f"seat {info.seat + 1}"


def labels_of(header: Header) -> list[str]:
    """Return the label of each seat of a match."""
    return [label_of(info) for info in header.seats]


def participant(info: SeatInfo) -> str:
    """Return the name of a participant: `trader (Bhotia)`."""
    return f"{shown_name(info.player)} ({label_of(info)})"


def shapley(worth: Callable[[frozenset[int]], Sequence[float]], members: Sequence[int]) -> dict[int, list[float]]:
    """Return, for each member, the mean of its changes when it joins, over all orders of joining.

    `worth` of a set of members is a row of numbers, and is called once for each of the 2^n sets. The rows of all
    members sum to the worth of all of them less that of none. (Shapley 1953, A value for n-person games)
    """
    sets = [frozenset(some) for count in range(len(members) + 1) for some in combinations(members, count)]
    worths = {some: worth(some) for some in sets}
    shares = {member: [0.0] * len(worths[frozenset()]) for member in members}
    for some in sets:
        for member in members:
            if member in some:
                continue
            weight = 1 / (len(members) * comb(len(members) - 1, len(some)))
            joined = worths[some | {member}]
            shares[member] = [
                share + weight * (after - before)
                for share, before, after in zip(shares[member], worths[some], joined, strict=True)
            ]
    return shares


MOST_MOMENTS: Final = 6


@dataclass(frozen=True, slots=True)
class Moment:
    """A swing that is worth looking at: the seat that it is about, its cause, and a sentence about it.

    Swings that nearly cancel for the seat are one moment, and `swing` is their sum. `alternative` is the best one found
    to the decision it comes from, if a better one was found.
    """

    swing: Swing
    seat: int
    cause: Cause
    text: str
    alternative: Evaluation | None

    @property
    def change(self) -> float:
        """Change for the seat, in chances of winning."""
        return self.swing.amounts[self.seat]

    @property
    def size(self) -> float:
        """Change for the seat, without its sign, or the cost of the decision if that is more."""
        return max(self.swing.cost, abs(self.change))


@dataclass(frozen=True, slots=True)
class Share:
    """Change by one cause for a seat in a round, in chances of winning."""

    round: int
    seat: int
    cause: Cause
    amount: float


@dataclass(frozen=True)
class Review:
    """A model's view of a match; empty if it was not checked on such matches, `not_valued` then says why."""

    model: Model
    not_valued: str | None
    chances: Sequence[Valued] = ()
    moments: Sequence[Moment] = ()
    split: Sequence[Share] = ()
    judgements: Sequence[Evaluation] = ()


def review(model: Model, replay: Replay, *, judges: bool = True) -> Review:
    """Return the review of a match by a model of its game; of one in progress, up to its last entry.

    Without `judges` no decision is compared with others, which takes longer than all the rest.
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


def key_moments(
    replay: Replay, swings: Sequence[Swing], judgements: Sequence[Evaluation], least: float
) -> list[Moment]:
    """Return the largest swings caused by a seat or the dice, in their order; none below the least.

    A decision's size is the change it led to or its cost as judged when it was made, whichever is more: one
    that luck made good is as much worth looking at as one that luck made bad. Swings of a round that nearly cancel for
    the seat that they are about are one, with the remainder as its size.
    """
    brought = [swing for swing in swings if swing.kind is not Kind.DRIFT and swing.size >= least]
    by_seat = sorted(brought, key=lambda swing: (swing.round, swing.seat))
    groups = groupby(by_seat, lambda swing: (swing.round, swing.seat))
    found = [each for _, group in groups for each in _netted([_Net((swing,)) for swing in group])]
    largest = sorted(found, key=lambda net: net.size, reverse=True)[:MOST_MOMENTS]
    better = {(judged.seq, judged.seat): judged for judged in judgements if judged.cost > 0}
    moments = [_moment(replay, net, better) for net in largest if net.size >= least]
    return sorted(moments, key=lambda moment: (moment.swing.since, moment.swing.seq))


@dataclass(frozen=True, slots=True)
class _Net:
    """Swings of a round about the same seat, in their order, and the remainder for it."""

    parts: tuple[Swing, ...]

    @property
    def seat(self) -> int:
        return self.parts[0].seat

    @property
    def change(self) -> float:
        return sum(swing.amounts[self.seat] for swing in self.parts)

    @property
    def size(self) -> float:
        return max(self.main.cost, abs(self.change))

    @property
    def main(self) -> Swing:
        """The part that cost the seat most when it was chosen, or else the largest; a sum has no other cost."""
        if len(self.parts) == 1:
            return self.parts[0]
        own = [swing if swing.by == self.seat else replace(swing, cost=0.0) for swing in self.parts]
        return max(own, key=lambda swing: (swing.cost, swing.size))

    def swing(self) -> Swing:
        """Return the sum."""
        since, seq = min(swing.since for swing in self.parts), max(swing.seq for swing in self.parts)
        amounts = tuple([sum(each) for each in zip(*[swing.amounts for swing in self.parts], strict=True)])
        return replace(self.main, since=since, seq=seq, amounts=amounts)


def _netted(nets: list[_Net]) -> list[_Net]:
    """Return the net swings of one seat and round: two become one if less than half of the larger is left."""
    for one, other in combinations(nets, 2):
        left = one.change + other.change
        if one.change * other.change < 0 and abs(left) < max(abs(one.change), abs(other.change)) / 2:
            parts = sorted(one.parts + other.parts, key=lambda swing: (swing.since, swing.seq))
            return _netted([*[net for net in nets if net is not one and net is not other], _Net(tuple(parts))])
    return nets


def _moment(replay: Replay, net: _Net, better: dict[tuple[int, int], Evaluation]) -> Moment:
    places = [(at, part.by) for part in net.parts for at in range(part.since + 1, part.seq + 1)]
    found = [better[place] for place in places if place in better]
    sentences = [_sentence(replay, part, net.seat) for part in net.parts]
    text = sentences[0]
    if len(sentences) > 1:
        points = _points(round(100 * net.change))
        text = f"{labels_of(replay.header)[net.seat]}: {points} in all. {'. '.join(sentences)}"
        text = f"{text[:1].upper()}{text[1:]}"
    best = max(found, key=lambda judged: judged.cost, default=None)
    return Moment(net.swing(), net.seat, net.main.cause(net.seat), text, best)


def _sentence(replay: Replay, swing: Swing, seat: int) -> str:
    """Return the source of a swing, its gain or cost for a seat, and the cost expected when it was chosen."""
    subject = review_of(replay.game.name).words(replay, swing) or _in_words(replay, swing)
    return f"{subject[:1].upper()}{subject[1:]}: {_effect(replay, swing, seat)}"


def _in_words(replay: Replay, swing: Swing) -> str:
    """Return the source of a swing in words, for a game without its own words for it."""
    whose = f"{labels_of(replay.header)[swing.by]}'s " if swing.by != CHANCE else ""
    return f"Round {swing.round}, {whose}{swing.kind}"


def _effect(replay: Replay, swing: Swing, seat: int) -> str:
    """Return the gain or cost of a swing for a seat, which is named unless the swing was its own doing.

    The cost expected when it was chosen follows if it counts for more, or if the seat gained all the same.
    """
    labels = labels_of(replay.header)
    points, foreseen = round(100 * swing.amounts[seat]), round(100 * swing.cost)
    came = _points(points) if seat == swing.by else f"{_points(points)} for {labels[seat]}"
    if swing.cost != swing.size and not (foreseen and swing.amounts[swing.by] > 0):
        return came
    whose = "" if seat == swing.by else f" for {labels[swing.by]}"
    return f"{came}. Expected when chosen: {_signed(-foreseen)}{whose}"


def _points(number: int) -> str:
    """Return a change in words: `+12 points`, `no change`."""
    return f"{_signed(number)} point{'' if abs(number) == 1 else 's'}" if number else "no change"


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def split_of(swings: Sequence[Swing]) -> list[Share]:
    """Return the change by each cause, by round and seat; a seat's changes and initial chances sum to its outcome."""
    sums: dict[tuple[int, int, Cause], float] = {}
    for each, seat, cause, amount in _effects(swings):
        sums[each, seat, cause] = sums.get((each, seat, cause), 0.0) + amount
    return [Share(*key, amount) for key, amount in sorted(sums.items())]


def _effects(swings: Sequence[Swing]) -> Iterator[tuple[int, int, Cause, float]]:
    for swing in swings:
        for seat, amount in enumerate(swing.amounts):
            yield swing.round, seat, swing.cause(seat), amount


OF_MODEL: Final = ("quality", "reliability", "checked_on")


def as_document(found: Review) -> dict[str, Any]:
    """Return a review as JSON: `not_valued`, `model`, `chances`, `moments`, `split`, `judgements`.

    Seats count from 0, `seq` is a place in the log, chances and changes in them are parts of one.
    """
    return {
        "not_valued": found.not_valued,
        "model": _model(found.model),
        "chances": [{"seq": each.seq, "chances": list(rounded(each.chances))} for each in found.chances],
        "moments": list(map(_moment_document, found.moments)),
        "split": _split(found.split),
        "judgements": list(map(_judgement, found.judgements)),
    }


def _model(model: Model) -> dict[str, Any]:
    return {"name": model.name, "sha256": model.sha256, **{key: model.document[key] for key in OF_MODEL}}


def _moment_document(moment: Moment) -> dict[str, Any]:
    swing, better = moment.swing, moment.alternative
    return {
        "since": swing.since,
        "seq": swing.seq,
        "round": swing.round,
        "seat": moment.seat,
        "by": swing.by,
        "cause": moment.cause,
        "swing": _short(moment.change),
        "cost": _short(swing.cost),
        "text": moment.text,
        "alternative": None if better is None else _judgement(better),
    }


def _judgement(judged: Evaluation) -> dict[str, Any]:
    return {
        "seq": judged.seq,
        "shown": judged.shown,
        "round": judged.round,
        "seat": judged.seat,
        "cost": _short(judged.cost),
        "low": _short(judged.low),
        "high": _short(judged.high),
        "action": judged.action,
        "words": judged.words,
        "values": {name: _short(each) for name, each in judged.values.items()},
        "decisions": judged.decisions,
        "then": list(judged.then),
    }


def as_judgement(row: Mapping[str, Any]) -> Evaluation:
    """Return a decision from a review in JSON."""
    return Evaluation(**{each.name: row[each.name] for each in fields(Evaluation)})


def _split(shares: Sequence[Share]) -> list[dict[str, Any]]:
    """Return a row for each round and seat; amounts are not rounded, so that they still sum to the outcome."""
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    for each in shares:
        row = rows.setdefault((each.round, each.seat), {"round": each.round, "seat": each.seat, "causes": {}})
        row["causes"][each.cause] = each.amount
    return list(rows.values())


def _short(number: float) -> float:
    return round(number, DIGITS)
