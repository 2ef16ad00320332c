"""Rollouts of a round: win probabilities after it, against sampled plans of the rivals."""

import random
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from himalaya_core.by_seat import BySeat
from himalaya_core.caravan.flow import actors, advance
from himalaya_core.caravan.fold import apply
from himalaya_core.caravan.pieces import NO_GOODS, PLAN_LENGTH, Plan
from himalaya_core.caravan.rules import decide
from himalaya_core.caravan.state import State, evolve
from himalaya_core.players.caravan.forecast import carry_out
from himalaya_core.players.caravan.planner import RIVAL, Planner
from himalaya_core.players.caravan.traveller import Traveller
from himalaya_core.replay import Replay
from himalaya_core.review.swings import Value

__all__ = ["Reference", "Rivals", "chances_after", "reference", "samples", "worth"]

Rivals: TypeAlias = tuple[Plan, ...]
"""A sample of plans by seat; empty for the seat itself."""


class Reference(Planner):
    """The reference player for reviews; caches its predictions of rivals' plans per position."""

    _view: State | None = None

    def guesses(self, view: State, rival: int) -> list[Plan]:
        """Return a rival's best few plans as `planner` predicts them, cached for the position."""
        if view is not self._view:
            self._view, self._guessed = view, dict[int, list[Plan]]()
        if rival not in self._guessed:
            self._guessed[rival] = super().guesses(view, rival)
        return self._guessed[rival]


def reference(replay: Replay) -> Reference:
    """Return the reference player of a match: planner against its rivals' most probable plans.

    It takes half the time of the default planner, which samples several sets of plans.
    """
    return Reference(f"{replay.entries[0].match}|review", {"samples": 1})


def _closed(state: State, player: Traveller) -> State:
    """Finish a round after its six actions without refills: up to the next round or the outcome.

    Rewards still owed by an inventory are included; `player` chooses them.
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
    """Return the win probabilities of a position; if the six actions are over, of the end of the round."""
    return value(_closed(state, player) if state.step > PLAN_LENGTH else state)


def samples(state: State, seat: int, player: Reference, count: int) -> list[Rivals]:
    """Return samples of rivals' plans as a seat could predict them before the round; repeatable."""
    draws = random.Random(f"{player.seed}|{state.round}|{seat}|rivals")
    guesses = [() if rival == seat else player.guesses(state, rival) for rival in state.seats]
    return [tuple(draws.choice(plans) if plans else () for plans in guesses) for _ in range(count)]


def chances_after(state: State, seat: int, player: Reference, value: Value) -> Callable[[Plan, Rivals], float]:
    """Return a function from a plan and the rivals' plans to the seat's win probability afterwards."""
    players = [player if other == seat else RIVAL for other in state.seats]

    @cache
    def chance(plan: Plan, rivals: Rivals) -> float:
        plans = dict(enumerate(rivals)) | {seat: plan}
        return worth(carry_out(state, plans, players), player, value)[seat]

    return chance
