"""A position as text tables for a terminal."""

from collections.abc import Sequence

from himalaya_core.caravan.pieces import RESOURCES, Plan, Resource, sparse
from himalaya_core.caravan.scoring import influences
from himalaya_core.caravan.state import PlacedToken, State
from himalaya_core.columns import table

__all__ = ["describe"]


def describe(state: State, names: Sequence[str]) -> str:
    """Return the whole position as text: round, villages, regions, seats; `names` are by seat.

    Pass a view to hide what a seat may not see; its hidden plans are shown as "hidden".
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
    """Format the six actions, with the current step in brackets."""
    if plan is None:
        return "-"
    return " ".join(f"[{act}]" if number == step else act for number, act in enumerate(plan, start=1)) or "hidden"


def _bags(state: State) -> str:
    bag = ", ".join(f"{count} {resource}" for resource, count in zip(RESOURCES, state.bag, strict=True))
    text = f"in the bags: {bag}; {len(state.order_bag)} orders"
    return f"{text}; {len(state.cards)} village cards in the deck" if state.options.village_cards else text


def _goods(cubes: dict[Resource, int]) -> str:
    return " ".join(f"{count} {resource}" for resource, count in cubes.items())
