"""The intents of a caravan match: what a seat, or chance, may choose."""

from typing import TypeAlias

from himalaya_core.caravan.pieces import Act, Cubes, Resource, Reward, SeatNumber, VillageNumber
from himalaya_core.game import fact


@fact
class RollResources:
    """Chance: the d20, and the cubes drawn blind from the bag."""

    die: VillageNumber
    drawn: Cubes


@fact
class RollOrder:
    """Chance: the d20, and the disc drawn blind from the other bag."""

    die: VillageNumber
    order: str


@fact
class PlaceCaravan:
    seat: SeatNumber
    village: VillageNumber


@fact
class CommitPlan:
    seat: SeatNumber
    plan: tuple[Act, Act, Act, Act, Act, Act]


@fact
class Collect:
    seat: SeatNumber
    resource: Resource


@fact
class Deliver:
    """Deliver the order here for `rewards`; `regions` splits the delegations, empty without that reward."""

    seat: SeatNumber
    rewards: tuple[Reward, ...]
    regions: dict[int, int]


@fact
class DeclineTrade:
    seat: SeatNumber


ChanceAction: TypeAlias = RollResources | RollOrder
SeatAction: TypeAlias = PlaceCaravan | CommitPlan | Collect | Deliver | DeclineTrade
Action: TypeAlias = ChanceAction | SeatAction
