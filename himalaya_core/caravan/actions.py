"""The intents of a caravan match: what a seat, or chance, may choose."""

from typing import TypeAlias

from himalaya_core.caravan.pieces import (
    Act,
    Cubes,
    RegionNumber,
    Resource,
    Reward,
    RoadEnds,
    SeatNumber,
    Token,
    VillageNumber,
)
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
class PlaceToken:
    """Place one's Yeti or snowstorm on a road, or one's market on a village that offers resources."""

    seat: SeatNumber
    token: Token
    road: RoadEnds | None = None
    village: VillageNumber | None = None


@fact
class PassToken:
    seat: SeatNumber


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


@fact
class TakeMarker:
    """The winner of an inventory takes the marker."""

    seat: SeatNumber


@fact
class SendInventoryDelegations:
    """The winner of an inventory sends two delegations, or the last one, into one bordering region."""

    seat: SeatNumber
    region: RegionNumber


@fact
class PlaceInventoryStupa:
    """The winner of an inventory places a stupa in a house of a bordering region."""

    seat: SeatNumber
    village: VillageNumber


InventoryAction: TypeAlias = TakeMarker | SendInventoryDelegations | PlaceInventoryStupa
ChanceAction: TypeAlias = RollResources | RollOrder
SeatAction: TypeAlias = (
    PlaceCaravan | PlaceToken | PassToken | CommitPlan | Collect | Deliver | DeclineTrade | InventoryAction
)
Action: TypeAlias = ChanceAction | SeatAction
