"""The game summit, which implements the rules of "Himalaya" (Günter Burkhardt, Piatnik 1998)."""

from typing import Final, get_args

from himalaya_core.game import Game, log_name
from himalaya_core.summit.actions import Action
from himalaya_core.summit.board import parse_board
from himalaya_core.summit.events import Event
from himalaya_core.summit.features import FEATURES
from himalaya_core.summit.flow import actors, advance, sample_chance
from himalaya_core.summit.fold import apply
from himalaya_core.summit.notation import NOTATION
from himalaya_core.summit.pieces import COLOURS, OPTIONS, parse_options
from himalaya_core.summit.rules import decide, legal_actions
from himalaya_core.summit.scoring import outcome
from himalaya_core.summit.state import State, initial
from himalaya_core.summit.view import POSITION, describe, position, view

__all__ = ["SUMMIT"]

SUMMIT: Final = Game[State, Action, Event](
    name="summit",
    rules_version="1",
    boards="himalaya_core.summit",
    default_board="piatnik-reconstructed",
    seat_labels=COLOURS,
    options=OPTIONS,
    event_types={log_name(kind): kind for kind in get_args(Event)},
    action_types={log_name(kind): kind for kind in get_args(Action)},
    parse_board=parse_board,
    parse_options=parse_options,
    initial=initial,
    actors=actors,
    legal_actions=legal_actions,
    sample_chance=sample_chance,
    decide=decide,
    advance=advance,
    apply=apply,
    round_of=lambda state: state.throws,
    outcome=outcome,
    view=view,
    position=position,
    position_schema=POSITION,
    describe=describe,
    features=FEATURES,
    notation=NOTATION,
    order=2,
    title="Himalaya (Piatnik 1998)",
)
