"""The pieces (resources, roads, orders) and their numbers, and the options of a match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

from himalaya_core.document import as_json, as_seat
from himalaya_core.errors import OptionsError
from himalaya_core.game import SEAT, Option, Range, fact


class Resource(StrEnum):
    """The goods of the villages, cheapest first."""

    SALT = "salt"
    BARLEY = "barley"
    TEA = "tea"
    JADE = "jade"
    GOLD = "gold"


class RoadType(StrEnum):
    """The three types of road. At most one road of each type leaves a village."""

    SOIL = "soil"
    STONE = "stone"
    ICE = "ice"


class Act(StrEnum):
    """An action that a plan can contain."""

    SOIL = "soil"
    STONE = "stone"
    ICE = "ice"
    TRADE = "trade"
    REST = "rest"


class Reward(StrEnum):
    """The rewards of a delivery. A seat chooses at most two different ones."""

    BARTER = "barter"
    OFFERING = "offering"
    DELEGATION = "delegation"


class Cause(StrEnum):
    """The reason why a stupa was placed or delegations were sent."""

    OFFERING = "offering"
    DELEGATION = "delegation"
    INVENTORY = "inventory"


class Token(StrEnum):
    """The three event tokens; each player has one of each."""

    YETI = "yeti"
    SNOWSTORM = "snowstorm"
    MARKET = "market"


class Refill(StrEnum):
    """The two kinds of refill: resources and orders."""

    RESOURCES = "resources"
    ORDER = "order"


class VoidReason(StrEnum):
    """The reason why a programmed action had no effect."""

    NO_ROAD = "no_road"
    YETI = "yeti"
    STORM_UNFINISHED = "storm_unfinished"
    ON_STORM = "on_storm"
    NOTHING_HERE = "nothing_here"
    ALREADY_COLLECTED = "already_collected"
    GOODS_MISSING = "goods_missing"
    DECLINED = "declined"


class Influence(StrEnum):
    """The three kinds of influence."""

    RELIGIOUS = "religious"
    POLITICAL = "political"
    ECONOMIC = "economic"


class TieBreak(StrEnum):
    """The criterion that decided which of several equal seats was eliminated."""

    STUPAS = "stupas"
    DELEGATIONS = "delegations"
    YAKS = "yaks"
    TURN_ORDER = "turn_order"


Goods: TypeAlias = tuple[int, int, int, int, int]
"""Numbers of cubes, in the order of `Resource`."""
Plan: TypeAlias = tuple[Act, ...]
"""Six programmed actions. Empty if the plan exists but is hidden from the viewer."""

SeatNumber = Annotated[int, Range(0, 5)]
VillageNumber = Annotated[int, Range(1, 20)]
RegionNumber = Annotated[int, Range(1, 8)]
RoadEnds = tuple[VillageNumber, VillageNumber]
"""A road: its two villages in ascending order."""
StepNumber = Annotated[int, Range(1, 6)]
Cubes = dict[Resource, Annotated[int, Range(1, 18)]]
"""Numbers of cubes by resource as logs store them, without zeros."""

TRIBES: Final = ("Dolpo-pa", "Sherpa", "Bhotia", "Tamang", "Gurung", "Magar")
RESOURCES: Final = tuple(Resource)
TOKENS: Final = frozenset(Token)
RANK: Final[Mapping[Resource, int]] = {resource: rank for rank, resource in enumerate(Resource)}
NO_GOODS: Final[Goods] = (0, 0, 0, 0, 0)
CUBES: Final[Goods] = (18, 15, 12, 9, 6)
STUPAS_PER_SEAT: Final = 5
DELEGATIONS_PER_SEAT: Final = 15
MARKER_YAKS: Final = 3
PLAN_LENGTH: Final = 6
ROUNDS: Final = 12
INVENTORY_ROUNDS: Final = (4, 8, 12)
INVENTORY_DELEGATIONS: Final = 2
VILLAGE_CARDS: Final = frozenset(range(1, 21))


@fact
class Order:
    """An order disc: the goods a village wants and the yaks it pays."""

    id: str
    demand: Cubes
    yaks: Annotated[int, Range(1, 99)]

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Supply:
    """Quantities that depend on the number of players: pieces on the board, seats eliminated (page "Components")."""

    resource_villages: int
    cubes: int
    order_villages: int
    out_religious: int
    out_political: int


SUPPLY: Final[Mapping[int, Supply]] = {
    3: Supply(resource_villages=5, cubes=5, order_villages=5, out_religious=0, out_political=0),
    4: Supply(resource_villages=5, cubes=5, order_villages=5, out_religious=1, out_political=1),
    5: Supply(resource_villages=6, cubes=4, order_villages=6, out_religious=1, out_political=1),
    6: Supply(resource_villages=6, cubes=5, order_villages=6, out_religious=1, out_political=2),
}


def is_plan(acts: Sequence[object]) -> bool:
    """Return whether these values are a complete plan: six programmed actions."""
    return len(acts) == PLAN_LENGTH and set(map(type, acts)) == {Act}


def sparse(goods: Goods) -> Cubes:
    """Return goods as a mapping without zeros, as logs store them."""
    return {resource: count for resource, count in zip(RESOURCES, goods, strict=True) if count}


def plus(goods: Goods, cubes: Mapping[Resource, int]) -> Goods:
    """Return goods with cubes added."""
    counts = list(goods)
    for resource, count in cubes.items():
        counts[RANK[resource]] += count
    salt, barley, tea, jade, gold = counts
    return salt, barley, tea, jade, gold


def minus(goods: Goods, cubes: Mapping[Resource, int]) -> Goods:
    """Return goods with cubes removed."""
    return plus(goods, {resource: -count for resource, count in cubes.items()})


def holds(goods: Goods, demand: Mapping[Resource, int]) -> bool:
    """Return whether the goods include everything demanded."""
    return all(goods[RANK[resource]] >= count for resource, count in demand.items())


VARIANTS: Final = {
    "tokens": "event tokens (Yeti, snowstorm, market)",
    "full_inventory": "the winner chooses the reward",
    "village_cards": "village cards instead of the die",
}
READINGS: Final = {"fewer_rewards": "a delivery may earn fewer rewards and send fewer delegations"}
SWITCHES: Final = (*VARIANTS, *READINGS)
OPTIONS: Final = (
    Option("first", "the First Caravaneer of round 1 (default: seat 1)", SEAT),
    *(Option(name, text) for name, text in VARIANTS.items()),
    *(Option(name, text, reading=True) for name, text in READINGS.items()),
)


@dataclass(frozen=True, slots=True)
class Options:
    """`players`: number of seats; `first`: the First Caravaneer of round 1 (C-setup.first).

    `tokens`: event tokens are placed in phase I bis. `full_inventory`: the winner of an inventory chooses the reward.
    `village_cards`: a deck of 20 cards replaces the die. `fewer_rewards`: "may" in the rules is taken literally, so a
    seat may take fewer rewards (C-III.may).
    """

    players: int = 4
    first: int = 0
    tokens: bool = False
    full_inventory: bool = False
    village_cards: bool = False
    fewer_rewards: bool = False


def parse_options(data: Mapping[str, Any]) -> Options:
    """Parse the options of a match. `OptionsError` names an invalid one."""
    unknown = sorted(set(data) - {"players", "first", *SWITCHES})
    if unknown:
        raise OptionsError(f"option {unknown[0]!r} is unknown; caravan has players, first, {', '.join(SWITCHES)}")
    players = data.get("players", 4)
    if type(players) is not int or players not in SUPPLY:
        raise OptionsError(f"caravan needs {min(SUPPLY)} to {max(SUPPLY)} players; you named {as_json(players)}")
    first = data.get("first", 0)
    if type(first) is not int or not 0 <= first < players:
        raise OptionsError(f"option first: expected a seat from 1 to {players}, found {as_seat(first)}")
    for switch in SWITCHES:
        if type(data.get(switch, False)) is not bool:
            raise OptionsError(f"option {switch}: expected true or false, found {as_json(data[switch])}")
    return Options(players, first, **{switch: data.get(switch, False) for switch in SWITCHES})
