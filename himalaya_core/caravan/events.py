"""Events of a caravan match, documented in `docs/reference/caravan-log.md`. This module does not need the rules."""

from typing import Annotated, Literal, TypeAlias

from himalaya_core.caravan.pieces import (
    Act,
    Cause,
    Cubes,
    Influence,
    Order,
    Refill,
    RegionNumber,
    Resource,
    Reward,
    RoadEnds,
    RoadType,
    SeatNumber,
    StepNumber,
    TieBreak,
    Token,
    VillageNumber,
    VoidReason,
)
from himalaya_core.game import PerSeat, Range, fact

Count = Annotated[int, Range(0, 60)]
RegionLeaders = dict[RegionNumber, SeatNumber | None]


@fact
class RefillRolled:
    """Cubes (`drawn`) or an `order` were put in a village: the one rolled or, if not empty, the next empty one."""

    kind: Refill
    die: VillageNumber
    village: VillageNumber
    drawn: Cubes | None = None
    order: Order | None = None


@fact
class CaravanPlaced:
    seat: SeatNumber
    village: VillageNumber


@fact
class RoundStarted:
    first: SeatNumber


@fact
class TokenPlaced:
    """A token was placed: Yeti and snowstorm on a `road`, the market in a `village`."""

    seat: SeatNumber
    token: Token
    road: RoadEnds | None = None
    village: VillageNumber | None = None


@fact
class TokenPassed:
    seat: SeatNumber


@fact
class PlanCommitted:
    seat: SeatNumber
    plan: tuple[Act, Act, Act, Act, Act, Act]


@fact
class PlansRevealed:
    pass


@fact
class Moved:
    seat: SeatNumber
    step: StepNumber
    road: RoadType
    from_: VillageNumber
    to: VillageNumber
    storm: Literal[True] | None = None
    """True if this move takes the caravan out of a snowstorm; otherwise omitted."""


@fact
class StormEntered:
    seat: SeatNumber
    step: StepNumber
    road: RoadType
    from_: VillageNumber
    toward: VillageNumber


@fact
class Rested:
    seat: SeatNumber
    step: StepNumber


@fact
class Collected:
    seat: SeatNumber
    step: StepNumber
    village: VillageNumber
    resource: Resource
    market: bool


@fact
class Delivered:
    seat: SeatNumber
    step: StepNumber
    village: VillageNumber
    order: Order
    spent: Cubes
    rewards: tuple[Reward, ...]


@fact
class Bartered:
    seat: SeatNumber
    order: str
    yaks: Annotated[int, Range(1, 99)]


@fact
class OrderReturned:
    seat: SeatNumber
    order: str


@fact
class StupaPlaced:
    seat: SeatNumber
    village: VillageNumber
    level: Annotated[int, Range(1, 3)]
    cause: Cause


@fact
class DelegationsSent:
    seat: SeatNumber
    regions: dict[RegionNumber, Annotated[int, Range(1, 15)]]
    cause: Cause


@fact
class ActionVoided:
    seat: SeatNumber
    step: StepNumber
    action: Act
    reason: VoidReason


@fact
class TokensRemoved:
    tokens: tuple[Token, ...]


@fact
class InventoryCounted:
    resource: Resource
    counts: PerSeat[Count]
    winner: SeatNumber | None


@fact
class InventoryMarkerTaken:
    seat: SeatNumber
    resource: Resource
    yaks: Literal[3]


@fact
class RoundEnded:
    pass


@fact
class InfluenceScored:
    religious: PerSeat[Count]
    political: PerSeat[Count]
    economic: PerSeat[Annotated[int, Range(0, 999)]]
    regions: RegionLeaders


@fact
class Eliminated:
    seat: SeatNumber
    influence: Influence
    value: Count
    tie_break: TieBreak | None


@fact
class PoliticsRecounted:
    political: PerSeat[Count]
    regions: RegionLeaders


Event: TypeAlias = (
    RefillRolled
    | CaravanPlaced
    | RoundStarted
    | TokenPlaced
    | TokenPassed
    | PlanCommitted
    | PlansRevealed
    | Moved
    | StormEntered
    | Rested
    | Collected
    | Delivered
    | Bartered
    | OrderReturned
    | StupaPlaced
    | DelegationsSent
    | ActionVoided
    | TokensRemoved
    | InventoryCounted
    | InventoryMarkerTaken
    | RoundEnded
    | InfluenceScored
    | Eliminated
    | PoliticsRecounted
)
