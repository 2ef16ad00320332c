"""One round ahead: every rival's answer, whether the match ends on the way, and what is left for a climber then.

The match is over once as many turns in a row as there are players brought no rise. So each answer says whether it
rose, the last of them all is a win or a loss, and a ladder is worth as much as it is likely to be used: the price of
one counts by the share of the turns to come in which somebody still rises.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.pieces import put
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State, evolve
from himalaya_core.players.climbers.prospects import (
    Goal,
    Prices,
    at_its_turn,
    covers,
    gains,
    goals,
    hindrances,
    is_at,
    landings,
    moved_to,
    tried,
    worth_now,
)

__all__ = ["FREE", "LOOKED_AT", "Answer", "Weights", "answered", "apart", "at_end", "raised_to"]

LOOKED_AT: Final = 60
"""How many landings are told apart."""
FEARED: Final = 3
"""How many ways to be hindered are thought of."""
FREE: Final = Prices(0.0, 0.0)
WIN: Final = 100.0
"""The worth of a match that is won, in levels; lost, it is as much below zero."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts beside levels: ladders, `ways` to rise, the best rival's levels, what the `next` turn brings."""

    prices: Prices
    ways: float
    rival: float
    next: float


@dataclass(frozen=True, slots=True)
class Answer:
    """A turn that a climber makes for itself: the position after it, whether it rose, in how many places it could."""

    state: State
    rose: bool
    ways: int


def raised_to(state: State, seat: int, goal: Goal) -> State:
    """Return the position with a climber at a goal; a rise is counted as the rules do (L-9.tie)."""
    if is_at(state, seat, goal):
        return state
    risen = goal.height > level(state, seat)
    state = moved_to(state, seat, goal)
    if not risen:
        return state
    rises = state.rises + 1
    return evolve(state, rises=rises, reached=put(state.reached, seat, rises), climbed=True)


def answered(state: State, seat: int, prices: Prices) -> Answer:
    """Return a seat's turn in which it makes the block move that leads it highest, and climbs as high as it gets."""
    state = at_its_turn(state, seat)
    before, worth, best = level(state, seat), worth_now(state, seat, prices), state
    found = gains(state, seat, prices)
    for gain in found:
        if gain.worth <= worth:
            break
        for _, position in tried(state, seat, gain, 1):
            reached = worth_now(position, seat, prices)
            if reached > worth:
                worth, best = reached, position
        if worth >= gain.worth:
            break
    best = raised_to(best, seat, goals(best, seat, prices)[0])
    return Answer(best, level(best, seat) > before, apart(landings(ground(state).grid, found, LOOKED_AT)))


def apart(boxes: Sequence[int]) -> int:
    """Return how many landings have no square in common: one block covers few of them."""
    taken = count = 0
    for box in boxes:
        if not box & taken:
            taken, count = taken | box, count + 1
    return count


def at_end(state: State, seat: int, weights: Weights, *, wary: bool = False) -> float:
    """Return what a position is worth to a seat when nothing more is done in this turn.

    Who is wary counts by half what is left if the next rival does not think of itself but hinders.
    """
    count, over = len(state.seats), 0.0
    streak = 0 if state.climbed else state.streak + 1
    if streak == count:
        over, streak = 0.0 if _another_may_rise(state, state.active) else _ended(state, seat), 0
    order = [(state.active + turn) % count for turn in range(1, count + 1)]
    order = order[: order.index(seat) + 1]
    expected = over + _outlook(state, seat, weights, streak, order)
    if over or not wary or len(order) == 1:
        return expected
    replies = _hindering(at_its_turn(state, order[0]), order[0], seat, weights.prices)
    return (expected + min([_feared(reply, seat, weights, streak, order) for reply in replies], default=expected)) / 2


def _hindering(state: State, mover: int, rival: int, prices: Prices) -> Iterator[Answer]:
    """Yield what a seat may do against a rival's next turn: a block is laid where it would climb, or taken away."""
    before, found = level(state, mover), gains(at_its_turn(state, rival), rival, FREE)
    moves = covers(state, mover, landings(ground(state).grid, found, LOOKED_AT), None, FEARED)
    for _, position in [*moves, *hindrances(state, mover, rival, prices, 1)]:
        there = raised_to(position, mover, goals(position, mover, prices)[0])
        yield Answer(there, level(there, mover) > before, 0)


def _feared(reply: Answer, seat: int, weights: Weights, streak: int, order: Sequence[int]) -> float:
    """Return what is left to a seat after the first of some turns went so."""
    streak, over = 0 if reply.rose else streak + 1, 0.0
    if streak == len(reply.state.seats):
        over, streak = 0.0 if _another_may_rise(reply.state, order[0]) else _ended(reply.state, seat), 0
    return over + _outlook(reply.state, seat, weights, streak, order[1:])


def _outlook(state: State, seat: int, weights: Weights, streak: int, order: Sequence[int]) -> float:
    """Return what a position between turns is worth to a seat, after the turns that come, its own the last of them.

    `streak` is how many turns in a row ended without a rise. The turns go on after an end that was expected: of
    several wins or losses one is the better, for the others may not answer so.
    """
    ways, rises, over, stood = dict.fromkeys(state.seats, 0), 0, 0.0, 0.0
    for mover in order:
        last = streak == len(state.seats) - 1
        if last and not over and _would_pass(state, mover, seat):
            over, streak, last = _ended(state, seat), 0, False
        if mover == seat:
            stood = level(state, seat) + weights.prices.of(state.ladders[seat])
        answer = answered(state, mover, FREE if last else weights.prices)
        state, ways[mover], rises = answer.state, answer.ways, rises + answer.rose
        streak = 0 if answer.rose else streak + 1
        if streak == len(state.seats):
            over, streak = over or (0.0 if _another_may_rise(state, mover) else _ended(state, seat)), 0
    worths = {
        each: level(state, each)
        + weights.ways * (1 - 0.5 ** ways[each])
        + rises / len(order) * weights.prices.of(state.ladders[each])
        for each in state.seats
    }
    own = stood + weights.next * (worths[seat] - stood)
    return over + own - weights.rival * max(worth for each, worth in worths.items() if each != seat)


def _would_pass(state: State, mover: int, seat: int) -> bool:
    """Say whether a seat ends the match by a turn without a rise: it wins then, and nobody else can climb.

    The one who asks does not rely on climbing in a rival's turn: that rival moves a block before.
    """
    return mover in standing(state).winners and (mover != seat or not _another_may_rise(state, mover))


def _another_may_rise(state: State, seat: int) -> bool:
    """Say whether any climber but one gets higher without a block moved, whatever it costs."""
    others = [other for other in state.seats if other != seat]
    return any(worth_now(state, other, FREE) > level(state, other) for other in others)


def _ended(state: State, seat: int) -> float:
    """Return what it is worth to a seat that a match is over; a shared win is neither."""
    winners = standing(state).winners
    return -WIN if seat not in winners else WIN if len(winners) == 1 else 0.0
