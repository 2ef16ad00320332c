"""The game climbers, which implements the rules of "The Climbers" (Holger Lanz; 2008, Capstone 2018)."""

from typing import Final, get_args

from himalaya_core.climbers.actions import Action
from himalaya_core.climbers.board import parse_board
from himalaya_core.climbers.events import Event
from himalaya_core.climbers.features import FEATURES
from himalaya_core.climbers.flow import actors, advance, sample_chance
from himalaya_core.climbers.fold import apply
from himalaya_core.climbers.notation import NOTATION
from himalaya_core.climbers.pieces import OPTIONS, parse_options
from himalaya_core.climbers.rules import decide, legal_actions
from himalaya_core.climbers.scoring import outcome
from himalaya_core.climbers.state import State, initial
from himalaya_core.climbers.view import POSITION, describe, position, view
from himalaya_core.game import Game, log_name

__all__ = ["CLIMBERS"]

LABELS: Final = tuple(f"climber {letter}" for letter in "ABCDE")
"""Seat labels. They name no colours, because colours are dealt after the match has started."""

CLIMBERS: Final = Game[State, Action, Event](
    name="climbers",
    rules_version="1",
    boards="himalaya_core.climbers",
    default_board="capstone-reconstructed",
    seat_labels=LABELS,
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
    round_of=lambda state: state.turn,
    outcome=outcome,
    view=view,
    position=position,
    position_schema=POSITION,
    describe=describe,
    features=FEATURES,
    notation=NOTATION,
    order=3,
    title="The Climbers",
)
