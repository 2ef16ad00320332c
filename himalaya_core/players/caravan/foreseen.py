"""A round as it could be foreseen: the chances after it, against samples of what the rivals may plan."""

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
"""A sample of plans by seat; that of the seat itself is empty."""


class Reference(Planner):
    """The player that plays beside a match: works out what a rival may plan once a position, not once for each seat."""

    _view: State | None = None

    def guesses(self, view: State, rival: int) -> list[Plan]:
        """Return a rival's best few errands, as `planner` expects them."""
        if view is not self._view:
            self._view, self._guessed = view, dict[int, list[Plan]]()
        if rival not in self._guessed:
            self._guessed[rival] = super().guesses(view, rival)
        return self._guessed[rival]


def reference(replay: Replay) -> Reference:
    """Return the player that plays beside a match: planner against its rivals' most probable plans.

    It takes half the time of the planner that samples them.
    """
    return Reference(f"{replay.entries[0].match}|review", {"samples": 1})


def _closed(state: State, player: Traveller) -> State:
    """Return where a round ends whose six actions are done, if nothing is refilled: the next round, or the outcome.

    What an inventory still owes is in it; a player chooses the rewards.
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
    """Return the chances from a position; after the six actions, from where the round ends."""
    return value(_closed(state, player) if state.step > PLAN_LENGTH else state)


def samples(state: State, seat: int, player: Reference, count: int) -> list[Rivals]:
    """Return samples of what the rivals may plan, as a seat may guess it before a round; the same whenever asked."""
    draws = random.Random(f"{player.seed}|{state.round}|{seat}|rivals")
    guesses = [() if rival == seat else player.guesses(state, rival) for rival in state.seats]
    return [tuple(draws.choice(plans) if plans else () for plans in guesses) for _ in range(count)]


def chances_after(state: State, seat: int, player: Reference, value: Value) -> Callable[[Plan, Rivals], float]:
    """Return a function of a plan and the rivals' plans: the chances of a seat after they are carried out."""
    players = [player if other == seat else RIVAL for other in state.seats]

    @cache
    def chance(plan: Plan, rivals: Rivals) -> float:
        plans = dict(enumerate(rivals)) | {seat: plan}
        return worth(carry_out(state, plans, players), player, value)[seat]

    return chance
