"""The review of a match: chances, key moments, changes by cause, and better alternatives to decisions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import combinations, groupby
from math import comb, floor
from typing import Any, Final

from himalaya_core.game import CHANCE
from himalaya_core.log.envelope import Header, SeatInfo
from himalaya_core.names import shown_name
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import (
    DIGITS,
    Cause,
    Evaluation,
    Kind,
    Swing,
    Valued,
    by_turn,
    course,
    review_of,
    rounded,
)
from himalaya_core.winprob.model import Model, chances, fixed_shares, not_valued

__all__ = [
    "Moment",
    "Review",
    "Share",
    "as_document",
    "as_judgement",
    "further_changes",
    "in_order",
    "in_points",
    "key_moments",
    "label_of",
    "labels_of",
    "largest_first",
    "names_in",
    "participant",
    "participants",
    "review",
    "shapley",
    "split_of",
]


def label_of(info: SeatInfo) -> str:
    """Return a seat's label, its short name in sentences. Without a label, the seat at index 2 is called `seat 3`."""
    return shown_name(info.label) or f"seat {info.seat + 1}"


def labels_of(header: Header) -> list[str]:
    """Return the labels of all seats."""
    return [label_of(info) for info in header.seats]


def names_in(replay: Replay) -> list[str]:
    """Return the seats' names in sentences: their labels, unless the game has other names."""
    names = review_of(replay.game.name).names
    return names(replay) if names else labels_of(replay.header)


def participants(replay: Replay) -> list[str]:
    """Return the seats' participants, such as `trader (Bhotia)`, each with the seat's name in sentences."""
    named = zip(replay.header.seats, names_in(replay), strict=True)
    return [f"{shown_name(info.player)} ({name})" for info, name in named]


def participant(info: SeatInfo) -> str:
    """Return the name of a participant, such as `trader (Bhotia)`."""
    return f"{shown_name(info.player)} ({label_of(info)})"


def shapley(worth: Callable[[frozenset[int]], Sequence[float]], members: Sequence[int]) -> dict[int, list[float]]:
    """Return each member's Shapley value: its mean contribution over all orders in which the members can join.

    `worth` returns a row of numbers for a set of members, and is called once for each of the 2^n sets. The returned
    rows sum to the worth of all members minus the worth of none (Shapley 1953, A value for n-person games).
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
    """A key moment: a change worth mentioning, the seat it is mainly about, its cause, and a sentence.

    Changes that nearly cancel out for the seat are merged into one moment, and `swing` is their sum. `alternative` is
    the best alternative to the seat's decision, if a better one was found. `subject` is the beginning of the sentence,
    what happened; it is empty for merged changes, and if the result became certain.
    """

    swing: Swing
    seat: int
    cause: Cause
    text: str
    alternative: Evaluation | None
    subject: str = ""

    @property
    def change(self) -> float:
        """The change of the seat's chance of winning."""
        return self.swing.amounts[self.seat]

    @property
    def size(self) -> float:
        """The size of the change, or the cost of the decision if that is greater."""
        return max(self.swing.cost, abs(self.change))


@dataclass(frozen=True, slots=True)
class Share:
    """The change of a seat's chance of winning in one round by one cause."""

    round: int
    seat: int
    cause: Cause
    amount: float


@dataclass(frozen=True)
class Review:
    """A model's view of a match. If the model is not valid for it, `not_valued` says why and the rest is empty.

    `changes` are the visible changes from one turn to the next that are no key moments, drift included.
    """

    model: Model
    not_valued: str | None
    chances: Sequence[Valued] = ()
    moments: Sequence[Moment] = ()
    split: Sequence[Share] = ()
    judgements: Sequence[Evaluation] = ()
    changes: Sequence[Moment] = ()

    @property
    def all_moments(self) -> list[Moment]:
        """The key moments and all other changes above the model's error, in order."""
        return in_order([*self.moments, *self.changes])


def review(model: Model, replay: Replay, *, judges: bool = True) -> Review:
    """Return a model's review of a match. An unfinished match is reviewed up to its last entry.

    Without `judges`, the comparison of decisions with alternatives is skipped; it takes most of the time.
    """
    reason = not_valued(model, replay.header)
    if reason:
        return Review(model, reason)
    game, value = review_of(replay.game.name), partial(chances, model)
    swings, judgements = game.swings(replay, value), game.judgements(replay, value) if judges else ()
    moments = key_moments(replay, swings, judgements, model.calibration_error)
    # each of the two chances may be off by the error of its bin
    steps = [step for step in by_turn(replay, value) if step.size >= 2 * model.largest_error]
    return Review(
        model,
        None,
        course(model, replay),
        moments,
        split_of(swings) if game.has_split else (),
        judgements,
        further_changes(replay, swings, steps, moments),
    )


