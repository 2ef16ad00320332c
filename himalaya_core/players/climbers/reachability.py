"""Reachability: which places a climber can reach without a block move, and with one.

About 10,000 block moves are reduced to a few groups. A block move lets a climber rise only if it creates a new top to
step on, or uncovers a path. Each movable block is therefore tried in each shape with a top that the climber may enter.

Bit sets give the corners where the new top is next to reachable squares, and what can be reached from that top. All
corners that lead equally far form one `Gain`. A gain must be tried before use, because the block may also cover the
path that leads to it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from himalaya_core.climbers.actions import MoveBlock
from himalaya_core.climbers.blocks import Cell, Colour, Pose, Shape, poses_of
from himalaya_core.climbers.climbing import enterable, ground, reach
from himalaya_core.climbers.listing import Lift, corners_for, lifts, meeting, shifts_for
from himalaya_core.climbers.pieces import GONE, LADDERS_FOR, DiscPlace, Ladder, Ladders, put
from himalaya_core.climbers.state import State, evolve
from himalaya_core.climbers.terrain import Grid, Terrain

__all__ = [
    "LEADS",
    "Gain",
    "Goal",
    "Prices",
    "Way",
    "Ways",
    "after",
    "at_its_turn",
    "best_move",
    "candidates",
    "covers",
    "gains",
    "gains_of",
    "goals",
    "hindrances",
    "is_at",
    "landings",
    "moved_to",
    "tried",
    "useful_to",
    "ways_of",
    "worth_now",
]


BITS: Final = {Ladder.NONE: 0, Ladder.SHORT: 1, Ladder.LONG: 2}
LEADS: Final = {rise: tuple(BITS[ladder] for ladder in ladders) for rise, ladders in LADDERS_FOR.items()}
"""For each rise in levels, the ladders that permit it, as bit sets."""
HIGHEST: Final = max(LEADS)
KEPT: Final = 512
"""Size of the cache. Many structures share an entry, because most moved blocks do not affect a climber's paths."""


@dataclass(frozen=True, slots=True)
class Way:
    """An area: connected squares of one level that a climber is allowed to enter."""

    height: int
    squares: int
    edge: int
    """Squares bordering this area."""
    got: set[int]
    """The sets of ladders the climber may have left on arrival; empty if the climber cannot get here."""
    up: list[float]
    """The best value reachable from here, indexed by the set of ladders left."""


class Ways:
    """The areas a climber may enter, from its own level upwards. Its current area is first."""

    def __init__(self, grid: Grid, every: list[Way], extra: Sequence[float]) -> None:
        self.every, self.extra = every, extra
        self.best = max(every[0].up[left] for left in every[0].got)
        """The best value the climber can reach."""
        self._grid = grid
        self._near: dict[tuple[int, int], list[int]] = {}

    def near(self, dx: int, dy: int) -> list[int]:
        """Return, for each area, the corners where a block with these edge lengths would touch the area."""
        if (dx, dy) not in self._near:
            self._near[dx, dy] = [meeting(self._grid, way.edge, dx, dy) for way in self.every]
        return self._near[dx, dy]


@lru_cache(maxsize=KEPT)
def ways_of(
    grid: Grid,
    place: tuple[int, int],
    ladders: Ladders,
    enterable: tuple[tuple[int, int], ...],
    extra: tuple[float, ...],
) -> Ways:
    """Return the areas that a climber can reach from its place; `enterable` gives the squares it may enter, by level.

    Steps never lead down. One pass upwards therefore finds the ladders left on arrival, and one pass downwards the
    values reachable from each area. `extra` is the value of each set of unused ladders.
    """
    entry, (level, squares) = dict(enterable), place
    start = grid.connected(squares, entry.get(level, 0) | squares)
    parts = [(level, start)]
    for height in sorted(entry):
        if height >= level:
            parts += [(height, part) for part in grid.parts(entry[height] & ~start)]
    edges = [grid.around(squares) for _, squares in parts]
    got: list[set[int]] = [set() for _ in parts]
    up = [[height + more for more in extra] for height, _ in parts]
    got[0].add(BITS[Ladder.SHORT] * ladders.short | BITS[Ladder.LONG] * ladders.long)
    steps = [
        (low, high, LEADS[rise])
        for low, (height, _) in enumerate(parts)
        for high, (other, part) in enumerate(parts)
        if 0 < (rise := other - height) <= HIGHEST and edges[low] & part
    ]
    for low, high, leading in steps:
        got[high].update(left ^ ladder for left in got[low] for ladder in leading if left & ladder == ladder)
    for low, high, leading in reversed(steps):
        for left in range(4):
            beyond = [up[high][left ^ ladder] for ladder in leading if left & ladder == ladder]
            up[low][left] = max([up[low][left], *beyond])
    columns = zip(parts, edges, got, up, strict=True)
    every = [Way(height, part, edge, lefts, worths) for (height, part), edge, lefts, worths in columns]
    return Ways(grid, every, extra)


