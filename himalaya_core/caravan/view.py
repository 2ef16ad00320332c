"""What a seat knows, and the position as plain data."""

from typing import Any

from himalaya_core.caravan.pieces import sparse
from himalaya_core.caravan.state import State, evolve

__all__ = ["position", "view"]


def view(state: State, seat: int) -> State:
    """Return the position as a seat sees it: the others' plans are hidden until they are revealed (C-view).

    A hidden plan is the empty plan: that it was committed is public. Goods and yaks behind screens were
    taken in the open, so an attentive player knows them; the order of the bags is not part of the state.
    """
    if state.step or not any(state.plans):
        return state
    plans = tuple(() if plan and owner != seat else plan for owner, plan in enumerate(state.plans))
    return evolve(state, plans=plans)


def position(state: State) -> dict[str, Any]:
    """Return the position as JSON-ready data; `state_sha256` of a log is the digest of its canonical form."""
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
    """Return what only the variants add: a position of the base game has none of these keys."""
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
