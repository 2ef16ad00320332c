"""Rollout: plays its best plans out against samples of hidden information, and takes the best on average."""

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
"""Plays the following rounds: the fastest player that is not random."""


class Rollout(Planner):
    """Samples the rivals' plans from the most valuable ones, and the dice of the following rounds.

    All candidates are played out against the same samples, so they differ only by the plan. `playouts` is the budget of
    one decision and `horizon` the number of rounds in each playout. `milliseconds` limits its time too (0: no limit);
    with a limit, a match cannot be reproduced.
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
        """Whether it always makes the same choices; false with a time limit."""
        return not self.params["milliseconds"]

    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Play out the planner's best candidates and take the best on average."""
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
