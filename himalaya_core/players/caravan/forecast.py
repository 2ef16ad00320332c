"""Looking ahead within a round: predicted plans of rivals, their execution, and the value of the result.

A forecast follows the real rules: the engine carries out the predicted plans together with a candidate plan. The first
caravan to arrive takes the cheap cube, and a late one finds the order gone.
"""

from collections.abc import Mapping, Sequence
from math import tanh
from typing import Final

from himalaya_core.caravan.actions import Action, SeatAction
from himalaya_core.caravan.chance import sample_chance
from himalaya_core.caravan.flow import acting_seat, actors, advance
from himalaya_core.caravan.fold import apply
from himalaya_core.caravan.pieces import PLAN_LENGTH, ROUNDS, SUPPLY, Act, Plan, holds
from himalaya_core.caravan.rules import decide
from himalaya_core.caravan.scoring import final, influences
from himalaya_core.caravan.state import State, evolve
from himalaya_core.game import CHANCE, DiceSource
from himalaya_core.players.caravan.routes import routes
from himalaya_core.players.caravan.traveller import Traveller

__all__ = ["WIN", "appraise", "carry_on", "carry_out", "padded", "play_on"]

WIN: Final = 100.0
"""Value of winning the match, in yaks."""


def padded(acts: Sequence[Act]) -> Plan:
    """Return a plan of six: the actions, filled up with rests."""
    return (*acts, *(Act.REST,) * (PLAN_LENGTH - len(acts)))


def carry_out(state: State, plans: Mapping[int, Plan], players: Sequence[Traveller]) -> State:
    """Return the position after the six actions with these plans; the players decide on trades."""
    state = evolve(state, plans=tuple(plans[seat] for seat in state.seats), step=1, turn=0, token_turn=len(state.seats))
    return carry_on(state, players)


def carry_on(state: State, players: Sequence[Traveller]) -> State:
    """Return the position after the six actions, from any position during them."""
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
    """Return the position after the six actions `rounds` rounds later, with one player in every seat."""
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
    """Return the value in yaks of a position after the six actions, for a seat.

    It counts yaks against the best rival's, the margin to both eliminations (more so near the end), goods that can
    still be used, and a deliverable order within reach.
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
    """Return the value of the hand: cubes by rank while rounds are left, more if a deliverable order is near."""
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
