"""Features of each seat for the win-probability model. Plans are never used, not even revealed ones."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from himalaya_core.caravan.board import Board
from himalaya_core.caravan.pieces import INVENTORY_ROUNDS, MARKER_YAKS, PLAN_LENGTH, RANK, ROUNDS, SUPPLY, Influence
from himalaya_core.caravan.scoring import Ending, final, influences, turn_order
from himalaya_core.caravan.state import Scores, State
from himalaya_core.game import BySeat, Features, Outcome, below, leads, places

__all__ = ["FEATURES"]

NAMES: Final[Mapping[str, str]] = {
    "religious": "Religious influence.",
    "religious_safety": "Religious influence above that of the seats which would be eliminated on it.",
    "religious_below": "The share of the other seats that have less religious influence.",
    "political": "Political influence: regions led.",
    "political_safety": "Political influence above that of the seats which would be eliminated on it.",
    "political_below": "The share of the other seats that have less political influence.",
    "economic": "Yaks.",
    "economic_lead": "Yaks more than the richest other seat has.",
    "economic_lead_2": "Yaks more than the second richest other seat has.",
    "economic_below": "The share of the other seats that have fewer yaks.",
    "scored_now": "Its share of the win if the position were scored now.",
    "place_now": "Its place if the position were scored now, from 0 for the first to 1 for the last.",
    "out_religious": "Whether it would be eliminated on religion if the position were scored now.",
    "out_political": "Whether it would be eliminated on politics if the position were scored now.",
    "economic_standing": "Yaks more than any other seat that would not be eliminated now.",
    "majorities": "With three players: how many of the three influences it leads alone.",
    "delegations": "Delegations on the board.",
    "regions_firm": "Regions that it leads by two delegations or more.",
    "regions_close": "Regions that it leads by one delegation.",
    "regions_near": "Regions where it shares the lead, or one delegation is missing to it.",
    "stupas_left": "Stupas not placed yet.",
    "salt": "Cubes of salt in hand.",
    "barley": "Cubes of barley in hand.",
    "tea": "Cubes of tea in hand.",
    "jade": "Cubes of jade in hand.",
    "gold": "Cubes of gold in hand.",
    "hand_lead": "Cubes in hand more than the seat with the most of the others has.",
    "deliverable": "Orders on the map that its hand meets.",
    "delivery": "The best order that its hand meets: yaks and twice the level, over two more than the roads to it.",
    "delivery_2": "The second best order that its hand meets, counted in the same way.",
    "delivery_lead": "Its best order against the best of the other seats.",
    "nearly": "The best order for which one cube is missing, counted in the same way.",
    "goods_near": "Villages with goods at most two roads away.",
    "late": "How late its turn is in the round, from 0 to 1.",
    "inventory": "Yaks that an inventory would bring it now, over the rounds until there is one.",
}


def _rows(state: State) -> Sequence[Sequence[float]]:
    scores, ending = influences(state), final(state)
    columns = [*_influence(state, scores), *_scored_now(state, scores, ending), *_regions(state), *_goods(state)]
    return list(zip(*columns, strict=True))


def _influence(state: State, scores: Scores) -> Iterator[BySeat]:
    supply = SUPPLY[len(state.seats)]
    for values, out in ((scores.religious, supply.out_religious), (scores.political, supply.out_political)):
        yield list(values)
        yield leads(values, len(state.seats) - 1 - out) if out else [0.0] * len(state.seats)
        yield below(values)
    yaks = scores.economic
    yield list(yaks)
    yield from (leads(yaks), leads(yaks, 1), below(yaks))


def _scored_now(state: State, scores: Scores, ending: Ending) -> Iterator[BySeat]:
    seats, out = state.seats, {gone.seat: gone.influence for gone in ending.eliminated}
    yield ending.outcome.shares
    yield places(ending.outcome)
    yield [float(out.get(seat) is Influence.RELIGIOUS) for seat in seats]
    yield [float(out.get(seat) is Influence.POLITICAL) for seat in seats]
    yaks = scores.economic
    yield [yaks[seat] - max([yaks[other] for other in seats if other != seat and other not in out]) for seat in seats]
    led = [0.0] * len(seats)
    for values in (scores.religious, scores.political, yaks) if len(seats) == 3 else ():
        if values.count(max(values)) == 1:
            led[values.index(max(values))] += 1
    yield led


def _regions(state: State) -> Iterator[BySeat]:
    count = len(state.seats)
    sent, firm, close, near = ([0.0] * count for _ in range(4))
    for row in state.delegations[1:]:
        most = max(row)
        if not most:
            continue
        second, alone = sorted(row)[-2], row.count(most) == 1
        for seat, delegations in enumerate(row):
            sent[seat] += delegations
            if delegations == most and alone:
                (firm if most - second > 1 else close)[seat] += 1
            elif delegations >= most - 1:
                near[seat] += 1
    yield from (sent, firm, close, near)
    yield list(state.stupas_left)


def _goods(state: State) -> Iterator[BySeat]:
    seats, hands = state.seats, state.hands
    yield from ([float(hand[kind]) for hand in hands] for kind in RANK.values())
    cubes = [sum(hand) for hand in hands]
    yield leads(cubes)
    orders = [
        (village, order.yaks + 2 * state.board.levels[village], [(RANK[kind], n) for kind, n in order.demand.items()])
        for village, order in enumerate(state.orders)
        if order is not None
    ]
    distances = _distances(state.board)
    met, best, second, nearly = ([0.0] * len(seats) for _ in range(4))
    for seat, hand in enumerate(hands):
        away = distances[state.caravans[seat]]
        for village, gain, demand in orders:
            missing = sum([count - hand[kind] for kind, count in demand if hand[kind] < count])
            worth = gain / (2 + away[village])
            if not missing:
                met[seat] += 1
                second[seat] = max(second[seat], min(worth, best[seat]))
                best[seat] = max(best[seat], worth)
            elif missing == 1:
                nearly[seat] = max(nearly[seat], worth)
    yield from (met, best, second, leads(best), nearly)
    offered = [village for village, goods in enumerate(state.goods) if any(goods)]
    yield [float(sum([distances[at][village] <= 2 for village in offered])) for at in state.caravans]
    yield [turn_order(state, seat) / (len(seats) - 1) for seat in seats]
    yield _inventory(state)


def _inventory(state: State) -> BySeat:
    """Return each seat's yaks if the inventory were counted now, divided by the number of rounds until the count.

    All values are 0 after the last inventory.
    """
    yaks = [0.0] * len(state.seats)
    counted = state.round_over and state.round in INVENTORY_ROUNDS
    due = next((each for each in INVENTORY_ROUNDS if each >= state.round + counted), None)
    if due is None:
        return yaks
    for kind in RANK.values():
        column = [hand[kind] for hand in state.hands]
        if column.count(max(column)) == 1:
            yaks[column.index(max(column))] += MARKER_YAKS / (1 + due - state.round)
    return yaks


@lru_cache(maxsize=16)
def _distances(board: Board) -> Sequence[Sequence[int]]:
    """Return the distances between villages, in roads. Index 0 (an unplaced caravan) is farther than any village."""
    count = len(board.levels)
    found = [[count] * count]
    for start in range(1, count):
        away, frontier = {start: 0}, [start]
        for village in frontier:
            for other in board.neighbours[village].values():
                if other not in away:
                    away[other] = away[village] + 1
                    frontier.append(other)
        found.append([away.get(village, count) for village in range(count)])
    return found


def _progress(state: State) -> float:
    if not state.round:
        return 0.0
    steps = min(max(state.step - 1, 0), PLAN_LENGTH) / PLAN_LENGTH
    return (state.round - 1 + (1.0 if state.round_over else steps)) / ROUNDS


def _standing(state: State) -> Outcome:
    return final(state).outcome


def _is_closing(state: State) -> bool:
    """Return whether the last plans are known: no refill brings anything that they can trade (C-IV.refill)."""
    return state.round == ROUNDS and state.step > 0


FEATURES: Final = Features[State](NAMES, _rows, _progress, _standing, "himalaya_core.caravan", _is_closing)
