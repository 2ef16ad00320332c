"""A referee that watches a match and knows every invariant of the rules, from the pieces alone.

It shares no rule with the code it watches: it counts cubes, discs, stupas, delegations, tokens, cards and actions, and
follows the caravans along the roads of the board. What there is to count, it counts before the first die is rolled.
"""

from collections import Counter
from collections.abc import Iterable

from himalaya_core.caravan.events import (
    ActionVoided,
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    Eliminated,
    Event,
    InventoryCounted,
    InventoryMarkerTaken,
    Moved,
    PlanCommitted,
    RefillRolled,
    Rested,
    RoundEnded,
    RoundStarted,
    StormEntered,
    StupaPlaced,
    TokenPassed,
    TokenPlaced,
    TokensRemoved,
)
from himalaya_core.caravan.pieces import RESOURCES, Cause, Influence, Token, VoidReason
from himalaya_core.caravan.state import State

OFFERS = {3: 5, 4: 5, 5: 6, 6: 6}
"""Villages with resources, and villages with an order, by number of players."""
CUBES = {3: 5, 4: 5, 5: 4, 6: 5}
ELIMINATIONS = {3: [], 4: ["religious", "political"], 5: ["religious", "political"]}
ELIMINATIONS[6] = [*ELIMINATIONS[5], "political"]
ACTED = Moved | StormEntered | Rested | Collected | Delivered | ActionVoided


