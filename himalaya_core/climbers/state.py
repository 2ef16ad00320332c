"""The full position of a match, immutable. Nothing is hidden, and heights are derived (L-view, L-2.heights)."""

from dataclasses import dataclass
from typing import Any

from himalaya_core.climbers.blocks import BLOCK_COUNT, Cell, Colour, Pose
from himalaya_core.climbers.board import Board
from himalaya_core.climbers.pieces import BOTH, IN_HAND, Disc, DiscPlace, Ladders, Options, Phase

__all__ = ["State", "evolve", "initial"]


@dataclass(frozen=True)
class State:
    """A position. Seats and blocks are numbered from 0. `board.blocks` describes the blocks."""

    options: Options
    board: Board
    poses: tuple[Pose | None, ...]
    """The position of each block; `None` before it is placed."""
    colours: tuple[Colour, ...]
    """The colour of each seat; empty before colours are dealt."""
    climbers: tuple[Cell | None, ...]
    """The square each climber is on; `None` for the table."""
    ladders: tuple[Ladders, ...]
    discs: tuple[Disc, ...]
    reached: tuple[int, ...]
    """For each climber, the number of its last rise, counting all climbers' rises from 1; 0 on the table."""
    rises: int
    active: int
    """The seat taking the current turn."""
    acting: int
    """The seat that may climb now: the active player, or another seat after that player's turn."""
    turn: int
    """The number of the turn, counted over all seats; 0 before the first."""
    moved: int | None
    """The block moved this turn, if any."""
    last_moved: int | None
    """The block moved in the previous turn, if any."""
    climbed: bool
    """True if any climber has risen this turn."""
    streak: int
    """Number of turns in a row without a rise."""
    phase: Phase

    @property
    def seats(self) -> range:
        """All seat numbers."""
        return range(len(self.climbers))

    @property
    def disc_blocks(self) -> frozenset[int]:
        """The blocks with a disc on them."""
        return frozenset([disc.block for disc in self.discs if disc.place is DiscPlace.ON and disc.block is not None])


def evolve(state: State, **changes: Any) -> State:
    """Return the state with some fields replaced; takes a third of the time of `dataclasses.replace`."""
    successor = object.__new__(State)
    fields = successor.__dict__
    fields.update(state.__dict__)
    fields.update(changes)
    return successor


def initial(options: Options, board: Board) -> State:
    """Return the position before anything is built (L-5.pieces)."""
    players = options.players
    return State(
        options=options,
        board=board,
        poses=(None,) * BLOCK_COUNT,
        colours=(),
        climbers=(None,) * players,
        ladders=(BOTH,) * players,
        discs=(IN_HAND,) * players,
        reached=(0,) * players,
        rises=0,
        active=0,
        acting=0,
        turn=0,
        moved=None,
        last_moved=None,
        climbed=False,
        streak=0,
        phase=Phase.BUILD,
    )
