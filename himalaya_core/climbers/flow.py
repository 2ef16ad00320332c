"""Determines automatic events, random set-up actions, and the seats that must choose next."""

from himalaya_core.climbers.actions import Action, BuildOpening, DealColours, DrawLot, Placement
from himalaya_core.climbers.blocks import Colour
from himalaya_core.climbers.climbing import ground, may_climb
from himalaya_core.climbers.events import (
    BlockPlaced,
    DiscRemoved,
    Event,
    OthersSlot,
    PhaseSkipped,
    SetupChecked,
    StartPlayerChosen,
    TurnEnded,
    TurnStarted,
)
from himalaya_core.climbers.opening import hides_core, laid, packed
from himalaya_core.climbers.pieces import COLOURS, IN_HAND, DiscPlace, Method, Part, Phase
from himalaya_core.climbers.state import State
from himalaya_core.game import CHANCE, DiceSource, IllegalAction

__all__ = ["actors", "advance", "disc_due", "is_over", "sample_chance"]


def advance(state: State) -> Event | None:
    """Return the next automatic event; `None` if an actor must choose or the match is over."""
    match state.phase:
        case Phase.CLIMB | Phase.CLIMB_AGAIN:
            return _climb(state)
        case Phase.OTHERS:
            return None if may_climb(state, state.acting) else _next_slot(state)
        case Phase.NEXT:
            return _next_slot(state)
        case Phase.DISC:
            return None if state.discs[state.active] == IN_HAND else _next_slot(state)
        case Phase.TURN:
            return None if is_over(state) else _next_turn(state)
        case Phase.BUILD:
            return _build(state)
        case Phase.START:
            first = state.options.first
            return None if first is None else StartPlayerChosen(first, Method.NAMED)
        case Phase.BLOCK | Phase.COLOURS:
            return None


def actors(state: State) -> tuple[int, ...]:
    """Return who may act: the acting seat, or chance during the set-up."""
    match state.phase:
        case Phase.BUILD | Phase.COLOURS | Phase.START:
            return (CHANCE,) if advance(state) is None else ()
        case Phase.TURN | Phase.NEXT:
            return ()
        case _:
            return (state.acting,) if advance(state) is None else ()


def is_over(state: State) -> bool:
    """Return whether a whole round has passed without a rise: as many turns in a row as there are players (L-9.end)."""
    return state.phase is Phase.TURN and state.streak >= len(state.seats)


def _build(state: State) -> Event | None:
    """Place the blocks of a given opening one by one, then check the complete opening (L-5.given, L-5.hidden)."""
    count = sum([pose is not None for pose in state.poses])
    if count == len(state.poses):
        return SetupChecked(core_hidden=hides_core(state.board.blocks, ground(state)))
    return None if state.board.opening is None else BlockPlaced(*state.board.opening[count])


def _next_turn(state: State) -> TurnStarted:
    """Start the next turn: the start player first, then clockwise (L-6.order)."""
    seat = (state.active + 1) % len(state.seats) if state.turn else state.active
    return TurnStarted(seat, state.turn + 1)


def _climb(state: State) -> Event | None:
    """Begin phase a: remove the player's disc, then skip the phase if no step is legal (L-6.disc, L-8.skip)."""
    seat = state.active
    return disc_due(state) or (None if may_climb(state, seat) else PhaseSkipped(seat, Part(state.phase)))


def disc_due(state: State) -> DiscRemoved | None:
    """Return the event that removes the active player's disc at the start of a turn; `None` if not due (L-6.disc)."""
    disc = state.discs[state.active]
    if state.phase is not Phase.CLIMB or disc.place is not DiscPlace.ON or disc.block is None:
        return None
    return DiscRemoved(state.active, disc.block)


def _next_slot(state: State) -> Event:
    """Offer the next seat clockwise a climb; after the last seat, end the turn (L-6.others)."""
    seat = (state.acting + 1) % len(state.seats)
    if seat != state.active:
        return OthersSlot(seat)
    return TurnEnded(state.active, state.climbed, 0 if state.climbed else state.streak + 1)


def sample_chance(state: State, seed: DiceSource) -> Action:
    """Return the random action that is due. A seed gives the same opening for any number of players.

    Each seat draws numbers until one names a free colour. Seats 1 to 3 therefore get the same colours from a seed
    whether or not there is a seat 4.
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
