"""Actions of a caravan match: the choices open to a seat or to chance."""

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
    """Chance: roll the d20 and draw cubes from the bag."""

    die: VillageNumber
    drawn: Cubes


@fact
class RollOrder:
    """Chance: roll the d20 and draw an order disc from the bag."""

    die: VillageNumber
    order: str


@fact
class PlaceCaravan:
    seat: SeatNumber
    village: VillageNumber


@fact
class PlaceToken:
    """Place a Yeti or a snowstorm on a road, or a market in a village that offers resources."""

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
    """Deliver the order in the caravan's village, for the rewards in `rewards`.

    `regions` maps regions to numbers of delegations. It is empty unless delegations are one of the rewards.
    """

    seat: SeatNumber
    rewards: tuple[Reward, ...]
    regions: dict[int, int]


@fact
class DeclineTrade:
    seat: SeatNumber


@fact
class TakeMarker:
    """Take a marker, as the winner of an inventory."""

    seat: SeatNumber


@fact
class SendInventoryDelegations:
    """Send two delegations, or the last one, into a bordering region, as the winner of an inventory."""

    seat: SeatNumber
    region: RegionNumber


@fact
class PlaceInventoryStupa:
    """Place a stupa in a house of a bordering region, as the winner of an inventory."""

    seat: SeatNumber
    village: VillageNumber


InventoryAction: TypeAlias = TakeMarker | SendInventoryDelegations | PlaceInventoryStupa
ChanceAction: TypeAlias = RollResources | RollOrder
SeatAction: TypeAlias = (
    PlaceCaravan | PlaceToken | PassToken | CommitPlan | Collect | Deliver | DeclineTrade | InventoryAction
)
Action: TypeAlias = ChanceAction | SeatAction