@dataclass(frozen=True, slots=True)
class Prices:
    """The value of unused ladders, in levels."""

    short: float
    long: float

    def of(self, ladders: Ladders) -> float:
        """Return the value of these unused ladders."""
        return self.short * ladders.short + self.long * ladders.long


@dataclass(frozen=True, slots=True)
class Goal:
    """Connected squares of one level that a climber can reach, with the ladders it then has left."""

    worth: float
    height: int
    ladders: Ladders
    squares: int


@dataclass(frozen=True, slots=True)
class Gain:
    """Moves of one block in one orientation, with all corners that lead a climber to the same value."""

    worth: float
    lift: Lift
    shape: Shape
    corners: int


def goals(state: State, seat: int, prices: Prices) -> list[Goal]:
    """Return the goals that a climber can reach without a block move, best first. Its current place is one of them."""
    grid = ground(state).grid
    reached = [
        Goal(height + prices.of(left), height, left, part)
        for left, levels in _reached(state, seat).items()
        for height, squares in levels.items()
        for part in grid.parts(squares)
    ]
    return sorted(reached, key=lambda goal: -goal.worth)


def worth_now(state: State, seat: int, prices: Prices) -> float:
    """Return the best level, plus the value of ladders left, that a climber can reach without a block move."""
    return max([max(levels) + prices.of(left) for left, levels in _reached(state, seat).items()])


def _reached(state: State, seat: int) -> Mapping[Ladders, Mapping[int, int]]:
    terrain = ground(state)
    return reach(terrain, state.climbers[seat], state.ladders[seat], _entry(state, seat, terrain)).by_ladders


def _entry(state: State, seat: int, terrain: Terrain) -> Mapping[int, int]:
    others = [cell for other, cell in enumerate(state.climbers) if other != seat]
    return enterable(terrain, state.colours[seat], others, state.disc_blocks)


def is_at(state: State, seat: int, goal: Goal) -> bool:
    """Return whether a climber is at a goal with the same ladders left."""
    cell, terrain = state.climbers[seat], ground(state)
    square = terrain.outside.squares if cell is None else terrain.grid.square(cell)
    return bool(square & goal.squares) and state.ladders[seat] == goal.ladders


def moved_to(state: State, seat: int, goal: Goal) -> State:
    """Return the position with a climber on the first free square of a goal, or unchanged if it is already there."""
    if is_at(state, seat, goal):
        return state
    grid, taken = ground(state).grid, 0
    for other, cell in enumerate(state.climbers):
        if cell and other != seat:
            taken |= grid.square(cell)
    cell = next(grid.cells(goal.squares & ~taken))
    return evolve(state, climbers=put(state.climbers, seat, cell), ladders=put(state.ladders, seat, goal.ladders))


def after(state: State, move: MoveBlock) -> State:
    """Return the position after a legal block move."""
    shape = next(
        way
        for way in poses_of(state.board.blocks[move.block])
        if (way.dx, way.dy, way.top) == (move.dx, move.dy, move.top)
    )
    lifted = ground(state).lifted(move.block)
    height = lifted.height_at(Cell(move.x, move.y))
    pose = Pose(move.x, move.y, height, shape.dx, shape.dy, shape.dz, shape.top)
    climbers = state.climbers
    for shift in move.shifts:
        climbers = put(climbers, shift.player, shift.to_cell)
    return evolve(state, poses=put(state.poses, move.block, pose), climbers=climbers, moved=move.block)


def at_its_turn(state: State, seat: int) -> State:
    """Return the position as at the start of a seat's turn: its disc is gone, and `last_moved` is up to date."""
    if seat == state.active:
        return state
    following = (state.active + 1) % len(state.seats)
    discs = put(state.discs, seat, GONE) if state.discs[seat].place is DiscPlace.ON else state.discs
    banned = state.moved if seat == following else None
    return evolve(state, active=seat, acting=seat, discs=discs, last_moved=banned, moved=None)


