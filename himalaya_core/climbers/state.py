"""The whole position of a match, frozen; nothing is hidden in it and no height is stored (L-view, L-2.heights)."""

from dataclasses import dataclass
from typing import Any

from himalaya_core.climbers.blocks import BLOCK_COUNT, Cell, Colour, Pose
from himalaya_core.climbers.board import Board
from himalaya_core.climbers.options import Options
from himalaya_core.climbers.pieces import BOTH, IN_HAND, Disc, DiscPlace, Ladders, Phase

__all__ = ["State", "evolve", "initial"]


@dataclass(frozen=True)
class State:
    """A position. Seats count from 0, and so do blocks, of which `board.blocks` says what they are."""

    options: Options
    board: Board
    poses: tuple[Pose | None, ...]
    """Where each block lies; None before it is placed."""
    colours: tuple[Colour, ...]
    """The colour of each seat; none before they are dealt."""
    climbers: tuple[Cell | None, ...]
    """The square each climber stands on; None: on the table beside the structure."""
    ladders: tuple[Ladders, ...]
    discs: tuple[Disc, ...]
    reached: tuple[int, ...]
    """Which of all rises, counted from 1, brought each climber to its level; 0 for the table."""
    rises: int
    active: int
    """Whose turn it is."""
    acting: int
    """Who may climb now: the active player, or one of the others after the turn."""
    turn: int
    """The number of the turn, over all seats; 0 before the first."""
    moved: int | None
    """The block moved in this turn."""
    last_moved: int | None
    """The block moved in the turn before."""
    climbed: bool
    """Whether any climber rose in this turn."""
    streak: int
    """How many turns in a row ended without a rise."""
    phase: Phase

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.climbers))

    @property
    def disc_blocks(self) -> frozenset[int]:
        """The blocks on which a disc lies."""
        return frozenset([disc.block for disc in self.discs if disc.place is DiscPlace.ON and disc.block is not None])


def evolve(state: State, **changes: Any) -> State:
    """Return the state with some fields changed, in a third of the time of `dataclasses.replace`."""
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
