"""A referee that watches a match and knows every invariant of the rules, from the pieces alone.

It shares no rule with the code it watches: it counts cubes, discs, stupas, delegations and actions, and follows the
caravans along the roads of the board. What there is to count, it counts before the first die is rolled.
"""

from collections import Counter

from himalaya_core.caravan.events import (
    ActionVoided,
    CaravanPlaced,
    Collected,
    Delivered,
    Eliminated,
    Event,
    InventoryMarkerTaken,
    Moved,
    RefillRolled,
    Rested,
    RoundEnded,
    RoundStarted,
    StupaPlaced,
)
from himalaya_core.caravan.pieces import RESOURCES, Influence, VoidReason
from himalaya_core.caravan.state import State

OFFERS = 5


class Referee:
    """Watches the events of one match in order."""

    def __init__(self, start: State) -> None:
        self.state = start
        self.box = start.bag
        self.discs = Counter(start.order_bag)
        self.stupas = start.stupas_left
        self.delegations = start.delegations_left
        self.acted: Counter[int] = Counter()
        self.collected: set[tuple[int, int]] = set()
        self.markers = 0
        self.removed: set[int] = set()

    def watch(self, event: Event, after: State) -> None:
        """Check one event against the position before, and the position after it by itself."""
        self._check_event(event)
        self.state = after
        self._check_cubes()
        self._check_discs()
        self._check_seats()
        if isinstance(event, RoundStarted | RoundEnded):
            self._check_refilled()
        if isinstance(event, RoundStarted):
            self.acted.clear()
            self.collected.clear()

    def _check_event(self, event: Event) -> None:
        before = self.state
        match event:
            case RefillRolled():
                passed = [(event.die + n - 1) % 20 + 1 for n in range((event.village - event.die) % 20)]
                occupied = [any(before.goods[v]) or before.orders[v] is not None for v in (*passed, event.village)]
                assert occupied == [True] * len(passed) + [False]
            case Moved():
                assert before.caravans[event.seat] == event.from_
                assert before.board.neighbours[event.from_][event.road] == event.to
            case Collected():
                assert before.caravans[event.seat] == event.village
                offered = [r for r, n in zip(RESOURCES, before.goods[event.village], strict=True) if n]
                assert event.resource == offered[0]
                assert (event.seat, event.village) not in self.collected
                self.collected.add((event.seat, event.village))
            case Delivered():
                assert before.caravans[event.seat] == event.village
                assert before.orders[event.village] == event.order
                assert len(set(event.rewards)) == len(event.rewards) in {1, 2}
            case ActionVoided():
                self._check_void(event)
            case StupaPlaced():
                assert before.stupas[event.village] is None
            case CaravanPlaced():
                assert event.village not in before.caravans
            case InventoryMarkerTaken():
                self.markers += 1
            case Eliminated(influence=Influence.RELIGIOUS):
                self.removed.add(event.seat)
            case RoundEnded():
                assert [self.acted[seat] for seat in before.seats] == [6 for _ in before.seats]
            case _:
                pass
        if isinstance(event, Moved | Rested | Collected | Delivered | ActionVoided):
            self.acted[event.seat] += 1
            assert event.step == self.acted[event.seat]

    def _check_void(self, event: ActionVoided) -> None:
        """Whatever came to nothing had to."""
        state, seat = self.state, event.seat
        village = state.caravans[seat]
        order, offered = state.orders[village], any(state.goods[village])
        lacking = order and any(state.hands[seat][RESOURCES.index(r)] < n for r, n in order.demand.items())
        holds = {
            VoidReason.NO_ROAD: event.action.value not in state.board.neighbours[village],
            VoidReason.NOTHING_HERE: not order and not offered,
            VoidReason.GOODS_MISSING: lacking,
            VoidReason.ALREADY_COLLECTED: offered and (seat, village) in self.collected,
            VoidReason.DECLINED: offered or (order and not lacking),
        }
        assert holds[event.reason]

    def _check_cubes(self) -> None:
        """Cubes: on the board + held + in the bag as at first; none is less than nothing."""
        piles = (self.state.bag, *self.state.goods, *self.state.hands)
        assert tuple(map(sum, zip(*piles, strict=True))) == self.box
        assert min(map(min, piles)) >= 0

    def _check_discs(self) -> None:
        """Discs: on the board + bartered + in the bag as at first; no village has both cubes and an order."""
        state = self.state
        lying = [order for order in state.orders if order is not None]
        bartered = [order for herd in state.herds for order in herd]
        assert Counter([*lying, *bartered, *state.order_bag]) == self.discs
        assert not any(order and any(goods) for order, goods in zip(state.orders, state.goods, strict=True))

    def _check_seats(self) -> None:
        """Stupas and delegations on the board + in supply as at first; fifteen markers in all; caravans in villages."""
        state = self.state
        for seat in state.seats:
            on_board = sum(row[seat] for row in state.delegations)
            if seat in self.removed:
                assert (state.stupas.count(seat), on_board) == (0, 0)
            else:
                assert state.stupas.count(seat) + state.stupas_left[seat] == self.stupas[seat]
                assert on_board + state.delegations_left[seat] == self.delegations[seat]
            assert min(state.stupas_left[seat], state.delegations_left[seat]) >= 0
            assert 1 <= state.caravans[seat] <= 20 or not state.round
        assert sum(state.markers) == self.markers <= 15
        assert min(min(row) for row in state.delegations) >= 0

    def _check_refilled(self) -> None:
        """At the end of phase IV exactly five villages hold cubes and five an order, unless a bag was empty."""
        state = self.state
        offering, ordering = sum(map(any, state.goods)), sum(order is not None for order in state.orders)
        assert offering == OFFERS or (offering < OFFERS and not any(state.bag))
        assert ordering == OFFERS or (ordering < OFFERS and not state.order_bag)
