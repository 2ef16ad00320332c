"""Trade search: the best sequence of trades in a round, and the value of the resulting position."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from math import tanh
from typing import Final, NamedTuple

from himalaya_core.caravan.actions import Action, SeatAction
from himalaya_core.caravan.flow import acting_seat, actors, advance, sample_chance
from himalaya_core.caravan.fold import apply
from himalaya_core.caravan.pieces import (
    NO_GOODS,
    PLAN_LENGTH,
    RANK,
    ROUNDS,
    SUPPLY,
    Act,
    Goods,
    Order,
    Plan,
    Resource,
    holds,
    minus,
    plus,
)
from himalaya_core.caravan.rules import decide, offered
from himalaya_core.caravan.scoring import final, influences
from himalaya_core.caravan.state import State, evolve
from himalaya_core.game import CHANCE, DiceSource
from himalaya_core.players.caravan.base import Routes, Traveller, routes

__all__ = ["WIN", "Errand", "ErrandPlayer", "appraise", "carry_on", "carry_out", "padded", "play_on"]


RIVAL_DISCOUNT: Final = 0.8
"""Factor on a trade's value for each opponent that is nearer to the village."""
STEP_DISCOUNT: Final = 0.97
"""Factor on a trade's value for each action before it, because opponents may come first."""
PROSPECT: Final = 0.25
"""Share of a delivery's value that is credited if the round ends near the delivery's village."""

CUBE: Final = 3.0
"""Value of a cube of salt in yaks. It was found by trial: players with lower values deliver fewer orders."""
CUBE_TOO_MANY: Final = 1.0
CUBE_RANK: Final = 0.15
FULL_HAND: Final = 12


class Errand(NamedTuple):
    """A partial plan: the village where it ends, the goods in hand by then, and its value."""

    village: int
    hand: Goods
    acts: tuple[Act, ...]
    visited: frozenset[int]
    worth: float


class ErrandPlayer(Traveller):
    """Base of players that plan the most valuable sequence of trades."""

    @abstractmethod
    def rewards_worth(self, view: State, seat: int, village: int, order: Order, /) -> float:
        """Return the value of the rewards for delivering an order in a village."""

    def cube_worth(self, _view: State, _seat: int, hand: Goods, resource: Resource, /) -> float:
        """Return the value of one more cube: slightly higher for dearer goods, much lower once the hand is full."""
        return (CUBE if sum(hand) < FULL_HAND else CUBE_TOO_MANY) * (1.0 + CUBE_RANK * RANK[resource])

    def place(self, view: State, seat: int, free: Sequence[int], /) -> int:
        """Start in the village with the most valuable first trades."""
        return max(free, key=lambda village: self._best(view, seat, village).worth)

    def plan(self, view: State, seat: int, /) -> Sequence[Act]:
        """Plan the most valuable trades."""
        return self._best(view, seat, view.caravans[seat]).acts

    def _best(self, view: State, seat: int, village: int) -> Errand:
        """Return the most valuable sequence of trades from a village. Unused actions approach the next delivery."""
        return max(self.errands(view, seat, village), key=lambda errand: errand.worth)

    def errands(self, view: State, seat: int, village: int) -> Iterator[Errand]:
        """Yield every sequence of trades possible in six actions, even none. Unused actions approach a delivery."""
        ways = routes(view)
        worths = {v: self.rewards_worth(view, seat, v, order) for v, order in enumerate(view.orders) if order}
        for errand in self._trades(view, seat, ways, village, worths):
            yield self._go_on(view, ways, errand, worths)

    def _trades(
        self, view: State, seat: int, ways: Routes, village: int, worths: Mapping[int, float]
    ) -> Iterator[Errand]:
        targets = [v for v, goods in enumerate(view.goods) if goods != NO_GOODS or view.orders[v] is not None]
        earlier = {target: self._rivals(view, seat, ways, target) for target in targets}
        stack = [Errand(village, view.hands[seat], (), frozenset(), 0.0)]
        while stack:
            errand = stack.pop()
            yield errand
            for target in targets:
                used = len(errand.acts) + ways.distance(errand.village, target) + 1
                if used > PLAN_LENGTH or target in errand.visited:
                    continue
                order = view.orders[target]
                if order is not None:
                    if not holds(errand.hand, order.demand):
                        continue
                    worth, hand = worths[target], minus(errand.hand, order.demand)
                else:
                    resource = offered(view, target)[-1]
                    worth = self.cube_worth(view, seat, errand.hand, resource)
                    hand = plus(errand.hand, {resource: 1})
                sooner = sum(distance < used for distance in earlier[target])
                worth *= RIVAL_DISCOUNT**sooner * STEP_DISCOUNT**used
                acts = (*errand.acts, *ways.ways[errand.village][target], Act.TRADE)
                stack.append(Errand(target, hand, acts, errand.visited | {target}, errand.worth + worth))

    @staticmethod
    def _rivals(view: State, seat: int, ways: Routes, target: int) -> list[int]:
        """Return the number of actions that each opponent needs to reach a village and trade there."""
        placed = [village for rival, village in enumerate(view.caravans) if village and rival != seat]
        return [ways.distance(village, target) + 1 for village in placed]

    @staticmethod
    def _go_on(view: State, ways: Routes, errand: Errand, worths: Mapping[int, float]) -> Errand:
        """Use the remaining actions to approach an order that the goods in hand would fulfil next round."""
        left = PLAN_LENGTH - len(errand.acts)
        best = errand
        for village, worth_there in worths.items():
            way = ways.ways[errand.village].get(village)
            order = view.orders[village]
            if order is None or way is None or village in errand.visited or not holds(errand.hand, order.demand):
                continue
            after = max(0, len(way) - left)
            worth = errand.worth + PROSPECT * worth_there / (1 + after)
            if worth > best.worth:
                best = errand._replace(acts=(*errand.acts, *way[:left]), worth=worth)
        return best


