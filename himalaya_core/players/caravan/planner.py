"""Two players: planner tests its plans against samples of opponents' plans; rollout also plays the best ones out."""

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from heapq import nlargest
from statistics import fmean
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.caravan.actions import InventoryAction, PassToken, PlaceToken
from himalaya_core.caravan.flow import placeable_tokens
from himalaya_core.caravan.fold import apply
from himalaya_core.caravan.pieces import PLAN_LENGTH, ROUNDS, Act, Plan, RoadType, Token
from himalaya_core.caravan.rules import decide, inventory_rewards, is_token_site
from himalaya_core.caravan.state import PlacedToken, State, evolve
from himalaya_core.players.caravan.quick_players import Balanced, Greedy, Trader
from himalaya_core.players.caravan.trade_search import appraise, carry_out, padded, play_on
from himalaya_core.seed import Seed

__all__ = ["RIVAL", "Planner", "Rollout"]


CANDIDATES: Final = 16
"""Number of plans tested against the opponents' most probable plans."""
COMPARED: Final = 8
"""Number of plans tested against every sample: those that did best against the most probable plans."""
SITES: Final = 4
"""Number of sites tried for each token."""
RIVAL: Final = Trader()
"""Model of every opponent: the simple player that is most similar to all others."""


class Planner(Balanced):
    """Evaluates the whole round with its rivals before it plans or places a token.

    It uses `samples` sets of opponents' plans: the most probable one, and others drawn from each opponent's best
    `rival_plans` plans. Its random stream draws these sets and breaks ties between plans. An opponent that knows this
    strategy therefore cannot predict the plan.
    """

    name = "planner"
    order = 6
    version = "3"
    params: Mapping[str, Any] = MappingProxyType(
        {
            **Balanced.params,
            "rival": 0.3,
            "religious": 12.0,
            "political": 12.0,
            "spread": 3.0,
            "cube": 1.5,
            "rank": 0.15,
            "near": 1.0,
            "token": 2.0,
            "samples": 4,
            "rival_plans": 6,
        }
    )
    least: Mapping[str, int] = MappingProxyType({"samples": 1, "rival_plans": 1})

    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Choose the plan with the best average result against the sampled plans of opponents."""
        ranked = self.ranked(view, seat)
        best = [plan for worth, plan in ranked if worth == ranked[0][0]]
        return random.Random(f"{self.seed}|{view.round}|{seat}|plan").choice(best)

    def ranked(self, view: State, seat: int) -> list[tuple[float, Plan]]:
        """Return the best plans with their average values, best first."""
        players = [self if other == seat else RIVAL for other in view.seats]
        likely, *others = self._samples(view, seat)

        def worth(mine: Plan, rivals: Mapping[int, Plan]) -> float:
            return appraise(carry_out(view, {**rivals, seat: mine}, players), seat, self.params)

        first = [(worth(plan, likely), plan) for plan in self._candidates(view, seat)]
        compared = nlargest(COMPARED, first, key=lambda candidate: candidate[0])
        average = [(fmean((known, *(worth(plan, rivals) for rivals in others))), plan) for known, plan in compared]
        return sorted(average, key=lambda candidate: -candidate[0])

    def _samples(self, view: State, seat: int) -> Iterator[dict[int, Plan]]:
        """Yield sets of opponents' plans, the most probable set first. They do not change during a round."""
        draws = random.Random(f"{self.seed}|{view.round}|{seat}")
        guesses = {other: self.guesses(view, other) for other in view.seats if other != seat}
        yield {other: plans[0] for other, plans in guesses.items()}
        for _ in range(self.params["samples"] - 1):
            yield {other: draws.choice(plans) for other, plans in guesses.items()}

    def guesses(self, view: State, rival: int) -> list[Plan]:
        """Return an opponent's best few plans. The best one is repeated, to weigh as much as all the others."""
        errands = RIVAL.errands(view, rival, view.caravans[rival])
        best = nlargest(self.params["rival_plans"], errands, key=lambda errand: errand.worth)
        plans = [padded(errand.acts) for errand in best]
        return [*plans, *[plans[0]] * (len(plans) - 2)]

    def _candidates(self, view: State, seat: int) -> list[Plan]:
        """Return the most valuable plans. Some are added again with a rest first, so that an opponent goes first."""
        errands = nlargest(CANDIDATES, self.errands(view, seat, view.caravans[seat]), key=lambda errand: errand.worth)
        plans = dict.fromkeys(padded(errand.acts) for errand in errands)
        plans.update(dict.fromkeys(_delayed(list(plans)[: CANDIDATES // 4])))
        return list(plans)

    def inventory(self, view: State, seat: int, /) -> InventoryAction:
        """Choose the reward that leads to the most valuable position."""

        def worth(reward: InventoryAction) -> float:
            return appraise(reduce(apply, decide(view, reward), view), seat, self.params)

        return max(inventory_rewards(view, seat), key=worth)

    def token(self, view: State, seat: int, /) -> PlaceToken | PassToken:
        """Place the token with the highest gain over passing, if any exceeds a threshold that falls each round."""
        enough = self.params["token"] * (ROUNDS - view.round) / ROUNDS
        without = self.ranked(view, seat)[0]
        best: PlaceToken | PassToken = PassToken(seat)
        for action in self._sites(view, seat, without[1]):
            placed = PlacedToken(action.token, seat, action.road, action.village)
            gain = self.ranked(evolve(view, tokens=(*view.tokens, placed)), seat)[0][0] - without[0]
            if gain > enough:
                best, enough = action, gain
        return best

    @staticmethod
    def _sites(view: State, seat: int, mine: Plan) -> Iterator[PlaceToken]:
        """Yield a few sites per token: roads that probably only opponents use, and markets on the player's route."""
        own = set(_journey(view, seat, mine))
        rivals = [rival for rival in view.seats if rival != seat]
        taken = [place for rival in rivals for place in _journey(view, rival, RIVAL.plan(view, rival))]
        roads = [place for place in dict.fromkeys(taken) if isinstance(place, tuple) and place not in own]
        markets = sorted(place for place in own if isinstance(place, int))
        for token in sorted(placeable_tokens(view, seat)):
            if token is Token.MARKET:
                sites = [PlaceToken(seat, token, village=village) for village in markets]
            else:
                sites = [PlaceToken(seat, token, road=road) for road in roads]
            yield from [site for site in sites if is_token_site(view, site)][:SITES]


def _delayed(plans: Sequence[Plan]) -> Iterator[Plan]:
    """Yield each plan that ends with a rest, with this rest moved to the beginning."""
    for plan in plans:
        if plan[-1] is Act.REST:
            yield (Act.REST, *plan[: PLAN_LENGTH - 1])


def _journey(view: State, seat: int, plan: Sequence[Act]) -> Iterator[int | tuple[int, int]]:
    """Yield the roads a plan uses and the villages where it trades, assuming that nothing blocks it."""
    village = view.caravans[seat]
    for act in plan:
        if act is Act.TRADE:
            yield village
        elif act is not Act.REST:
            to = view.board.neighbours[village].get(RoadType(act))
            if to is not None:
                yield min(village, to), max(village, to)
                village = to


PLAYOUT: Final = Greedy()
"""The player that plays the later rounds of a playout: the fastest one that is not random."""


class Rollout(Planner):
    """Samples the rivals' plans from the most valuable ones, and the dice of the following rounds.

    All plans are played out against the same samples, so their results differ only because of the plan. `playouts` is
    the number of playouts per decision, and `horizon` the number of rounds in each. `milliseconds` is a time limit per
    decision (0: none). With a time limit, a match cannot be reproduced.
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
        """False if there is a time limit, because choices then depend on the speed of the machine."""
        return not self.params["milliseconds"]

    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Play out the planner's best plans and choose the one with the best average."""
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
