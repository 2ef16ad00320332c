"""Hindsight analysis: attributes changes in win probability to dice, plans, tokens, trades and rewards.

Theory of operation. A reference player makes a plan for every seat in each round. The engine then plays every
combination of real and reference plans. If all seats follow the reference, the remaining change is called drift, and no
seat caused it.

The effect of a seat's real plan is its Shapley value over the combinations, with all trades decided by the reference.
Trades that a seat decided differently are separate causes. Dice are compared with other rolls from the same position,
so their average effect is zero. Each cause is measured from the position that the previous cause led to. The changes of
a match therefore add up to its outcome.

A plan also has an expected cost, judged by what was known when it was made.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from statistics import fmean
from typing import Final

from himalaya_core.caravan.events import CaravanPlaced, RefillRolled
from himalaya_core.caravan.flow import refill_due, sample_chance
from himalaya_core.caravan.fold import apply
from himalaya_core.caravan.pieces import Plan
from himalaya_core.caravan.rules import decide
from himalaya_core.caravan.state import PlacedToken, State
from himalaya_core.game import CHANCE, BySeat, DiceSource
from himalaya_core.players.caravan.rounds import Round, chances_after, reference, rounds, samples, worth
from himalaya_core.players.caravan.trade_search import carry_on, carry_out
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.winprob.key_moments import Kind, Swing, Value, decisions, interval
from himalaya_core.winprob.review import shapley

__all__ = ["hindsight", "luck", "real_plans"]

OTHER_THROWS: Final = 16
"""Number of alternative rolls that a refill is compared with."""
FORESEEN: Final = 8
"""Number of sampled sets of opponents' plans from which a plan's expected cost is computed."""


def hindsight(replay: Replay, value: Value) -> list[Swing]:
    """Return all changes of win probability in a match, up to its last complete round."""
    told = _Hindsight(replay, value)
    swings = list(told.set_up())
    for each in rounds(replay):
        swings += told.of_round(each)
    return swings


def luck(replay: Replay, value: Value) -> list[Swing]:
    """Return only the changes caused by dice. This takes a tenth of the time of `hindsight`."""
    told = _Hindsight(replay, value)
    swings = [swing for each in told.throws() for swing in told.refills(each)]
    return [swing for swing in swings if swing.kind is Kind.DICE]


class _Hindsight:
    def __init__(self, replay: Replay, value: Value) -> None:
        self._replay = replay
        self._states: Sequence[State] = replay.states
        self._value = value
        self._reference = reference(replay)
        self._players = [self._reference] * len(replay.header.seats)
        ends = list(decisions(replay))
        self._ends = [end for start, end in pairwise((-1, *ends)) for _ in range(start, end)]
        """For each entry, the index of the last entry in the same ply."""
        self._planned: dict[tuple[int, tuple[PlacedToken, ...]], Mapping[int, Plan]] = {}

    def set_up(self) -> Iterator[Swing]:
        """Yield the changes caused by the refills of the set-up, then by the placement of each caravan."""
        yield from self.refills(self._first_throws())
        for entry in self._replay.entries:
            if isinstance(entry.event, CaravanPlaced):
                yield from self._placed(entry.seq, entry.event.seat)

    def throws(self) -> Iterator[Sequence[int]]:
        """Yield groups of refill events: those of the set-up, then those of each round."""
        yield self._first_throws()
        yield from (each.refills for each in rounds(self._replay) if each.done is not None)

    def _first_throws(self) -> list[int]:
        thrown = (entry for entry in self._replay.entries if not entry.round)
        return [entry.seq for entry in thrown if isinstance(entry.event, RefillRolled)]

    def _placed(self, place: int, by: int) -> Iterator[Swing]:
        """Yield the change with the reference's placement of the caravan, then the effect of the actual placement."""
        state, seq = self._states[place - 1], self._ends[place]
        expected = reduce(apply, decide(state, self._reference.choose(state, by)), state)
        before, between, after = map(self._after, (state, expected, self._states[seq]))
        yield Swing(place - 1, seq, 0, CHANCE, Kind.DRIFT, _less(between, before))
        yield Swing(place - 1, seq, 0, by, Kind.MOVE, _less(after, between))

    def of_round(self, each: Round) -> Iterator[Swing]:
        """Yield all changes in a round; none if its six actions are not complete."""
        if each.done is None:
            return
        yield from self._tokens(each, self._ends[each.done])
        yield from self._plans(each, self._ends[each.done])
        yield from self._trades(each, each.done)
        yield from self.refills(each.refills)
        for place in each.rewards:
            yield self._reward(place)

    def _tokens(self, each: Round, seq: int) -> Iterator[Swing]:
        """Yield the drift of a round played without tokens, then the effect of each token placed.

        Tokens are placed before planning. The win-probability model ignores tokens. They show an effect only because
        the reference makes all plans and takes the tokens into account.
        """
        after = self._course(each, each.start)
        drift = _less(after, self._value(self._states[each.start]))
        yield Swing(each.start, seq, each.number, CHANCE, Kind.DRIFT, drift)
        for place in each.tokens:
            before, after = after, self._course(each, place)
            by = self._states[place].tokens[-1].seat
            yield Swing(place - 1, seq, each.number, by, Kind.MOVE, _less(after, before))

    def _course(self, each: Round, place: int) -> BySeat:
        """Return the win probabilities after this round, if the reference plans for all seats."""
        state = self._states[place]
        return self._after(carry_out(state, self._expected(each, state), self._players))

    def _expected(self, each: Round, state: State) -> Mapping[int, Plan]:
        """Return the reference's plans, cached by round and tokens.

        If the reference rates a player's actual plan as high as its own, the actual plan is used, so it has no effect.
        """
        key = (each.number, state.tokens)
        if key not in self._planned:
            real = real_plans(self._replay, each)
            self._planned[key] = {seat: self._reference_plan(state, seat, real[seat]) for seat in state.seats}
        return self._planned[key]

    def _reference_plan(self, state: State, seat: int, real: Plan) -> Plan:
        ranked = self._reference.ranked(state, seat)
        best = [plan for worth, plan in ranked if worth == ranked[0][0]]
        return real if real in best else best[0]

    def _after(self, state: State) -> BySeat:
        return worth(state, self._reference, self._value)

    def _plans(self, each: Round, seq: int) -> Iterator[Swing]:
        """Yield the effect of each seat's actual plan, compared with the reference's plan for that seat."""
        state = self._states[each.planning]
        expected, real = self._expected(each, state), real_plans(self._replay, each)

        def mixed(some: frozenset[int]) -> BySeat:
            plans = {seat: (real if seat in some else expected)[seat] for seat in state.seats}
            return self._after(carry_out(state, plans, self._players))

        shares = shapley(mixed, [seat for seat in state.seats if real[seat] != expected[seat]])
        for seat in state.seats:
            amounts = shares.get(seat, [0.0] * len(state.seats))
            cost = self._cost(state, seat, real[seat], expected[seat])
            yield Swing(each.planning, seq, each.number, seat, Kind.PLAN, tuple(amounts), cost)

    def _cost(self, state: State, seat: int, real: Plan, expected: Plan) -> float:
        """Return the expected cost of a plan compared with the reference's; 0 unless statistically significant.

        The cost is averaged over sampled plans of opponents, so it does not depend on what they really did.
        """
        if real == expected:
            return 0.0
        chance = chances_after(state, seat, self._reference, self._value)
        rivals = samples(state, seat, self._reference, FORESEEN)
        chosen = [chance(real, some) for some in rivals]
        costs = [chance(expected, some) - own for some, own in zip(rivals, chosen, strict=True)]
        cost, low, _ = interval(costs, fmean(chosen))
        return cost if low > 0 else 0.0

    def _trades(self, each: Round, done: int) -> Iterator[Swing]:
        """Yield, in order, the effect of each trade decision that differs from the reference's decision."""
        plans = real_plans(self._replay, each)
        before = self._after(carry_out(self._states[each.planning], plans, self._players))
        for place in each.trades:
            state, by = self._states[place - 1], self._replay.entries[place].seat
            assert by is not None, "a seat decides on a trade"
            answer = decide(state, self._reference.trade(state, by))
            if answer == tuple(entry.event for entry in self._replay.entries[place : place + len(answer)]):
                continue
            end = min(self._ends[place], done)
            after = self._after(carry_on(self._states[end], self._players))
            yield Swing(place - 1, self._ends[place], each.number, by, Kind.TRADE, _less(after, before))
            before = after

    def refills(self, places: Sequence[int]) -> Iterator[Swing]:
        """Yield the average effect of refills (drift), then the difference made by the actual rolls."""
        if not places or refill_due(self._states[places[-1]]) is not None:
            return
        since, seq = places[0] - 1, self._ends[places[-1]]
        before, after = self._states[since], self._after(self._states[places[-1]])
        name = self._replay.entries[0].match
        others = [_refilled(before, Seed(f"{name}|refill {number}")) for number in range(OTHER_THROWS)]
        average = tuple(map(fmean, zip(*map(self._after, others), strict=True)))
        yield Swing(since, seq, before.round, CHANCE, Kind.DRIFT, _less(average, self._after(before)))
        yield Swing(since, seq, before.round, CHANCE, Kind.DICE, _less(after, average))

    def _reward(self, place: int) -> Swing:
        """Return the effect of the reward chosen for an inventory, compared with the reference's choice."""
        entry, end = self._replay.entries[place], self._ends[place]
        assert entry.seat is not None, "a seat chooses"
        before, after = self._after(self._states[place - 1]), self._after(self._states[end])
        return Swing(place - 1, end, entry.round, entry.seat, Kind.MOVE, _less(after, before))


def real_plans(replay: Replay, each: Round) -> Mapping[int, Plan]:
    """Return the plans that the players actually made in a round, by seat."""
    return {seat: replay.entries[place].event.plan for seat, place in enumerate(each.plans)}


def _refilled(state: State, dice: DiceSource) -> State:
    """Return the position after all due refills, rolled with these dice."""
    while refill_due(state) is not None:
        for event in decide(state, sample_chance(state, dice)):
            state = apply(state, event)
    return state


def _less(after: Sequence[float], before: Sequence[float]) -> tuple[float, ...]:
    return tuple([now - then for now, then in zip(after, before, strict=True)])
