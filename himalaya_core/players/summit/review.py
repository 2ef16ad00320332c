"""Review of summit matches: each die and card compared with all others that could have been used."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from himalaya_core.engine import step
from himalaya_core.game import CHANCE
from himalaya_core.log.codec import Entry, written_action
from himalaya_core.players.summit.telling import brought, doing, used
from himalaya_core.replay import Replay
from himalaya_core.review.seats import labels_of
from himalaya_core.review.swings import Evaluation, GameReview, Swing, Value, by_turn, interval
from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT as GAME
from himalaya_core.summit.actions import Action, SeatAction
from himalaya_core.summit.legal import legal_actions
from himalaya_core.summit.state import State

__all__ = ["SUMMIT"]

DRAWS: Final = tuple(Seed(f"review-{number}") for number in range(10))
"""Seeds of the dice and cards drawn before another seat chooses."""


@dataclass(frozen=True, slots=True)
class Appraised:
    """A choice and the seat's win probabilities after it: one for each draw, or a single one without draws."""

    action: SeatAction
    chances: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over all draws."""
        return fmean(self.chances)


def _judgements(replay: Replay, value: Value) -> list[Evaluation]:
    """Return an evaluation of each decision against the best available choice.

    A choice is valued by the win probability when another seat next has to choose. Until then, the seat's own choices
    (a resupply, or a move after a reroll) are the best ones. Dice and cards are sampled several times, with the same
    samples for every choice, and never with the draws of the match.
    """
    judged = []
    for state, entry in zip(replay.states, replay.entries[1:], strict=False):
        if entry.action is not None and entry.seat is not None:
            view = GAME.view(state, entry.seat)
            found = [_appraised(view, entry.seat, action, value) for action in legal_actions(view, entry.seat)]
            if len(found) > 1:
                judged.append(_judged(view, entry, found, labels_of(replay.header)))
    return judged


def _judged(view: State, entry: Entry, found: Sequence[Appraised], labels: Sequence[str]) -> Evaluation:
    chosen = next(each for each in found if each.action == entry.action)
    best = max(found, key=lambda each: (each.mean, each is chosen))
    cost, low, high = interval(_apart(best.chances, chosen.chances))
    values: dict[str, float] = {}
    for each in found:
        values[used(each.action)] = max(each.mean, values.get(used(each.action), 0.0))
    assert entry.seat is not None, "a seat decided"
    return Evaluation(
        seq=entry.seq,
        shown=entry.seq,
        round=entry.round,
        seat=entry.seat,
        cost=cost,
        low=low,
        high=high,
        action=json.loads(written_action(GAME, best.action)),
        words=doing([event for event, _ in step(GAME, view, best.action)], view.board, labels),
        values=values,
    )


def _apart(best: tuple[float, ...], chosen: tuple[float, ...]) -> list[float]:
    """Return the differences over the draws, or a single one without draws."""
    count = max(len(best), len(chosen))
    pairs = zip(best * (count // len(best)), chosen * (count // len(chosen)), strict=True)
    return [one - other for one, other in pairs]


def _appraised(view: State, seat: int, action: SeatAction, value: Value) -> Appraised:
    reached = _after(view, action)
    draws = DRAWS if _draws(reached) else DRAWS[:1]
    return Appraised(action, tuple([_outlook(reached, seat, value, draw) for draw in draws]))


def _after(state: State, action: Action) -> State:
    return step(GAME, state, action)[-1][1]


def _draws(state: State) -> bool:
    """Return whether dice are thrown before another seat chooses."""
    return GAME.outcome(state) is None and (not state.pool or GAME.actors(state) == (CHANCE,))


def _outlook(state: State, seat: int, value: Value, draw: Seed) -> float:
    """Return the seat's win probability when another seat next has to choose."""
    while GAME.actors(state) == (CHANCE,):
        state = _after(state, GAME.sample_chance(state, draw))
    if seat in GAME.actors(state):
        choices = legal_actions(state, seat)
        return max([_outlook(_after(state, action), seat, value, draw) for action in choices])
    return value(state)[seat]


def _words(replay: Replay, swing: Swing) -> str:
    """Describe the cause of a change as the beginning of a sentence."""
    events = [entry.event for entry in replay.entries[swing.since + 1 : swing.seq + 1]]
    labels = labels_of(replay.header)
    if swing.by == CHANCE:
        return brought(events, labels)
    return f"{labels[swing.by]} {doing(events, replay.board, labels)}"


SUMMIT: Final = GameReview(swings=by_turn, judgements=_judgements, words=_words)
