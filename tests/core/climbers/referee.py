"""A referee that watches a match and knows the sixteen invariants of the specification, from the pieces alone.

It shares no rule with the code it watches: it stacks blocks square by square, and follows climbers over them.
"""

from collections import deque
from collections.abc import Callable, Iterator
from copy import copy
from typing import TypeAlias

from himalaya_core.climbers.blocks import Cell, Pose
from himalaya_core.climbers.events import (
    BlockMoved,
    ClimberShifted,
    ClimberStepped,
    DiscPlaced,
    DiscRemoved,
    Event,
    LadderSpent,
    LevelReached,
    OthersSlot,
    PhaseSkipped,
    SetupChecked,
    TurnEnded,
    TurnStarted,
)
from himalaya_core.climbers.state import State

Square: TypeAlias = tuple[int, int]
Stacks: TypeAlias = dict[Square, list[int]]
VOLUME = 8 * 6 * 7
EDGES = {
    ("1", "upright"): {(2, 2, 1)},
    ("1", "lying"): {(1, 2, 2), (2, 1, 2)},
    ("2", "upright"): {(2, 2, 2)},
    ("4", "upright"): {(2, 2, 4)},
    ("4", "lying"): {(4, 2, 2), (2, 4, 2)},
    ("triple", "upright"): {(2, 2, 6), (6, 2, 2), (2, 6, 2)},
}
ACROSS = {"tp": ("teal", "purple"), "yr": ("yellow", "red"), "pn": ("pink", "neutral"), "none": ()}


def squares(pose: Pose) -> list[Square]:
    return [(x, y) for x in range(pose.x, pose.x + pose.dx) for y in range(pose.y, pose.y + pose.dy)]


def beside(square: Square) -> Iterator[Square]:
    x, y = square
    yield from ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))


def stacked(poses: tuple[Pose | None, ...]) -> Stacks:
    """Return the blocks over each square, bottom first; a gap or an overlap is an error (2, 3)."""
    stacks: Stacks = {}
    heights: dict[Square, int] = {}
    placed = [(pose.z, block, pose) for block, pose in enumerate(poses) if pose is not None]
    for z, block, pose in sorted(placed, key=lambda item: item[:2]):
        for square in squares(pose):
            assert heights.get(square, 0) == z, "a gap or an overlap"
            heights[square] = z + pose.dz
            stacks.setdefault(square, []).append(block)
    return stacks


def place(cell: Cell | None) -> Square | None:
    return None if cell is None else (cell.x, cell.y)