def tried(state: State, seat: int, gain: Gain, most: int) -> Iterator[tuple[MoveBlock, State]]:
    """Yield a few of a gain's moves, at evenly spaced corners, with the position after each."""
    lift, shape, grid = gain.lift, gain.shape, gain.lift.terrain.grid
    apart = max(1, gain.corners.bit_count() // most)
    for corner in list(grid.cells(gain.corners))[apart // 2 :: apart][:most]:
        box = grid.box(corner.x, corner.y, shape.dx, shape.dy)
        shifts = shifts_for(lift.terrain, box, state.climbers)
        move = MoveBlock(seat, lift.block, corner.x, corner.y, shape.dx, shape.dy, shape.top, shifts)
        yield move, after(state, move)


def gains(state: State, seat: int, prices: Prices, lifted: Iterable[Lift] | None = None) -> list[Gain]:
    """Return a seat's gains, best first: block moves that may take its climber farther than it gets without one.

    `lifted` are the movable blocks, if already computed.
    """
    least = worth_now(state, seat, prices)
    found: list[Gain] = []
    for lift in lifts(state) if lifted is None else lifted:
        found += gains_of(state, seat, prices, lift, least)
    return sorted(found, key=lambda gain: -gain.worth)


def candidates(state: State, seat: int, prices: Prices, width: int, most: int) -> list[tuple[MoveBlock, State]]:
    """Return a few moves of each of the `width` best gains that help when tried, with the position after each.

    Interchangeable blocks in one shape that lead equally far count as one gain.
    """
    found: list[tuple[MoveBlock, State]] = []
    least, alike = worth_now(state, seat, prices), set()
    for gain in gains(state, seat, prices):
        block = state.board.blocks[gain.lift.block]
        kind = gain.worth, block.size, block.variant, gain.shape
        if kind in alike:
            continue
        rising = [move for move in tried(state, seat, gain, most) if worth_now(move[1], seat, prices) > least]
        if rising:
            alike.add(kind)
            found += rising
        if len(alike) == width:
            break
    return found


def hindrances(state: State, seat: int, rival: int, prices: Prices, most: int) -> Iterator[tuple[MoveBlock, State]]:
    """Yield moves of blocks that are useful to an opponent: blocks it could climb onto, or that would help it most.

    The block is moved to a few places across the structure, with a top that the opponent cannot enter if possible.
    """
    useful = useful_to(state, rival, prices)[:most]
    for lift in lifts(state):
        if lift.block in useful:
            shapes = poses_of(state.board.blocks[lift.block])
            shape = next((way for way in shapes if way.top not in (state.colours[rival], Colour.NEUTRAL)), shapes[0])
            yield from tried(state, seat, Gain(0.0, lift, shape, corners_for(state, lift, shape)), most)


def landings(grid: Grid, found: Iterable[Gain], most: int) -> list[int]:
    """Return the squares that the new top of each gain would cover, in the order of the gains, without duplicates."""
    boxes: dict[int, None] = {}
    for gain in found:
        for corner in grid.cells(gain.corners):
            boxes[grid.box(corner.x, corner.y, gain.shape.dx, gain.shape.dy)] = None
            if len(boxes) == most:
                return list(boxes)
    return list(boxes)


def covers(state: State, seat: int, boxes: Sequence[int], own: int | None, most: int) -> list[tuple[MoveBlock, State]]:
    """Return block moves that cover as many landings as possible. Earlier landings have priority.

    There is one move per block class and orientation. Its top is one that seat `own` may enter or, failing that, one
    that no climber may enter.
    """
    found: list[tuple[int, Gain]] = []
    seen = set()
    for lift in lifts(state):
        block, grid = state.board.blocks[lift.block], lift.terrain.grid
        shapes = poses_of(block)
        for edges in dict.fromkeys([(shape.dx, shape.dy, shape.dz) for shape in shapes]):
            if (block.size, block.variant, edges) in seen:
                continue
            ways = [shape for shape in shapes if (shape.dx, shape.dy, shape.dz) == edges]
            mine = [way for way in ways if own is not None and way.top in (state.colours[own], Colour.NEUTRAL)]
            others = [way for way in ways if way.top not in (*state.colours, Colour.NEUTRAL)]
            shape = (mine or others or ways)[0]
            corners, met = corners_for(state, lift, shape), 0
            for box in boxes:
                meets = corners & meeting(grid, box, shape.dx, shape.dy)
                if meets:
                    corners, met = meets, met + 1
            if met:
                seen.add((block.size, block.variant, edges))
                found.append((met, Gain(0.0, lift, shape, corners)))
    found.sort(key=lambda each: -each[0])
    return [move for _, gain in found[:most] for move in tried(state, seat, gain, 1)]


def useful_to(state: State, seat: int, prices: Prices) -> list[int]:
    """Return the blocks a climber could step onto now, then those that would help it most, without duplicates."""
    state = at_its_turn(state, seat)
    terrain, (best, *_) = ground(state), goals(state, seat, prices)
    under = [] if is_at(state, seat, best) else terrain.below(best.squares)
    return list(dict.fromkeys([*under, *(gain.lift.block for gain in gains(state, seat, prices))]))


def best_move(state: State, seat: int, prices: Prices, most: int) -> tuple[float, MoveBlock | None]:
    """Return the value of the best block move for a climber, and that move; `None` if no move helps.

    `most` limits the corners tried for each gain.
    """
    state = at_its_turn(state, seat)
    worth, best = worth_now(state, seat, prices), None
    for gain in gains(state, seat, prices):
        if gain.worth <= worth:
            break
        for move, position in tried(state, seat, gain, most):
            found = worth_now(position, seat, prices)
            if found > worth:
                worth, best = found, move
            if found >= gain.worth:
                break
    return worth, best


@lru_cache(maxsize=16)
def _left(prices: Prices) -> tuple[float, ...]:
    return tuple([prices.of(Ladders(bool(left & 1), bool(left & 2))) for left in range(4)])


def gains_of(state: State, seat: int, prices: Prices, lift: Lift, least: float) -> Iterator[Gain]:
    """Yield the gains from moving one block that are worth more than `least`."""
    here, entry = lift.terrain.region_at(state.climbers[seat]), tuple(_entry(state, seat, lift.terrain).items())
    assert here is not None, "a climber is on a place"
    ways = ways_of(lift.terrain.grid, (here.height, here.squares), state.ladders[seat], entry, _left(prices))
    shapes = poses_of(state.board.blocks[lift.block])
    if ways.best > least:
        yield Gain(ways.best, lift, shapes[0], corners_for(state, lift, shapes[0]))
    for edges in dict.fromkeys([(shape.dx, shape.dy, shape.dz) for shape in shapes]):
        tops = [shape for shape in shapes if (shape.dx, shape.dy, shape.dz) == edges]
        tops = [shape for shape in tops if shape.top in (state.colours[seat], Colour.NEUTRAL)]
        if tops:
            by_worth = _by_worth(lift, edges, ways, least)
            for shape in tops:
                unturned = corners_for(state, lift, shape)
                for worth, corners in by_worth.items():
                    if corners & unturned:
                        yield Gain(worth, lift, shape, corners & unturned)


def _by_worth(lift: Lift, edges: tuple[int, int, int], ways: Ways, least: float) -> dict[float, int]:
    """Return the corners where a new top helps a climber, grouped by the value that the climber then reaches."""
    dx, dy, dz = edges
    near = ways.near(dx, dy)
    found: dict[float, int] = {}
    for level, squares in lift.terrain.levels.items():
        corners, top = lift.corners[dx, dy] & squares, level + dz
        if not corners or top < ways.every[0].height:
            continue
        for left, arrived in _arrivals(corners, top, ways.every, near).items():
            _add(found, top + ways.extra[left], arrived, least)
            for way, close in zip(ways.every, near, strict=True):
                onward = arrived & close
                for ladder in LEADS.get(way.height - top, ()) if onward else ():
                    if left & ladder == ladder:
                        _add(found, way.up[left ^ ladder], onward, least)
    return found


def _arrivals(corners: int, top: int, ways: Sequence[Way], near: Sequence[int]) -> dict[int, int]:
    """Return the corners from which a climber can step onto a new top, grouped by the ladders it then has left."""
    found: dict[int, int] = {}
    for way, close in zip(ways, near, strict=True):
        beside = corners & close if way.got else 0
        for ladder in LEADS.get(top - way.height, ()) if beside else ():
            for left in way.got:
                if left & ladder == ladder:
                    found[left ^ ladder] = found.get(left ^ ladder, 0) | beside
    return found


def _add(found: dict[float, int], worth: float, corners: int, least: float) -> None:
    if worth > least:
        found[worth] = found.get(worth, 0) | corners
