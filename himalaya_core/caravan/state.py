"""The whole position of a match, frozen; what is hidden from whom is decided in `view`."""

from dataclasses import dataclass
from typing import Any

from himalaya_core.caravan.board import Board
from himalaya_core.caravan.options import Options
from himalaya_core.caravan.pieces import (
    CUBES,
    DELEGATIONS_PER_SEAT,
    MARKER_YAKS,
    NO_GOODS,
    STUPAS_PER_SEAT,
    TOKENS,
    VILLAGE_CARDS,
    Goods,
    Influence,
    Order,
    Plan,
    Resource,
    TieBreak,
    Token,
)

__all__ = ["Elimination", "Inventory", "PlacedToken", "Scores", "State", "evolve", "initial"]


@dataclass(frozen=True, slots=True)
class Inventory:
    """The last resource counted: who won it, and whether that was rewarded."""

    resource: Resource
    winner: int | None
    rewarded: bool


@dataclass(frozen=True, slots=True)
class Scores:
    """The three influences by seat, and who leads each region (`None`: nobody), regions from 1."""

    religious: tuple[int, ...]
    political: tuple[int, ...]
    economic: tuple[int, ...]
    regions: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Elimination:
    """Who left the final scoring, over which influence, with which value, and what broke the tie."""

    seat: int
    influence: Influence
    value: int
    tie_break: TieBreak | None


@dataclass(frozen=True, slots=True)
class PlacedToken:
    """An event token on the board this round, on a road or in a village."""

    token: Token
    seat: int
    road: tuple[int, int] | None
    village: int | None


@dataclass(frozen=True)
class State:
    """A position. Villages and regions are indexed by their number (index 0 is unused), seats from 0."""

    options: Options
    board: Board
    bag: Goods
    order_bag: frozenset[Order]
    goods: tuple[Goods, ...]
    """Cubes offered in each village."""
    orders: tuple[Order | None, ...]
    """The disc lying in each village."""
    stupas: tuple[int | None, ...]
    """The seat whose stupa stands in each village."""
    delegations: tuple[tuple[int, ...], ...]
    """delegations[region][seat]."""
    caravans: tuple[int, ...]
    """The village of each seat's caravan; 0 before it is placed."""
    hands: tuple[Goods, ...]
    herds: tuple[tuple[Order, ...], ...]
    """The bartered discs of each seat."""
    markers: tuple[int, ...]
    """Inventory markers of each seat."""
    stupas_left: tuple[int, ...]
    delegations_left: tuple[int, ...]
    round: int
    first: int
    """The First Caravaneer."""
    cards: frozenset[int]
    """The village cards left in the deck; all of them again when it is empty."""
    tokens_left: tuple[frozenset[Token], ...]
    tokens: tuple[PlacedToken, ...]
    """The event tokens on the board this round."""
    token_turn: int
    """How many seats have placed or passed this round."""
    storms: tuple[int, ...]
    """The village each seat's caravan is on its way to through a snowstorm; 0 when it stands in a village."""
    plans: tuple[Plan | None, ...]
    step: int
    """0 while plans are made, 1..6 while they are carried out, 7 when all six are done."""
    turn: int
    """How many seats have done this step."""
    collected: tuple[frozenset[int], ...]
    """The villages each seat took a cube from this round."""
    refills: tuple[int, int]
    """How many refills of resources and of orders this round has seen."""
    inventory: Inventory | None
    """The last count of this round's inventory."""
    round_over: bool
    scores: Scores | None
    """The final scoring; political influence is counted anew after the first elimination."""
    recounted: bool
    eliminated: tuple[Elimination, ...]

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.caravans))

    def yaks(self, seat: int) -> int:
        """Return the economic influence of a seat: bartered discs and 3 for each marker (C-scoring.economic)."""
        return sum(order.yaks for order in self.herds[seat]) + MARKER_YAKS * self.markers[seat]


def evolve(state: State, **changes: Any) -> State:
    """Return the state with some fields changed.

    A fifth of the time of `dataclasses.replace`, which calls `__init__`; a match makes some 450 states.
    """
    successor = object.__new__(State)
    fields = state.__dict__.copy()
    fields.update(changes)
    object.__setattr__(successor, "__dict__", fields)
    return successor


def initial(options: Options, board: Board) -> State:
    """Return the position before the first die is rolled: full bags, an empty map."""
    players = options.players
    villages = len(board.villages) + 1
    return State(
        options=options,
        board=board,
        bag=CUBES,
        order_bag=frozenset(board.orders),
        goods=(NO_GOODS,) * villages,
        orders=(None,) * villages,
        stupas=(None,) * villages,
        delegations=((0,) * players,) * (len(board.region_labels) + 1),
        caravans=(0,) * players,
        hands=(NO_GOODS,) * players,
        herds=((),) * players,
        markers=(0,) * players,
        stupas_left=(STUPAS_PER_SEAT,) * players,
        delegations_left=(DELEGATIONS_PER_SEAT,) * players,
        round=0,
        first=options.first,
        cards=VILLAGE_CARDS,
        tokens_left=(TOKENS,) * players,
        tokens=(),
        token_turn=0,
        storms=(0,) * players,
        plans=(None,) * players,
        step=0,
        turn=0,
        collected=(frozenset(),) * players,
        refills=(0, 0),
        inventory=None,
        round_over=False,
        scores=None,
        recounted=False,
        eliminated=(),
    )