class Referee:
    """Watches the events of one match in order."""

    def __init__(self, start: State) -> None:
        self.state = start
        self.side = start.board.side
        self.players = len(start.climbers)
        self.turn: list[Event] = []
        self.spent: set[tuple[int, str]] = set()
        self.discs: set[int] = set()
        self.rises = 0
        self.levels: dict[int, int] = {}
        self.before_moved: int | None = None
        self.streak = 0
        self.over = False

    def twin(self) -> "Referee":
        """Return a referee that has seen the same, to watch what might have come."""
        other = copy(self)
        other.turn, other.spent, other.discs = [*self.turn], {*self.spent}, {*self.discs}
        other.levels = {**self.levels}
        return other

    def watch(self, event: Event, after: State) -> None:
        """Check one event against the position before, and the position after it by itself."""
        assert not self.over, "nothing follows the end"
        if isinstance(event, TurnStarted):
            self.turn = []
        self.turn.append(event)
        self._check_event(event)
        self._check_owner(event)
        changed = self.state.poses is not after.poses
        self.state = after
        if after.turn:
            if changed:
                self._check_blocks()
            if not isinstance(event, ClimberShifted):
                self._check_climbers()
        if isinstance(event, TurnEnded):
            self._check_end(event)

    def finished(self) -> None:
        """Check what a match that is over must have come to."""
        assert self.over
        assert self.streak == self.players

    def _stacks(self) -> Stacks:
        return stacked(self.state.poses)

    def _tops(self) -> dict[Square, int]:
        return {square: blocks[-1] for square, blocks in self._stacks().items()}

    def _level(self, cell: Cell | None) -> int:
        if cell is None:
            return 0
        pose = self.state.poses[self._tops()[cell.x, cell.y]]
        assert pose is not None
        return pose.z + pose.dz

    def _check_event(self, event: Event) -> None:
        match event:
            case SetupChecked():
                self._check_core()
            case ClimberStepped():
                self._check_step(event)
            case LadderSpent():
                self._check_ladder(event)
            case LevelReached():
                self._check_rise(event)
            case BlockMoved():
                self._check_moved(event)
            case ClimberShifted():
                self._check_shifted(event)
            case DiscPlaced() | DiscRemoved():
                self._check_disc(event)
            case _:
                pass

    def _check_core(self) -> None:
        """5. The core is hidden at the start."""
        self._check_blocks()
        triples = {block.id for block in self.state.board.blocks if block.size == "triple"}
        stacks = self._stacks()
        core = {square for square, blocks in stacks.items() if triples & {*blocks}}
        assert len(core) == 8
        for square in core:
            assert len(stacks[square]) >= 2
            assert stacks[square][0] in triples
        around = {other for square in core for other in beside(square)} - core
        assert len(around) == 12
        assert all(self._level(Cell(*square)) >= 6 for square in around)

    def _check_step(self, event: ClimberStepped) -> None:
        """9. To a place beside, 0 to 4 higher, by a ladder where one is needed; 12. not on a disc."""
        start = place(event.from_)
        assert self.state.climbers[event.seat] == event.from_
        assert (event.from_level, event.to_level) == (self._level(event.from_), self._level(event.to))
        assert 0 <= event.to_level - event.from_level <= 4
        here = self._outside() if start is None else self._part(start)
        there = self._part((event.to.x, event.to.y))
        assert not here & there, "a step leads to another place"
        assert any(other in there for square in here for other in beside(square))
        assert self._tops()[event.to.x, event.to.y] not in self._disc_blocks()

    def _part(self, start: Square) -> set[Square]:
        """Return the squares of the same top that can be got to from one."""
        tops = self._tops()
        return self._flood([start], lambda square: tops.get(square) == tops[start])

    def _outside(self) -> set[Square]:
        stacks = self._stacks()
        last = self.side - 1
        along = range(self.side)
        edge = [*((x, y) for x in along for y in (0, last)), *((x, y) for x in (0, last) for y in along)]
        bare = [square for square in edge if square not in stacks]
        return self._flood(bare, lambda square: square not in stacks and {*square} <= {*along})

    def _flood(self, start: list[Square], inside: Callable[[Square], bool]) -> set[Square]:
        found, waiting = set(start), deque(start)
        while waiting:
            for other in beside(waiting.popleft()):
                if other not in found and inside(other):
                    found.add(other)
                    waiting.append(other)
        return found

    def _check_ladder(self, event: LadderSpent) -> None:
        """8. Each ladder once; the short one for 2, the long one for 2 to 4."""
        stepped = self.turn[-2]
        assert isinstance(stepped, ClimberStepped)
        assert event.diff == stepped.to_level - stepped.from_level
        assert event.diff in ((2,) if event.kind == "short" else (2, 3, 4))
        assert (event.seat, event.kind) not in self.spent
        self.spent.add((event.seat, event.kind))

    def _check_rise(self, event: LevelReached) -> None:
        """7, 14. A rise is what a step says; rises are counted."""
        stepped = next(other for other in reversed(self.turn) if isinstance(other, ClimberStepped))
        rise = stepped.to_level - stepped.from_level
        assert (event.seat, event.level) == (stepped.seat, stepped.to_level)
        assert rise > 0
        assert rise == 1 or isinstance(self.turn[-2], LadderSpent)
        self.rises += 1
        assert event.no == self.rises

    def _check_moved(self, event: BlockMoved) -> None:
        """10, 11, 12. Once a turn, in phase B, a block that is free; it touches another afterwards."""
        before = self.state
        assert not [other for other in self.turn[:-1] if isinstance(other, BlockMoved | DiscPlaced)]
        assert before.phase == "B"
        assert event.from_pose == before.poses[event.block] != event.to_pose
        assert event.block != self.before_moved
        tops = self._tops()
        assert all(tops[square] == event.block for square in squares(event.from_pose)), "covered"
        shifted = {other.player for other in self.turn if isinstance(other, ClimberShifted)}
        stayed = [cell for seat, cell in enumerate(before.climbers) if cell is not None and seat not in shifted]
        assert event.block not in {tops[cell.x, cell.y] for cell in stayed}, "occupied"
        assert event.block not in self._disc_blocks()
        rest = stacked((*before.poses[: event.block], None, *before.poses[event.block + 1 :]))
        below = {rest[square][-1] for square in squares(event.to_pose) if square in rest}
        assert not below & self._disc_blocks(), "built on a disc"
        touching = {other for square in squares(event.to_pose) for other in beside(square)}
        assert below or touching & rest.keys(), "contact"

    def _check_shifted(self, event: ClimberShifted) -> None:
        """13. A shifted climber stays on its block; only before a block is moved."""
        cell = self.state.climbers[event.player]
        assert cell == event.from_cell
        tops, on = self._stacks(), event.block
        assert cell is not None
        assert tops[cell.x, cell.y][-1] == on
        assert on in tops[event.to_cell.x, event.to_cell.y][-2:]
        assert self.state.phase == "B"

    def _disc_blocks(self) -> set[int | None]:
        return {disc.block for disc in self.state.discs if disc.place == "on"}

    def _check_disc(self, event: DiscPlaced | DiscRemoved) -> None:
        """12. Once in a match, where nobody stands; away at the owner's next turn."""
        if isinstance(event, DiscRemoved):
            assert self.state.discs[event.seat].block == event.block
            assert isinstance(self.turn[-2], TurnStarted)
            return
        assert event.seat not in self.discs
        self.discs.add(event.seat)
        tops = self._tops()
        assert tops[event.cell.x, event.cell.y] == event.block
        assert event.block not in {tops[cell.x, cell.y] for cell in self.state.climbers if cell is not None}
        assert event.block not in self._disc_blocks()

    def _check_owner(self, event: Event) -> None:
        """16. In A to D the active player acts, then the others, each once, clockwise; a turn begins without a disc."""
        seat = getattr(event, "seat", None)
        if seat is None:
            return
        slots = [other.seat for other in self.turn if isinstance(other, OthersSlot)]
        started = self.turn[0]
        assert isinstance(started, TurnStarted)
        active = started.seat
        assert slots == [(active + 1 + number) % self.players for number in range(len(slots))]
        assert active not in slots
        expected = slots[-1] if slots and not isinstance(event, TurnEnded) else active
        assert seat == expected
        if isinstance(event, TurnStarted):
            previous = self.state.active
            assert seat == ((previous + 1) % self.players if self.state.turn else previous)
            assert event.no == self.state.turn + 1
        if isinstance(event, TurnEnded):
            assert len(slots) == self.players - 1
        if isinstance(event, PhaseSkipped) and not slots:
            assert self.state.discs[active].place != "on"

    def _check_blocks(self) -> None:
        """1, 2, 3, 4. All blocks are there, stacked without gaps, each as its kind can lie."""
        poses = self.state.poses
        assert len(poses) == 35
        heights: dict[Square, int] = {}
        for square, blocks in stacked(poses).items():
            heights[square] = sum(pose.dz for block in blocks if (pose := poses[block]) is not None)
        assert sum(heights.values()) == VOLUME
        for block, pose in zip(self.state.board.blocks, poses, strict=True):
            assert pose is not None
            across = block.size in ("2", "triple") or pose.top in ACROSS[block.variant]
            assert (pose.dx, pose.dy, pose.dz) in EDGES[block.size, "upright" if across else "lying"]
            assert block.size != "triple" or pose.top == "neutral"

    def _check_climbers(self) -> None:
        """6, 7. Each on a square of its own, on a top that it may stand on; its block was not moved."""
        state, tops = self.state, self._tops()
        standing = [place(cell) for cell in state.climbers if cell is not None]
        assert len(set(standing)) == len(standing)
        for seat, cell in enumerate(state.climbers):
            if cell is None:
                assert state.reached[seat] == 0
                continue
            block = tops[cell.x, cell.y]
            pose = state.poses[block]
            assert pose is not None
            assert pose.top in (state.colours[seat], "neutral")
            assert block not in self._disc_blocks()
            assert self.levels.get(seat, 0) <= pose.z + pose.dz
            self.levels[seat] = pose.z + pose.dz
        rises = [number for number in state.reached if number]
        assert len(set(rises)) == len(rises) <= self.rises

    def _check_end(self, event: TurnEnded) -> None:
        """15. The streak counts the turns without a rise; as many as there are players, and it is over."""
        rose = any(isinstance(other, LevelReached) for other in self.turn)
        self.streak = 0 if rose else self.streak + 1
        assert (event.climbed, event.streak) == (rose, self.streak)
        moved = [other.block for other in self.turn if isinstance(other, BlockMoved)]
        self.before_moved = moved[0] if moved else None
        self.over = self.streak == self.players
        assert self.streak <= self.players
