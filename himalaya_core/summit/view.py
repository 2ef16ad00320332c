"""A seat's view of the position, and the position as plain data."""

from collections.abc import Mapping
from typing import Any, Final

from himalaya_core.document import object_schema
from himalaya_core.summit.state import State

__all__ = ["POSITION", "position", "view"]

COUNT: Final = {"type": "integer", "minimum": 0}
NUMBERS: Final = {"type": "array", "items": {"type": "integer"}}
CARDS: Final = {"type": "array", "items": {"type": "string"}}
PROPERTIES: Final[Mapping[str, Any]] = {
    "phase": {
        "enum": ["start", "decide", "throw", "draw", "resolve", "over"],
        "description": "What is due: the lot; a move, or with an empty pool a throw; the throw after a reroll; a Yeti "
        "card; a resupply, or nothing with a climber on the summit; nothing after the bad weather.",
    },
    "turn": {**COUNT, "description": "The number of the last turn_started."},
    "active": {**COUNT, "description": "The seat on turn; 0 before the start player is chosen."},
    "throws": {**COUNT, "description": "How often the dice were thrown: the round of the envelope."},
    "draws": {**COUNT, "description": "How many Yeti cards were drawn, the bad weather too."},
    "cycle": {**COUNT, "description": "That of the last deck_shuffled."},
    "rerolled": {"type": "boolean", "description": "Whether the active seat has chosen to throw again in this turn."},
    "arrived": {
        "type": ["integer", "null"],
        "description": "The high camp of a resupply that is to be decided, or the summit if a climber is there.",
    },
    "yeti": {**COUNT, "description": "Its field."},
    "pool": {**NUMBERS, "description": "The dice that may still be taken, ascending."},
    "deck": {**NUMBERS, "description": "The Yeti cards that may still be drawn, ascending, without the bad weather."},
    "seen": {
        **NUMBERS,
        "description": "Those drawn since the last deck_shuffled, in their order, without the bad weather.",
    },
    "seats": {
        "type": "array",
        "items": object_schema(
            {
                "climber": {**COUNT, "description": "Its field."},
                "sherpas": {**NUMBERS, "minItems": 4, "maxItems": 4, "description": "The fields of S0 to S3."},
                "hand": {**CARDS, "description": "Supply cards: those of the board file, then those taken back."},
                "used": {**CARDS, "description": "Supply cards played, in their order."},
                "gained": {**NUMBERS, "description": "The high camps where a card was taken back, ascending."},
            }
        ),
    },
}
POSITION: Final[Mapping[str, Any]] = object_schema(PROPERTIES)
"""JSON Schema of the result of `position`."""


def view(state: State, _seat: int) -> State:
    """Return the position unchanged, as it does not contain the order of the deck (S-view)."""
    return state


def position(state: State) -> dict[str, Any]:
    """Return the position as JSON-ready data; a log's `state_sha256` is the digest of its canonical form."""
    return {
        "phase": state.phase,
        "turn": state.turn,
        "active": state.active,
        "throws": state.throws,
        "draws": state.draws,
        "cycle": state.cycle,
        "rerolled": state.rerolled,
        "arrived": state.arrived,
        "yeti": state.yeti,
        "pool": list(state.pool),
        "deck": list(state.deck),
        "seen": list(state.seen),
        "seats": [
            {
                "climber": state.climbers[seat],
                "sherpas": list(state.sherpas[seat]),
                "hand": list(state.hands[seat]),
                "used": list(state.used[seat]),
                "gained": sorted(state.gained[seat]),
            }
            for seat in state.seats
        ],
    }
