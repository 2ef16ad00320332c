"""What a seat may see of a position, and the position as plain data and as text tables."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from himalaya_core.caravan.pieces import RESOURCES, Plan, Resource, sparse
from himalaya_core.caravan.scoring import influences
from himalaya_core.caravan.state import PlacedToken, State, evolve
from himalaya_core.columns import table
from himalaya_core.document import object_schema

__all__ = ["POSITION", "describe", "position", "view"]


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
    """Return the position as a seat sees it: the other seats' plans are hidden until they are revealed (C-view).

    A hidden plan is an empty one, because all players see that it was committed. Goods and yaks behind screens were
    taken openly, so they are not hidden. The order of the bags is not part of the state.
    """
    if state.step or not any(state.plans):
        return state
    plans = tuple(() if plan and owner != seat else plan for owner, plan in enumerate(state.plans))
    return evolve(state, plans=plans)


def position(state: State) -> dict[str, Any]:
    """Return the position as plain data for JSON. `state_sha256` in logs is the digest of its canonical JSON."""
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
    """Return the additional keys of a match with optional rules."""
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


def describe(state: State, names: Sequence[str]) -> str:
    """Return the whole position as text: round, villages, regions and seats. `names` are indexed by seat.

    Pass the result of `view` to hide what a seat may not see; hidden plans then appear as "hidden".
    """
    parts = [_calendar(state, names), _villages(state), _regions(state), _seats(state, names), _bags(state)]
    return "\n".join(parts)


def _calendar(state: State, names: Sequence[str]) -> str:
    if not state.round:
        when = "set-up"
    elif state.step == 0:
        when = f"round {state.round}, before the plans are revealed"
    else:
        when = f"round {state.round}, " + (f"step {state.step}" if state.step <= 6 else "after the plans")
    lines = [f"{when}; First Caravaneer: {names[state.first]}"]
    lines += [_token(placed, names) for placed in state.tokens]
    lines += [f"out: {names[gone.seat]}, least {gone.influence} influence ({gone.value})" for gone in state.eliminated]
    return "\n".join([*lines, ""])


def _token(placed: PlacedToken, names: Sequence[str]) -> str:
    where = f"road {placed.road[0]}-{placed.road[1]}" if placed.road else f"village {placed.village}"
    return f"{placed.token} on {where}, by {names[placed.seat]}"


def _villages(state: State) -> str:
    rows = []
    for village in state.board.villages:
        number, order = village.number, state.orders[village.number]
        owner = state.stupas[number]
        rows.append(
            [
                number,
                village.level,
                " ".join(map(str, village.regions)),
                _goods(sparse(state.goods[number])) if order is None else f"wants {_goods(order.demand)}",
                "" if order is None else order.yaks,
                "" if owner is None else f"seat {owner + 1}",
                " ".join(f"seat {seat + 1}" for seat in state.seats if state.caravans[seat] == number),
            ]
        )
    return table(["village", "level", "regions", "goods or order", "yaks", "stupa", "caravans"], rows)


def _regions(state: State) -> str:
    leaders = influences(state).regions
    rows = [
        [region, *row, "" if (leader := leaders[region]) is None else f"seat {leader + 1}"]
        for region, row in enumerate(state.delegations)
        if region
    ]
    return table(["region", *(f"seat {seat + 1}" for seat in state.seats), "leads"], rows)


def _seats(state: State, names: Sequence[str]) -> str:
    scores = influences(state)
    head = ["seat", "who", "village", "hand", "yaks", "stupas left", "delegations left", "rel", "pol", "plan"]
    rows = []
    for seat in state.seats:
        place = f"{state.caravans[seat] or '-'}"
        if state.storms[seat]:
            place += f" (in the storm to {state.storms[seat]})"
        hand = _goods(sparse(state.hands[seat])) or "-"
        left = [state.stupas_left[seat], state.delegations_left[seat]]
        figures = [scores.religious[seat], scores.political[seat]]
        plan = _plan(state.plans[seat], state.step)
        rows.append([seat + 1, names[seat], place, hand, state.yaks(seat), *left, *figures, plan])
    text = table(head, rows)
    if state.options.tokens:
        unused = enumerate(state.tokens_left, start=1)
        kept = [f"seat {number} {' '.join(sorted(tokens)) or 'none'}" for number, tokens in unused]
        text += f"tokens left: {'; '.join(kept)}\n"
    return text


def _plan(plan: Plan | None, step: int) -> str:
    if plan is None:
        return "-"
    return " ".join(f"[{act}]" if number == step else act for number, act in enumerate(plan, start=1)) or "hidden"


def _bags(state: State) -> str:
    bag = ", ".join(f"{count} {resource}" for resource, count in zip(RESOURCES, state.bag, strict=True))
    text = f"in the bags: {bag}; {len(state.order_bag)} orders"
    return f"{text}; {len(state.cards)} village cards in the deck" if state.options.village_cards else text


def _goods(cubes: dict[Resource, int]) -> str:
    return " ".join(f"{count} {resource}" for resource, count in cubes.items())