WIN: Final = 100.0
"""Value of winning the match, in yaks."""


def padded(acts: Sequence[Act]) -> Plan:
    """Return a plan of six actions: these, followed by rests."""
    return (*acts, *(Act.REST,) * (PLAN_LENGTH - len(acts)))


def carry_out(state: State, plans: Mapping[int, Plan], players: Sequence[Traveller]) -> State:
    """Return the position after the six actions of these plans; `players` decide on trades."""
    state = evolve(state, plans=tuple(plans[seat] for seat in state.seats), step=1, turn=0, token_turn=len(state.seats))
    return carry_on(state, players)


def carry_on(state: State, players: Sequence[Traveller]) -> State:
    """Return the position after the six actions, starting from any position during them."""
    while state.step <= PLAN_LENGTH:
        event = advance(state)
        if event is not None:
            state = apply(state, event)
            continue
        seat = acting_seat(state)
        action: SeatAction = players[seat].choose(state, seat)
        for chosen in decide(state, action):
            state = apply(state, chosen)
    return state


def play_on(state: State, rounds: int, player: Traveller, seed: DiceSource) -> State:
    """Return the position after the six actions of a round, `rounds` rounds later; `player` plays every seat."""
    until = min(ROUNDS, state.round + rounds)
    while state.round < until or state.step <= PLAN_LENGTH:
        event = advance(state)
        if event is not None:
            state = apply(state, event)
            continue
        actor = actors(state)[0]
        action: Action = sample_chance(state, seed) if actor == CHANCE else player.choose(state, actor)
        for chosen in decide(state, action):
            state = apply(state, chosen)
    return state


def appraise(state: State, seat: int, weights: Mapping[str, float]) -> float:
    """Return the value in yaks, for one seat, of a position after the six actions.

    The value includes the lead in yaks over the best opponent and the margin to both eliminations, which counts more
    near the end. It also includes goods that can still be used, and an order that can be delivered nearby.
    """
    left = ROUNDS - state.round
    if not left:
        winners = final(state).outcome.winners
        if seat in winners:
            return WIN / len(winners)
    scores = influences(state)
    rivals = [other for other in state.seats if other != seat]
    pressing = 1.0 - left / (ROUNDS + 2)
    worth = scores.economic[seat] - weights["rival"] * max(scores.economic[rival] for rival in rivals)
    supply = SUPPLY[len(state.seats)]
    if supply.out_religious:
        religious = scores.religious[seat] - min(scores.religious[rival] for rival in rivals)
        political = scores.political[seat] - min(scores.political[rival] for rival in rivals)
        holding = sum(row[seat] for row in state.delegations)
    else:
        religious = scores.religious[seat] - max(scores.religious[rival] for rival in rivals)
        political = scores.political[seat] - max(scores.political[rival] for rival in rivals)
        holding = 0
    worth += weights["religious"] * pressing * tanh((religious - 0.5) / weights["spread"])
    worth += weights["political"] * pressing * tanh((political - 0.5 + 0.05 * holding) / (weights["spread"] / 2))
    return worth + _goods(state, seat, left, weights)


def _goods(state: State, seat: int, left: int, weights: Mapping[str, float]) -> float:
    """Return the value of the goods in hand: more for dearer goods and near a delivery, 0 after the last round."""
    if not left:
        return 0.0
    hand = state.hands[seat]
    worth = sum(min(count, 4) * (1.0 + weights["rank"] * rank) for rank, count in enumerate(hand)) * weights["cube"]
    ways = routes(state)
    village = state.caravans[seat]
    near = 0.0
    for there, order in enumerate(state.orders):
        if order is not None and holds(hand, order.demand):
            near = max(near, order.yaks / (1 + ways.distance(village, there)))
    return worth * min(1.0, left / 3) + weights["near"] * near
