"""Splits a match into rounds, and values positions by the win probability expected after the round."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final, TypeAlias

from himalaya_core.caravan.events import (
    Bartered,
    DelegationsSent,
    OrderReturned,
    PlanCommitted,
    PlansRevealed,
    RefillRolled,
    StupaPlaced,
    TokenPlaced,
)
from himalaya_core.caravan.flow import actors, advance
from himalaya_core.caravan.fold import apply
from himalaya_core.caravan.pieces import NO_GOODS, PLAN_LENGTH, Plan
from himalaya_core.caravan.rules import decide
from himalaya_core.caravan.state import State, evolve
from himalaya_core.game import BySeat
from himalaya_core.players.caravan.base import Traveller
from himalaya_core.players.caravan.planner import RIVAL, Planner
from himalaya_core.players.caravan.trade_search import carry_out
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import Value

__all__ = ["Reference", "Rivals", "Round", "chances_after", "reference", "rounds", "samples", "worth"]


OF_DELIVERY: Final = (Bartered, OrderReturned, StupaPlaced, DelegationsSent)
"""Events that a delivery can cause in the same ply, after the event that ends the seat's step."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round with revealed plans. All fields except the round's number are indices of log entries.

    Tokens are placed after `start`, and plans are made after `planning`. `plans` are indexed by seat. `trades` are the
    decisions about trades. `done` is the last entry of the six actions (`None` until they are over). `rewards` are the
    choices of inventory winners.
    """

    number: int
    start: int
    tokens: tuple[int, ...]
    planning: int
    plans: tuple[int, ...]
    revealed: int
    trades: tuple[int, ...]
    done: int | None
    refills: tuple[int, ...]
    rewards: tuple[int, ...]


def rounds(replay: Replay) -> Iterator[Round]:
    """Yield the rounds with revealed plans, in order."""
    places = range(len(replay.entries))
    for number, group in groupby(places, key=lambda place: replay.states[place].round):
        found = list(group)
        if number and any(isinstance(replay.entries[place].event, PlansRevealed) for place in found):
            yield _cut(replay, number, found)


def _cut(replay: Replay, number: int, places: Sequence[int]) -> Round:
    entries, states = replay.entries, replay.states
    plans = [place for place in places if isinstance(entries[place].event, PlanCommitted)]
    revealed = next(place for place in places if isinstance(entries[place].event, PlansRevealed))
    choices = [place for place in places if _is_choice(replay, place)]
    chosen = [place for place in choices if place > revealed]
    return Round(
        number=number,
        start=choices[0] - 1,
        tokens=tuple(place for place in places if isinstance(entries[place].event, TokenPlaced)),
        planning=plans[0] - 1,
        plans=tuple(sorted(plans, key=lambda place: entries[place].event.seat)),
        revealed=revealed,
        trades=tuple(place for place in chosen if states[place - 1].step <= PLAN_LENGTH),
        done=_done(replay, places),
        refills=tuple(place for place in places if isinstance(entries[place].event, RefillRolled)),
        rewards=tuple(place for place in chosen if states[place - 1].step > PLAN_LENGTH),
    )


def _is_choice(replay: Replay, place: int) -> bool:
    """Return whether an entry is the first event of a seat's decision."""
    entry = replay.entries[place]
    return entry.seat is not None and entry.ply != replay.entries[place - 1].ply


def _done(replay: Replay, places: Sequence[int]) -> int | None:
    """Return the last entry of the six actions; `None` if the log may end before that."""
    entries = replay.entries
    done = next((place for place in places if replay.states[place].step > PLAN_LENGTH), places[-1])
    while done + 1 < len(entries) and isinstance(entries[done + 1].event, OF_DELIVERY):
        if entries[done + 1].ply != entries[done].ply:
            break
        done += 1
    return done if done + 1 < len(entries) else None


Rivals: TypeAlias = tuple[Plan, ...]
"""One plan per seat, in seat order; the reviewed seat's own plan is empty."""


class Reference(Planner):
    """The reference player for reviews. It caches its predictions of opponents' plans."""

    _view: State | None = None

    def guesses(self, view: State, rival: int) -> list[Plan]:
        """Return the opponent's best few plans as predicted by `planner`, cached by position."""
        if view is not self._view:
            self._view, self._guessed = view, dict[int, list[Plan]]()
        if rival not in self._guessed:
            self._guessed[rival] = super().guesses(view, rival)
        return self._guessed[rival]


def reference(replay: Replay) -> Reference:
    """Return the reference player of a match: planner, using only the opponents' most probable plans.

    It takes half the time of the default planner, which samples several sets of plans.
    """
    return Reference(f"{replay.entries[0].match}|review", {"samples": 1})


def _closed(state: State, player: Traveller) -> State:
    """Complete a round after its six actions, without refills, up to the next round or the end of the match.

    If an inventory winner has yet to choose a reward, `player` chooses it.
    """
    state = evolve(state, bag=NO_GOODS, order_bag=frozenset())
    while state.step > PLAN_LENGTH:
        event = advance(state)
        if event is not None:
            state = apply(state, event)
            continue
        choosing = actors(state)
        if not choosing:
            break
        for chosen in decide(state, player.inventory(state, choosing[0])):
            state = apply(state, chosen)
    return state


def worth(state: State, player: Traveller, value: Value) -> BySeat:
    """Return the win probabilities of a position. If all six actions are done, complete the round first."""
    return value(_closed(state, player) if state.step > PLAN_LENGTH else state)


def samples(state: State, seat: int, player: Reference, count: int) -> list[Rivals]:
    """Return samples of the opponents' plans, as the seat could predict them; the same in every call."""
    draws = random.Random(f"{player.seed}|{state.round}|{seat}|rivals")
    guesses = [() if rival == seat else player.guesses(state, rival) for rival in state.seats]
    return [tuple(draws.choice(plans) if plans else () for plans in guesses) for _ in range(count)]


def chances_after(state: State, seat: int, player: Reference, value: Value) -> Callable[[Plan, Rivals], float]:
    """Return a function that maps a plan and the opponents' plans to the seat's win probability after the round."""
    players = [player if other == seat else RIVAL for other in state.seats]

    @cache
    def chance(plan: Plan, rivals: Rivals) -> float:
        plans = dict(enumerate(rivals)) | {seat: plan}
        return worth(carry_out(state, plans, players), player, value)[seat]

    return chance
