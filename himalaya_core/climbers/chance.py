"""Actions of chance, all in the set-up: the opening, the colours and the start player."""

from himalaya_core.climbers.actions import Action, BuildOpening, DealColours, DrawLot, Placement
from himalaya_core.climbers.blocks import Colour
from himalaya_core.climbers.flow import actors
from himalaya_core.climbers.opening import laid
from himalaya_core.climbers.packing import packed
from himalaya_core.climbers.pieces import COLOURS, Phase
from himalaya_core.climbers.state import State
from himalaya_core.game import CHANCE, DiceSource, IllegalAction

__all__ = ["sample_chance"]


def sample_chance(state: State, seed: DiceSource) -> Action:
    """Sample the action due; a seed gives the same opening for any number of players.

    Each seat draws numbers until one names a free colour. A seed therefore deals the same colours to the first seats of
    any match.
    """
    if actors(state) != (CHANCE,):
        raise IllegalAction("chance has nothing to do now")
    if state.phase is Phase.BUILD:
        board = state.board
        wanted = packed(board.blocks, board.side, board.moves, seed.dice("opening", 0, 0))
        return BuildOpening(tuple(Placement(*placed) for placed in laid(board.blocks, board.side, wanted)))
    if state.phase is Phase.START:
        return DrawLot(seed.dice("start", 0, 0).below(len(state.seats)))
    dealt: list[Colour] = []
    dice = seed.dice("colours", 0, 0)
    while len(dealt) < len(state.seats):
        colour = COLOURS[dice.below(len(COLOURS))]
        if colour not in dealt:
            dealt.append(colour)
    return DealColours(tuple(dealt))