class Referee:
    """Watches the events of one match in order."""

    def __init__(self, start: State) -> None:
        self.state = start
        self.players = len(start.caravans)
        self.box = start.bag
        self.discs = Counter(start.order_bag)
        self.stupas = start.stupas_left
        self.delegations = start.delegations_left
        self.acted: Counter[int] = Counter()
        self.collected: set[tuple[int, int]] = set()
        self.storms: dict[int, tuple[int, int]] = {}
        self.asked: list[int] = []
        self.used: Counter[tuple[int, Token]] = Counter()
        self.deck = set(range(1, 21))
        self.owed: int | None = None
        self.markers = 0
        self.removed: set[int] = set()
        self.eliminated: list[str] = []

    def watch(self, event: Event, after: State) -> None:
        """Check one event against the position before, and the position after it by itself."""
        self._check_event(event)
        self._check_tokens(event)
        self._check_inventory(event)
        self.state = after
        self._check_cubes()
        self._check_discs()
        self._check_seats()
        self._check_token_supply()
        if isinstance(event, RoundStarted | RoundEnded):
            self._check_refilled()
        if isinstance(event, RoundStarted):
            self.acted.clear()
            self.collected.clear()
            self.asked.clear()

    def over(self) -> None:
        """Check what a match that is over must have come to."""
        assert self.eliminated == ELIMINATIONS[self.players]

    def _check_event(self, event: Event) -> None:
        before = self.state
        match event:
            case RefillRolled():
                self._check_refill(event)
            case Moved():
                assert before.caravans[event.seat] == event.from_
                assert before.board.neighbours[event.from_][event.road] == event.to
            case Collected():
                self._check_collected(event)
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
            case Eliminated():
                self.eliminated.append(event.influence.value)
                if event.influence is Influence.RELIGIOUS:
                    self.removed.add(event.seat)
            case _:
                pass
        self._check_acted(event)

    def _check_acted(self, event: Event) -> None:
        """Six actions of every seat in a round, step by step, from the First Caravaneer clockwise."""
        before = self.state
        if isinstance(event, RoundEnded):
            assert [self.acted[seat] for seat in before.seats] == [6 for _ in before.seats]
        if isinstance(event, ACTED):
            assert event.seat == (before.first + self.acted.total()) % self.players
            self.acted[event.seat] += 1
            assert event.step == self.acted[event.seat]

    def _check_refill(self, event: RefillRolled) -> None:
        """The next empty village gets its cubes or its disc; with cards each comes once until the deck is empty."""
        before = self.state
        passed = [(event.die + n - 1) % 20 + 1 for n in range((event.village - event.die) % 20)]
        occupied = [any(before.goods[v]) or before.orders[v] is not None for v in (*passed, event.village)]
        assert occupied == [True] * len(passed) + [False]
        if event.drawn is not None:
            assert sum(event.drawn.values()) == min(CUBES[self.players], sum(before.bag))
        assert not before.tokens
        if before.options.village_cards:
            self.deck.remove(event.die)
            self.deck = self.deck or set(range(1, 21))

    def _check_collected(self, event: Collected) -> None:
        before, seat, village = self.state, event.seat, event.village
        assert before.caravans[seat] == village
        offered = [r for r, n in zip(RESOURCES, before.goods[village], strict=True) if n]
        assert event.market == (village in self._places(Token.MARKET))
        assert event.resource in (offered if event.market else offered[:1])
        assert (seat, village) not in self.collected
        assert seat not in self.storms
        self.collected.add((seat, village))

    def _places(self, *tokens: Token) -> list[tuple[int, int] | int | None]:
        """Return where tokens of these kinds lie."""
        return [placed.road or placed.village for placed in self.state.tokens if placed.token in tokens]

    def _check_void(self, event: ActionVoided) -> None:
        """Whatever came to nothing had to."""
        state, seat = self.state, event.seat
        village = state.caravans[seat]
        order, offered = state.orders[village], any(state.goods[village])
        lacking = order and any(state.hands[seat][RESOURCES.index(r)] < n for r, n in order.demand.items())
        to = {road.value: (min(village, to), max(village, to)) for road, to in state.board.neighbours[village].items()}
        road = to.get(event.action.value)
        later = (state.plans[seat] or ())[event.step :]
        holds = {
            VoidReason.NO_ROAD: road is None,
            VoidReason.YETI: road in self._places(Token.YETI),
            VoidReason.STORM_UNFINISHED: road in self._places(Token.SNOWSTORM) and event.action not in later,
            VoidReason.ON_STORM: event.action.value != "rest",
            VoidReason.NOTHING_HERE: not order and not offered,
            VoidReason.GOODS_MISSING: lacking,
            VoidReason.ALREADY_COLLECTED: offered and (seat, village) in self.collected,
            VoidReason.DECLINED: offered or (order and not lacking),
        }
        assert holds[event.reason]
        assert (event.reason is VoidReason.ON_STORM) == (seat in self.storms)
        if seat in self.storms:
            assert road != self.storms[seat], "the road of the storm leads on"

    def _check_tokens(self, event: Event) -> None:
        """Event tokens: one for each seat a round, each kind once, one on a road, gone before the refill."""
        before = self.state
        match event:
            case TokenPlaced() | TokenPassed():
                assert before.options.tokens
                assert event.seat == (before.first + len(self.asked)) % self.players
                self.asked.append(event.seat)
                if isinstance(event, TokenPlaced):
                    self._check_placed(event)
            case PlanCommitted():
                assert len(self.asked) == (self.players if before.options.tokens else 0)
            case StormEntered():
                road = min(event.from_, event.toward), max(event.from_, event.toward)
                assert road in self._places(Token.SNOWSTORM)
                assert before.caravans[event.seat] == event.from_
                assert before.board.neighbours[event.from_][event.road] == event.toward
                assert event.seat not in self.storms
                self.storms[event.seat] = road
            case Moved():
                road = min(event.from_, event.to), max(event.from_, event.to)
                assert road not in self._places(Token.YETI)
                assert bool(event.storm) == (road in self._places(Token.SNOWSTORM))
                assert self.storms.pop(event.seat, None) == (road if event.storm else None)
            case TokensRemoved():
                assert event.tokens == tuple(placed.token for placed in before.tokens) != ()
                assert self.acted.total() == 6 * self.players
            case RoundEnded() | RoundStarted():
                assert (before.tokens, self.storms) == ((), {})
            case _:
                pass

    def _check_placed(self, event: TokenPlaced) -> None:
        assert event.token not in {placed.token for placed in self.state.tokens}
        assert self.used[event.seat, event.token] == 0
        self.used[event.seat, event.token] += 1
        if event.token is Token.MARKET:
            assert event.road is None
            assert any(self.state.goods[event.village or 0])
        else:
            assert event.village is None
            assert event.road in {road.between for road in self.state.board.roads}
            assert event.road not in self._places(*Token)

    def _check_inventory(self, event: Event) -> None:
        """Whoever holds strictly most of a resource is rewarded once, before anything else goes on."""
        before = self.state
        if isinstance(event, InventoryMarkerTaken) or getattr(event, "cause", None) is Cause.INVENTORY:
            assert event.seat == self.owed  # type: ignore[union-attr]
            self.owed = None
            self._check_full_inventory(event)
        assert self.owed is None
        if isinstance(event, InventoryCounted):
            held = [hand[RESOURCES.index(event.resource)] for hand in before.hands]
            assert list(event.counts) == held
            leaders = [seat for seat, count in enumerate(held) if count and count == max(held)]
            self.owed = leaders[0] if len(leaders) == 1 else None
            assert event.winner == self.owed
            assert before.round in {4, 8, 12}

    def _check_full_inventory(self, event: Event) -> None:
        before = self.state
        match event:
            case DelegationsSent():
                assert before.options.full_inventory
                ((region, count),) = event.regions.items()
                assert region in before.board.borders[before.caravans[event.seat]]
                assert count == min(2, before.delegations_left[event.seat]) > 0
            case StupaPlaced():
                assert before.options.full_inventory
                borders = set(before.board.borders[before.caravans[event.seat]])
                assert before.board.levels[event.village] == 1
                assert borders & set(before.board.borders[event.village])
            case _:
                pass

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

    def _check_token_supply(self) -> None:
        """Tokens: each seat has those of the three that it never placed; caravans are on storms as they were seen."""
        state = self.state
        spent: Iterable[set[Token]] = ({token for token in Token if self.used[seat, token]} for seat in state.seats)
        assert list(state.tokens_left) == [set(Token) - tokens for tokens in spent]
        assert [seat for seat, toward in enumerate(state.storms) if toward] == sorted(self.storms)
        assert len(state.tokens) <= len(Token)
        if state.options.village_cards:
            assert state.cards == self.deck

    def _check_refilled(self) -> None:
        """At the end of phase IV exactly the target of villages hold cubes and orders, unless a bag was empty."""
        state, target = self.state, OFFERS[self.players]
        offering, ordering = sum(map(any, state.goods)), sum(order is not None for order in state.orders)
        assert offering == target or (offering < target and not any(state.bag))
        assert ordering == target or (ordering < target and not state.order_bag)
