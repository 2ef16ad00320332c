"""Rollout: samples what it cannot know, plays its best plans out against each sample, and takes the best on average."""

import random
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.caravan.pieces import Act
from himalaya_core.caravan.state import State
from himalaya_core.players.caravan.forecast import appraise, carry_out, play_on
from himalaya_core.players.caravan.greedy import Greedy
from himalaya_core.players.caravan.planner import RIVAL, Planner
from himalaya_core.seed import Seed

__all__ = ["Rollout"]

PLAYOUT: Final = Greedy()
"""Who plays the rounds after this one: the fastest player that is not random."""


class Rollout(Planner):
    """Samples the rivals' plans, from their best errands, and the dice of the rounds to come.

    Every candidate is played out against the same samples, so that candidates differ by the plan alone. `playouts` is
    the budget of one decision; `milliseconds` limits its time too (0: no limit; with one, a match can no longer be
    repeated). `horizon` is how many rounds each playout lasts.
    """

    name = "rollout"
    order = 7
    version = "2"
    params: Mapping[str, Any] = MappingProxyType(
        {**Planner.params, "rival_plans": 3, "playouts": 40, "candidates": 5, "horizon": 1, "milliseconds": 0}
    )

    least = MappingProxyType({**Planner.least, "playouts": 1, "candidates": 1})

    @property
    def is_repeatable(self) -> bool:
        """Whether it would choose the same again: not on a budget of time."""
        return not self.params["milliseconds"]

    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Play the planner's best candidates out, and take the one that ends best on average."""
        candidates = [plan for _, plan in self.ranked(view, seat)[: self.params["candidates"]]]
        guesses = {other: self.guesses(view, other) for other in view.seats if other != seat}
        players = [self if other == seat else RIVAL for other in view.seats]
        worth = dict.fromkeys(candidates, 0.0)
        draws = random.Random(f"{self.seed}|{view.round}")
        stop = time.monotonic() + self.params["milliseconds"] / 1000
        for sample in range(max(1, self.params["playouts"] // len(candidates))):
            if sample and self.params["milliseconds"] and time.monotonic() > stop:
                break
            seed = Seed(f"{self.seed}|{view.round}|{sample}")
            plans = {other: draws.choice(guess) for other, guess in guesses.items()}
            for candidate in candidates:
                after = carry_out(view, {**plans, seat: candidate}, players)
                worth[candidate] += appraise(play_on(after, self.params["horizon"], PLAYOUT, seed), seat, self.params)
        return max(worth, key=worth.__getitem__)