def key_moments(
    replay: Replay, swings: Sequence[Swing], judgements: Sequence[Evaluation], least: float
) -> list[Moment]:
    """Return the largest changes caused by a seat or by dice, in order, none below `least` or rounded to 0.

    The size of a change is its effect or its cost as judged at the time, whichever is greater. A mistake that luck
    turned into a success is therefore included. Changes within a round that nearly cancel out for their seat are
    merged.
    """
    brought = [swing for swing in swings if swing.kind is not Kind.DRIFT and swing.size >= least]
    by_seat = sorted(brought, key=lambda swing: (swing.round, swing.seat))
    groups = groupby(by_seat, lambda swing: (swing.round, swing.seat))
    found = [each for _, group in groups for each in _netted([_Net((swing,)) for swing in group])]
    largest = sorted(found, key=lambda net: net.size, reverse=True)[:MOST_MOMENTS]
    better = {(judged.seq, judged.seat): judged for judged in judgements if judged.cost > 0}
    return in_order(_moment(replay, net, better) for net in largest if net.size >= least and round(100 * net.size))


def in_order(moments: Iterable[Moment]) -> list[Moment]:
    """Return moments in the order of the match."""
    return sorted(moments, key=lambda moment: (moment.swing.since, moment.swing.seq))


def further_changes(
    replay: Replay, swings: Sequence[Swing], steps: Sequence[Swing], moments: Sequence[Moment]
) -> list[Moment]:
    """Return the steps from one turn to the next that do not begin where a key moment does, each with its cause.

    A step is drift unless decisions or dice, whose effects are in `swings`, explain at least half of it.
    """
    known = {_stop(moment.swing) for moment in moments}
    return [_change(replay, step, swings) for step in steps if _stop(step) not in known]


def _stop(swing: Swing) -> tuple[bool, int]:
    """Return where a reader of the match stops for a change: before a decision, or after a roll."""
    return swing.by == CHANCE, swing.seq if swing.by == CHANCE else swing.since


def _change(replay: Replay, step: Swing, swings: Sequence[Swing]) -> Moment:
    around = [each for each in swings if each.since <= step.since and step.seq <= each.seq]
    change, seat = step.amounts[step.seat], step.seat
    caused = sum(each.amounts[seat] for each in around if each.kind is not Kind.DRIFT)
    if step.kind is Kind.DRIFT:
        return Moment(step, seat, step.cause(seat), _settled(replay, step, seat), None)
    subject = _subject(replay, step)
    text = f"{subject}: {_effect(replay, step, seat)}"
    step = replace(step, kind=Kind.DRIFT) if 2 * caused * change < change**2 else step
    return Moment(step, seat, step.cause(seat), text, None, subject)


def _settled(replay: Replay, step: Swing, seat: int) -> str:
    """Return a sentence on a change from an estimate to a result that nothing can change."""
    shares = fixed_shares(replay.game, replay.states[step.seq])
    assert shares is not None, "the result is certain after the change"
    expected = f"{_whole(shares[seat] - step.amounts[seat])}% for {names_in(replay)[seat]}"
    return f"Settled: nothing can change the result from here; the model had expected {expected}"


@dataclass(frozen=True, slots=True)
class _Net:
    """Changes within one round that mainly affect the same seat, in order."""

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
        """The change with the greatest cost to the deciding seat. If no change has a cost, the largest one."""
        if len(self.parts) == 1:
            return self.parts[0]
        own = [swing if swing.by == self.seat else replace(swing, cost=0.0) for swing in self.parts]
        return max(own, key=lambda swing: (swing.cost, swing.size))

    def swing(self) -> Swing:
        """Return the sum of the changes."""
        since, seq = min(swing.since for swing in self.parts), max(swing.seq for swing in self.parts)
        amounts = tuple([sum(each) for each in zip(*[swing.amounts for swing in self.parts], strict=True)])
        return replace(self.main, since=since, seq=seq, amounts=amounts)


