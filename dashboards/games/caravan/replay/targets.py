"""Clickable targets on a caravan board, and a seat's choices of action."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from dashboards.boards.scene import NOBODY, Moment
from dashboards.games.analytics import MOST_LISTED, Choice, Offer, Way, without_name
from dashboards.games.caravan.replay.text import cubes_text, decision_in_words
from himalaya_core.caravan.actions import SeatAction
from himalaya_core.caravan.board import Board
from himalaya_core.caravan.events import (
    ActionVoided,
    Bartered,
    CaravanPlaced,
    Collected,
    DelegationsSent,
    Delivered,
    Eliminated,
    Moved,
    OrderReturned,
    RefillRolled,
    Rested,
    StormEntered,
    StupaPlaced,
    TokenPlaced,
    TokensRemoved,
)
from himalaya_core.caravan.flow import is_planning
from himalaya_core.caravan.pieces import Act, VoidReason
from himalaya_core.caravan.state import State
from himalaya_core.game import Game
from himalaya_core.log.codec import Entry
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import Evaluation

__all__ = ["GROUPS", "alternative_targets", "arrivals", "caravan_choices", "target_names", "touch", "touched"]


GROUPS: Final[Mapping[str, str]] = {"n": "Villages", "l": "Roads", "a": "Regions", "u": "Stupas", "d": "Orders"}
"""Kinds of targets, by the first letter of their ids."""

CLOSED: Final = (VoidReason.YETI, VoidReason.STORM_UNFINISHED)


def target_names(board: Board) -> dict[str, str]:
    """Map the id of each node, link, area, stupa and order (`n7`, `l3`, `a2`, `u7`, `d12`) to a readable name."""
    names = {f"n{village.number}": f"Village {village.number}" for village in board.villages}
    for index, road in enumerate(board.roads):
        names[f"l{index}"] = f"{road.type.capitalize()} road {road.between[0]}–{road.between[1]}"
    names |= {f"a{region}": f"Region {region}" for region in sorted(board.region_labels)}
    names |= {f"u{village.number}": f"Stupa in village {village.number}" for village in board.villages}
    for index, order in enumerate(board.orders):
        names[f"d{index}"] = f"Order of {cubes_text(order.demand)} for {order.yaks} yaks"
    return names


def touch(moments: Sequence[Moment], entries: Sequence[Entry], states: Sequence[State]) -> None:
    """Add to each moment the targets that its events involve."""
    board = states[0].board
    links = {road.between: index for index, road in enumerate(board.roads)}
    discs = {order.id: index for index, order in enumerate(board.orders)}
    ends = [moment["at"] for moment in moments[1:]] + [len(entries)]
    for moment, end in zip(moments, ends, strict=True):
        found: dict[str, None] = {}
        for at in range(max(moment["at"], 1), end):
            found |= dict.fromkeys(_touched(entries[at].event, states[at - 1], states[at], links, discs))
        if found:
            moment["on"] = list(found)


def touched(events: Sequence[Any], state: State) -> list[str]:
    """Return the targets involved in one decision's events, given the position before."""
    links = {road.between: index for index, road in enumerate(state.board.roads)}
    discs = {order.id: index for index, order in enumerate(state.board.orders)}
    return list(dict.fromkeys(target for event in events for target in _touched(event, state, state, links, discs)))


def arrivals(entries: Sequence[Entry], board: Board) -> list[tuple[int, int, int, int]]:
    """Return `(entry, seat, village, road)` for each arrival of a caravan; a first placement has no road."""
    links = {road.between: index for index, road in enumerate(board.roads)}
    found = []
    for at, entry in enumerate(entries):
        match entry.event:
            case Moved(seat=seat, from_=village, to=to):
                found.append((at, seat, to, links[_between(village, to)]))
            case CaravanPlaced(seat=seat, village=village):
                found.append((at, seat, village, NOBODY))
            case _:
                pass
    return found


