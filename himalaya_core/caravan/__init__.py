"""The game caravan, which implements the rules of "Himalaya" (Régis Bonnessée, Tilsit 2004)."""

from typing import Final, get_args

from himalaya_core.caravan.actions import Action
from himalaya_core.caravan.board import parse_board
from himalaya_core.caravan.events import Event
from himalaya_core.caravan.features import FEATURES
from himalaya_core.caravan.flow import actors, advance, sample_chance
from himalaya_core.caravan.fold import apply
from himalaya_core.caravan.notation import NOTATION
from himalaya_core.caravan.pieces import OPTIONS, TRIBES, parse_options
from himalaya_core.caravan.rules import decide, legal_actions
from himalaya_core.caravan.scoring import outcome
from himalaya_core.caravan.state import State, initial
from himalaya_core.caravan.view import POSITION, describe, position, view
from himalaya_core.game import Game, log_name

__all__ = ["CARAVAN"]

CARAVAN: Final = Game[State, Action, Event](
    name="caravan",
    rules_version="1",
    boards="himalaya_core.caravan",
    default_board="tilsit-reconstructed",
    seat_labels=TRIBES,
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
    round_of=lambda state: state.round,
    outcome=outcome,
    view=view,
    position=position,
    position_schema=POSITION,
    describe=describe,
    features=FEATURES,
    notation=NOTATION,
    order=1,
    title="Himalaya (Tilsit 2004)",
)
