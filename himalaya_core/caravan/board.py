"""The map and the order discs, validated when a board is loaded, with look-up tables for rules and players."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from himalaya_core.caravan.pieces import CUBES, RANK, Order, Resource, RoadType
from himalaya_core.document import as_json, digest, field_of
from himalaya_core.errors import BoardError

__all__ = ["Board", "Road", "Village", "parse_board"]

VILLAGES: Final = 20
ROADS: Final = 27
REGIONS: Final = 8
DISCS: Final = 40
FAR: Final = 1_000_000
ROAD_TYPES: Final = frozenset(RoadType)


@dataclass(frozen=True, slots=True)
class Village:
    """A village: its number, level (1 house, 2 temple, 3 monastery), map coordinates and bordering regions."""

    number: int
    level: int
    x: float
    y: float
    regions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Road:
    """A road, identified by its two villages in ascending order."""

    between: tuple[int, int]
    type: RoadType


@dataclass(frozen=True, eq=False)
class Board:
    """A validated board. `document` is its JSON document; `sha256` is the digest of its canonical form.

    `neighbours[village][road type]` is the village at the other end of the road. `levels` and `borders` are indexed by
    village number (index 0 is unused). `region_labels[region]` is the point where the region's name is drawn.
    """

    id: str
    title: str
    size: tuple[float, float] = field(repr=False)
    villages: tuple[Village, ...] = field(repr=False)
    roads: tuple[Road, ...] = field(repr=False)
    orders: tuple[Order, ...] = field(repr=False)
    region_labels: Mapping[int, tuple[float, float]] = field(repr=False)
    sha256: str
    document: Mapping[str, Any] = field(repr=False)
    neighbours: tuple[Mapping[RoadType, int], ...] = field(repr=False)
    levels: tuple[int, ...] = field(repr=False)
    borders: tuple[tuple[int, ...], ...] = field(repr=False)
    order_by_id: Mapping[str, Order] = field(repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.sha256 == other.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)


def parse_board(document: Mapping[str, Any]) -> Board:
    """Parse a board document. `BoardError` names the entry that fails a check."""
    name = field_of(document, "board", "id", str)
    villages = tuple(_villages(field_of(document, "board", "villages", list)))
    roads = tuple(_roads(field_of(document, "board", "roads", list)))
    orders = tuple(_orders(field_of(document, "board", "orders", list)))
    size = _numbers(field_of(document, "board", "size", list), 2, "size")
    neighbours = _neighbours(roads)
    _check_connected(neighbours)
    return Board(
        id=name,
        title=field_of(document, "board", "title", str),
        size=(size[0], size[1]),
        villages=villages,
        roads=roads,
        orders=orders,
        region_labels=_region_labels(field_of(document, "board", "regions", list)),
        sha256=digest(document),
        document=document,
        neighbours=neighbours,
        levels=(0, *(village.level for village in villages)),
        borders=((), *(village.regions for village in villages)),
        order_by_id={order.id: order for order in orders},
    )


def _numbers(values: Sequence[Any], count: int, where: str) -> tuple[float, ...]:
    if len(values) != count or not all(type(value) in (int, float) and abs(value) < FAR for value in values):
        raise BoardError(f"{where}: expected {count} numbers, found {as_json(values)}")
    return tuple(values)


def _point(row: Any, where: str) -> tuple[float, float]:
    x, y = _numbers([field_of(row, where, "x", object), field_of(row, where, "y", object)], 2, where)
    return x, y


def _villages(rows: Sequence[Any]) -> Iterable[Village]:
    if len(rows) != VILLAGES:
        raise BoardError(f"villages: expected {VILLAGES}, found {len(rows)}")
    for number, row in enumerate(rows, start=1):
        where = f"villages[{number - 1}]"
        if field_of(row, where, "village", int) != number:
            raise BoardError(f"{where}.village: expected {number} (villages are in order), found {row['village']}")
        level = field_of(row, where, "level", int)
        if level not in (1, 2, 3):
            raise BoardError(f"{where}.level: expected 1, 2 or 3, found {level}")
        regions = field_of(row, where, "regions", list)
        known = all(type(region) is int and 1 <= region <= REGIONS for region in regions)
        if not known or not 1 <= len(regions) <= 3 or len(set(regions)) != len(regions):
            raise BoardError(
                f"{where}.regions: expected one to three regions of 1..{REGIONS}, found {as_json(regions)}"
            )
        yield Village(number, level, *_point(row, where), tuple(regions))


def _roads(rows: Sequence[Any]) -> Iterable[Road]:
    if len(rows) != ROADS:
        raise BoardError(f"roads: expected {ROADS}, found {len(rows)}")
    seen: set[tuple[int, int]] = set()
    for index, row in enumerate(rows):
        where = f"roads[{index}]"
        ends = field_of(row, where, "between", list)
        if len(ends) != 2 or not all(type(end) is int and 1 <= end <= VILLAGES for end in ends) or ends[0] == ends[1]:
            raise BoardError(f"{where}.between: expected two villages of 1..{VILLAGES}, found {as_json(ends)}")
        kind = field_of(row, where, "type", str)
        if kind not in ROAD_TYPES:
            raise BoardError(f"{where}.type: expected one of {', '.join(RoadType)}, found {as_json(kind)}")
        low, high = sorted(ends)
        if (low, high) in seen:
            raise BoardError(f"{where}: villages {low} and {high} are joined twice")
        seen.add((low, high))
        yield Road((low, high), RoadType(kind))


def _orders(rows: Sequence[Any]) -> Iterable[Order]:
    if len(rows) != DISCS:
        raise BoardError(f"orders: expected {DISCS} discs, found {len(rows)}")
    seen: set[str] = set()
    for index, row in enumerate(rows):
        where = f"orders[{index}]"
        name = field_of(row, where, "id", str)
        if name in seen:
            raise BoardError(f"{where}.id: {name!r} is listed twice")
        seen.add(name)
        demand = field_of(row, where, "demand", Mapping)
        for resource, count in demand.items():
            if resource not in RANK or type(count) is not int or not 1 <= count <= CUBES[RANK[Resource(resource)]]:
                raise BoardError(
                    f"{where}.demand: expected a number of each of {', '.join(RANK)}, found {as_json(demand)}"
                )
        yaks = field_of(row, where, "yaks", int)
        if not demand or not 1 <= yaks <= 99:
            raise BoardError(f"{where}: expected some demand and 1..99 yaks, found {as_json(row)}")
        yield Order(name, {Resource(resource): demand[resource] for resource in RANK if resource in demand}, yaks)


def _region_labels(rows: Sequence[Any]) -> Mapping[int, tuple[float, float]]:
    labels = {field_of(row, f"regions[{i}]", "region", int): _point(row, f"regions[{i}]") for i, row in enumerate(rows)}
    if len(rows) != REGIONS or sorted(labels) != list(range(1, REGIONS + 1)):
        raise BoardError(f"regions: expected each of 1..{REGIONS} once, found {as_json(sorted(labels))}")
    return labels


def _neighbours(roads: Iterable[Road]) -> tuple[Mapping[RoadType, int], ...]:
    ways: tuple[dict[RoadType, int], ...] = tuple({} for _ in range(VILLAGES + 1))
    for road in roads:
        low, high = road.between
        for village, other in ((low, high), (high, low)):
            if road.type in ways[village]:
                raise BoardError(f"roads: two {road.type} roads leave village {village}, at most one may")
            ways[village][road.type] = other
    return ways


def _check_connected(neighbours: Sequence[Mapping[RoadType, int]]) -> None:
    reached = {1}
    frontier = [1]
    while frontier:
        for other in neighbours[frontier.pop()].values():
            if other not in reached:
                reached.add(other)
                frontier.append(other)
    cut_off = sorted(set(range(1, VILLAGES + 1)) - reached)
    if cut_off:
        raise BoardError(f"roads: village {cut_off[0]} cannot be reached from village 1")