def _netted(nets: list[_Net]) -> list[_Net]:
    """Merge two changes of one seat in a round if their sum is less than half of the larger one."""
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
    text, subject = sentences[0], _subject(replay, net.parts[0])
    if len(sentences) > 1:
        points, subject = in_points(net.change), ""
        text = f"{names_in(replay)[net.seat]}: {points} in all. {'. '.join(sentences)}"
        text = f"{text[:1].upper()}{text[1:]}"
    best = max(found, key=lambda judged: judged.cost, default=None)
    return Moment(net.swing(), net.seat, net.main.cause(net.seat), text, best, subject)


def _sentence(replay: Replay, swing: Swing, seat: int) -> str:
    """Return a sentence that gives a change's source, its effect on a seat, and the cost expected when deciding."""
    return f"{_subject(replay, swing)}: {_effect(replay, swing, seat)}"


def _subject(replay: Replay, swing: Swing) -> str:
    subject = review_of(replay.game.name).words(replay, swing) or _in_words(replay, swing)
    return f"{subject[:1].upper()}{subject[1:]}"


def _in_words(replay: Replay, swing: Swing) -> str:
    whose = f"{names_in(replay)[swing.by]}'s " if swing.by != CHANCE else ""
    return f"Round {swing.round}, {whose}{swing.kind}"


def _effect(replay: Replay, swing: Swing, seat: int) -> str:
    """Return text on how a change affects a seat. The seat is named unless it caused the change.

    The cost expected at the time is added if it is greater than the effect, or if the deciding seat gained.
    """
    labels = names_in(replay)
    points, foreseen = in_points(swing.amounts[seat]), _whole(swing.cost)
    came = points if seat == swing.by else f"{points} for {labels[seat]}"
    if swing.cost != swing.size and not (foreseen and swing.amounts[swing.by] > 0):
        return came
    whose = "" if seat == swing.by else f" for {labels[swing.by]}"
    return f"{came}. Expected when chosen: {_signed(-foreseen)}{whose}"


def _whole(part: float) -> int:
    """Return a fraction in whole points, rounded as pages round the number in the document."""
    return floor(100 * _short(part) + 0.5)


def in_points(change: float) -> str:
    """Return a change of a chance in words, such as `−2 points`."""
    number = _whole(change)
    return f"{_signed(number)} point{'' if abs(number) == 1 else 's'}" if number else "no change"


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def split_of(swings: Sequence[Swing]) -> list[Share]:
    """Return the changes by round, seat and cause. A seat's initial chance plus its changes equals its outcome."""
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
    """Return a review as JSON: `not_valued`, `model`, `chances`, `moments`, `split`, `judgements`, `changes`.

    Seats count from 0. `seq` is an entry of the log. Chances and their changes are fractions of one.
    """
    ranks = {id(moment): rank for rank, moment in enumerate(largest_first(found.all_moments), 1)}
    return {
        "not_valued": found.not_valued,
        "model": _model(found.model),
        "chances": [{"seq": each.seq, "chances": list(rounded(each.chances))} for each in found.chances],
        "moments": [_moment_document(moment, ranks[id(moment)]) for moment in found.moments],
        "split": _split(found.split),
        "judgements": list(map(_judgement, found.judgements)),
        "changes": [_moment_document(moment, ranks[id(moment)]) for moment in found.changes],
    }


def _model(model: Model) -> dict[str, Any]:
    return {"name": model.name, "sha256": model.sha256, **{key: model.document[key] for key in OF_MODEL}}


def largest_first(moments: Iterable[Moment]) -> list[Moment]:
    """Return moments by size; of equal sizes, the earlier one is first."""
    return sorted(moments, key=lambda moment: -moment.size)


def _moment_document(moment: Moment, rank: int) -> dict[str, Any]:
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
        "rank": rank,
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
    """Return the evaluation of a decision from its JSON."""
    return Evaluation(**{each.name: row[each.name] for each in fields(Evaluation)})


def _split(shares: Sequence[Share]) -> list[dict[str, Any]]:
    """Return one row per round and seat. Amounts are not rounded, so that they still sum to the outcome."""
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    for each in shares:
        row = rows.setdefault((each.round, each.seat), {"round": each.round, "seat": each.seat, "causes": {}})
        row["causes"][each.cause] = each.amount
    return list(rows.values())


def _short(number: float) -> float:
    return round(number, DIGITS)