def alternative_targets(replay: Replay, judged: Evaluation) -> list[str]:
    """Return the villages and roads of an alternative plan from the caravan's village on; only moves add places."""
    state, board = replay.states[judged.seq - 1], replay.board
    links = {road.between: index for index, road in enumerate(board.roads)}
    village, toward = state.caravans[judged.seat], state.storms[judged.seat]
    found = [f"n{village}"] if village else []
    if toward:  # the caravan first leaves the snowstorm road it is on
        found += [f"l{links[_between(village, toward)]}", f"n{toward}"]
        village = toward
    for act in judged.action.get("plan", ()):
        to = board.neighbours[village].get(act)
        if to is not None:
            found += [f"l{links[_between(village, to)]}", f"n{to}"]
            village = to
    return list(dict.fromkeys(found))


def _touched(
    event: Any, before: State, after: State, links: Mapping[tuple[int, int], int], discs: Mapping[str, int]
) -> list[str]:
    match event:
        case Moved(from_=village, to=to):
            return [f"n{village}", f"l{links[_between(village, to)]}", f"n{to}"]
        case StormEntered(from_=village, toward=to):
            return [f"n{village}", f"l{links[_between(village, to)]}"]
        case Collected(village=village) | CaravanPlaced(village=village):
            return [f"n{village}"]
        case Delivered(village=village, order=order):
            return [f"n{village}", f"d{discs[order.id]}"]
        case Bartered(order=order) | OrderReturned(order=order):
            return [f"d{discs[order]}"]
        case StupaPlaced(village=village):
            return [f"n{village}", f"u{village}"]
        case DelegationsSent(regions=regions):
            return [f"a{region}" for region in regions]
        case RefillRolled(village=village, order=order):
            return [f"n{village}", *([f"d{discs[order.id]}"] if order else [])]
        case ActionVoided():
            return _around_void(event, before, links, discs)
        case Rested(seat=seat):
            return _where(before, seat, links)
        case _:
            return _touched_by_all(event, before, after, links)


def _touched_by_all(event: Any, before: State, after: State, links: Mapping[tuple[int, int], int]) -> list[str]:
    match event:
        case TokenPlaced(road=road, village=village):
            return [f"l{links[road]}" if road else f"n{village}"]
        case TokensRemoved():
            return [f"l{links[placed.road]}" if placed.road else f"n{placed.village}" for placed in before.tokens]
        case Eliminated():
            return _cleared(before, after)
        case _:
            return []


def _around_void(
    event: ActionVoided, state: State, links: Mapping[tuple[int, int], int], discs: Mapping[str, int]
) -> list[str]:
    """Return the village of a void action, and the closed road or the order that lacked goods."""
    village, order = state.caravans[event.seat], state.orders[state.caravans[event.seat]]
    if event.reason in CLOSED:
        ways = {str(road): to for road, to in state.board.neighbours[village].items()}
        return [f"n{village}", f"l{links[_between(village, ways[event.action])]}"]
    wanted = event.action is Act.TRADE and not state.storms[event.seat] and order
    return [*_where(state, event.seat, links), *([f"d{discs[order.id]}"] if wanted and order else [])]


def _where(state: State, seat: int, links: Mapping[tuple[int, int], int]) -> list[str]:
    village, toward = state.caravans[seat], state.storms[seat]
    return [f"l{links[_between(village, toward)]}" if toward else f"n{village}"]


def _cleared(before: State, after: State) -> list[str]:
    """Return the stupas and the regions from which an elimination removed a seat's pieces."""
    stupas = [f"u{village}" for village, owner in enumerate(before.stupas) if owner != after.stupas[village]]
    regions = [f"a{region}" for region, row in enumerate(before.delegations) if row != after.delegations[region]]
    return [*stupas, *regions]


def _between(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def caravan_choices(game: Game[Any, Any, Any], state: State, seat: int, names: Sequence[str]) -> Offer:
    """Return the choices of a seat; the 15,625 possible plans are not listed."""
    if is_planning(state):
        return Offer(Way.PLAN, [])
    listed = islice(game.legal_actions(state, seat), MOST_LISTED)
    return Offer(Way.LIST, [_choice(game, state, action, names) for action in listed])


def _choice(game: Game[Any, Any, Any], state: State, action: SeatAction, names: Sequence[str]) -> Choice:
    events = game.decide(state, action)
    return Choice(action, without_name(decision_in_words(events, names), names[action.seat]), touched(events, state))
