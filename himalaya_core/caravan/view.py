"""A seat's view of the position, and the position as plain data."""

from collections.abc import Mapping
from typing import Any, Final

from himalaya_core.caravan.pieces import sparse
from himalaya_core.caravan.state import State, evolve
from himalaya_core.document import object_schema

__all__ = ["POSITION", "position", "view"]

COUNT: Final = {"type": "integer", "minimum": 0}
CUBES: Final = {
    "type": "object",
    "propertyNames": {"enum": ["salt", "barley", "tea", "jade", "gold"]},
    "additionalProperties": {"type": "integer", "minimum": 1},
}
BY_SEAT: Final = {"type": "array", "items": COUNT}
PROPERTIES: Final[Mapping[str, Any]] = {
    "round": {**COUNT, "description": "0 in the set-up, then 1 to 12."},
    "first": {**COUNT, "description": "The First Caravaneer; in the set-up that of round 1."},
    "step": {
        **COUNT,
        "maximum": 7,
        "description": "0 until plans are revealed, 1 to 6 while they are carried out, then 7 until the next round.",
    },
    "turn": {**COUNT, "description": "How many seats have had their turn in this step; 0 in steps 0 and 7."},
    "bag": {**CUBES, "description": "Cubes, without zeros."},
    "order_bag": {"type": "array", "items": {"type": "string"}, "description": "Ids of orders, sorted as text."},
    "goods": {
        "type": "object",
        "additionalProperties": CUBES,
        "description": "Cubes by village; villages without any are left out.",
    },
    "orders": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "The id of the order in a village.",
    },
    "stupas": {
        "type": "object",
        "additionalProperties": COUNT,
        "description": "The seat that owns the stupa in a village.",
    },
    "delegations": {
        "type": "object",
        "additionalProperties": BY_SEAT,
        "description": "By region how many each seat has there; regions without any are left out.",
    },
    "cards": {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 20},
        "description": "With the option village_cards: those left in the deck, ascending; all 20 after the last one.",
    },
    "tokens": {
        "type": "array",
        "items": object_schema(
            {
                "token": {"enum": ["yeti", "snowstorm", "market"]},
                "seat": COUNT,
                "at": {"type": ["integer", "array"], "items": COUNT},
            }
        ),
        "description": "With the option tokens: those on the board, as they were placed; at a village or a road.",
    },
    "tokens_left": {
        "type": "array",
        "items": {"type": "array", "items": {"enum": ["yeti", "snowstorm", "market"]}},
        "description": "With the option tokens: by seat those not used yet, sorted as text.",
    },
    "storms": {
        **BY_SEAT,
        "description": "With the option tokens: by seat the village it is on its way to through a snowstorm, or 0.",
    },
    "seats": {
        "type": "array",
        "items": object_schema(
            {
                "caravan": {
                    **COUNT,
                    "description": "Its village; on a snowstorm the one it left; 0 before it is placed.",
                },
                "hand": {**CUBES, "description": "Cubes, without zeros."},
                "herd": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Ids of bartered orders, in the order in which they were bartered.",
                },
                "markers": COUNT,
                "stupas_left": COUNT,
                "delegations_left": COUNT,
                "plan": {
                    "type": ["array", "null"],
                    "items": {"enum": ["soil", "stone", "ice", "trade", "rest"]},
                    "description": "Null until it is committed; it stays until the next round starts.",
                },
                "collected": {
                    "type": "array",
                    "items": COUNT,
                    "description": "Villages where the seat has collected this round, ascending.",
                },
            }
        ),
    },
    "eliminated": {**BY_SEAT, "description": "Seats, in the order of their events."},
}
OF_OPTIONS: Final = ("cards", "tokens", "tokens_left", "storms")
POSITION: Final[Mapping[str, Any]] = object_schema(PROPERTIES, optional=OF_OPTIONS)
"""JSON Schema of the result of `position`."""


def view(state: State, seat: int) -> State:
    """Return the position as a seat sees it: the other plans are hidden until they are revealed (C-view).

    A hidden plan is an empty one, as it is public that it was committed. Goods and yaks behind screens were taken
    openly, so an attentive player knows them. The order of the bags is not part of the state.
    """
    if state.step or not any(state.plans):
        return state
    plans = tuple(() if plan and owner != seat else plan for owner, plan in enumerate(state.plans))
    return evolve(state, plans=plans)


def position(state: State) -> dict[str, Any]:
    """Return the position as JSON-ready data; a log's `state_sha256` is the digest of its canonical form."""
    return {
        "round": state.round,
        "first": state.first,
        "step": state.step,
        "turn": state.turn,
        "bag": sparse(state.bag),
        "order_bag": sorted(order.id for order in state.order_bag),
        "goods": {str(village): sparse(goods) for village, goods in enumerate(state.goods) if any(goods)},
        "orders": {str(village): order.id for village, order in enumerate(state.orders) if order},
        "stupas": {str(village): owner for village, owner in enumerate(state.stupas) if owner is not None},
        "delegations": {str(region): list(row) for region, row in enumerate(state.delegations) if any(row)},
        **_variants(state),
        "seats": [_seat(state, seat) for seat in state.seats],
        "eliminated": [gone.seat for gone in state.eliminated],
    }


def _variants(state: State) -> dict[str, Any]:
    """Return the keys that only variants add."""
    added: dict[str, Any] = {}
    if state.options.village_cards:
        added["cards"] = sorted(state.cards)
    if state.options.tokens:
        added["tokens"] = [
            {"token": placed.token, "seat": placed.seat, "at": placed.village or list(placed.road or ())}
            for placed in state.tokens
        ]
        added["tokens_left"] = [sorted(tokens) for tokens in state.tokens_left]
        added["storms"] = list(state.storms)
    return added


def _seat(state: State, seat: int) -> dict[str, Any]:
    plan = state.plans[seat]
    return {
        "caravan": state.caravans[seat],
        "hand": sparse(state.hands[seat]),
        "herd": [order.id for order in state.herds[seat]],
        "markers": state.markers[seat],
        "stupas_left": state.stupas_left[seat],
        "delegations_left": state.delegations_left[seat],
        "plan": None if plan is None else list(plan),
        "collected": sorted(state.collected[seat]),
    }
