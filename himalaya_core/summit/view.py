"""What a seat may see of a position, and the position as plain data and as text tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from himalaya_core.columns import table
from himalaya_core.document import object_schema
from himalaya_core.summit.board import Board
from himalaya_core.summit.flow import bad_weather_is_in, is_over
from himalaya_core.summit.pieces import SHERPAS, Phase, Piece
from himalaya_core.summit.scoring import standing
from himalaya_core.summit.state import State

__all__ = ["POSITION", "describe", "position", "view"]


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
    """Return the position unchanged: a state never contains the one secret, the order of the deck (S-view)."""
    return state


def position(state: State) -> dict[str, Any]:
    """Return the position as plain data for JSON. `state_sha256` in logs is the digest of its canonical JSON."""
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


def describe(state: State, names: Sequence[str]) -> str:
    """Return the whole position as text: dice, Yeti, route and seats. `names` are indexed by seat."""
    return "\n".join([_dice(state, names), _route(state), _seats(state, names), _standing(state, names)])


def _dice(state: State, names: Sequence[str]) -> str:
    if not state.turn:
        when = "set-up"
    else:
        again = ", thrown again" if state.rerolled else ""
        when = f"throw {state.throws}, turn {state.turn} of {names[state.active]}{again}"
    ended = " (bad weather)" if state.phase is Phase.OVER else " (on the summit)" if is_over(state) else ""
    weather = ", bad weather among them" if bad_weather_is_in(state) else ""
    left = len(state.deck) + bad_weather_is_in(state)
    lines = [
        when + ended,
        f"dice to choose from: {' '.join(map(str, state.pool)) or 'none'}",
        f"the Yeti is on {state.yeti}; its cards seen: {_cards(state.seen)}; to come: {left}{weather}",
    ]
    return "\n".join([*lines, ""])


def _cards(cards: Iterable[int]) -> str:
    return " ".join(f"{card:+}" for card in cards) or "none"


def _route(state: State) -> str:
    board = state.board
    rows = []
    for field in range(board.summit, -1, -1):
        kind = _kind(board, field)
        pawns = [_pawns(state, seat, field) for seat in state.seats]
        if kind or any(pawns) or field == state.yeti:
            rows.append([field, kind, "Yeti" if field == state.yeti else "", *pawns])
    return table(["field", "", "", *(f"seat {seat + 1}" for seat in state.seats)], rows)


def _kind(board: Board, field: int) -> str:
    slide = board.slides.get(field)
    if slide is not None:
        return f"{slide.kind} to {slide.to}"
    named = {0: "base camp", board.summit: "summit", board.cave: "cave"}
    if field in named:
        return named[field]
    if field in board.high_camps:
        return "high camp"
    return "snow" if field in board.snow else ""


def _pawns(state: State, seat: int, field: int) -> str:
    climber = [Piece.CLIMBER] if state.climbers[seat] == field else []
    return " ".join([*climber, *(piece for piece in SHERPAS if state.at(seat, piece) == field)])


def _seats(state: State, names: Sequence[str]) -> str:
    rows = [
        [
            seat + 1,
            names[seat],
            state.climbers[seat],
            sum(state.sherpas[seat]),
            " ".join(state.hands[seat]) or "-",
            " ".join(state.used[seat]) or "-",
            " ".join(map(str, sorted(state.gained[seat]))) or "-",
        ]
        for seat in state.seats
    ]
    return table(["seat", "who", "climber", "Sherpas", "cards", "used", "supplied in"], rows)


def _standing(state: State, names: Sequence[str]) -> str:
    groups = [" and ".join(names[seat] for seat in group) for group in standing(state).ranking]
    return f"{'it ended' if is_over(state) else 'if it ended now'}: {', then '.join(groups)}"
