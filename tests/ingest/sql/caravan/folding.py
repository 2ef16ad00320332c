"""What tables hold of a match, found once more by going through its positions: no SQL, and nothing of `ingest`."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from himalaya_core.caravan import events, scoring
from himalaya_core.caravan.pieces import NO_GOODS, RESOURCES, Act, Influence, RoadType, Token, VoidReason, holds
from himalaya_core.replay import Replay

__all__ = ["INFLUENCES", "Course", "Fold", "fold", "nearest"]

INFLUENCES = tuple(Influence)
REWARDS = {"barter": "barters", "offering": "offerings", "delegation": "delegation_rewards"}
PAIRS = (("barter", "offering"), ("barter", "delegation"), ("offering", "delegation"))

Cells = Counter[tuple[Any, ...]]
"""Counts by seat, what is counted, and where."""


@dataclass(frozen=True)
class Course:
    """The course of a match, as in `fct_caravan_courses`."""

    lead_changes: int
    decisive_round: int | None
    comeback: bool
    contested_villages: int
    region_flips: int
    margin: int | None


@dataclass
class Fold:
    """What became of one match, seat by seat."""

    replay: Replay
    totals: list[Counter[str]] = field(default_factory=list)
    villages: Cells = field(default_factory=Counter)
    roads: Cells = field(default_factory=Counter)
    regions: Cells = field(default_factory=Counter)
    goods: Cells = field(default_factory=Counter)
    supply: Cells = field(default_factory=Counter)
    late: set[int] = field(default_factory=set)
    """The places of trades that came too late."""
    standings: dict[int, tuple[dict[int, str], frozenset[int]]] = field(default_factory=dict)
    """By round: who would be eliminated by what, and who would win."""
    influences: dict[int, Any] = field(default_factory=dict)
    tries: dict[tuple[int, int], set[int]] = field(default_factory=dict)
    """Who went for what lay in a village, by round and village."""
    leaders: dict[int, int] = field(default_factory=dict)
    flips: int = 0

    @property
    def course(self) -> Course:
        assert self.replay.ended
        winners = frozenset(self.replay.ended.ranking[0])
        out_at_last = {gone.seat for gone in self.replay.states[-1].eliminated}
        yaks = {seat: score["economic"] for seat, score in enumerate(self.replay.ended.scores)}
        best, others = max(yaks[seat] for seat in winners), yaks.keys() - out_at_last - winners
        margin = 0 if len(winners) > 1 else best - max(yaks[seat] for seat in others)
        would = [wins for _, wins in self.standings.values()]
        led = [wins for wins in would if wins]
        first = next((n for n in range(1, len(would) + 1) if all(wins == winners for wins in would[n - 1 :])), None)
        comeback = any(winners & set(out) for number, (out, _) in self.standings.items() if number >= 6)
        contested = sum(len(seats) > 1 for seats in self.tries.values())
        return Course(sum(now != then for then, now in pairwise(led)), first, comeback, contested, self.flips, margin)


def nearest(replay: Replay) -> tuple[str | None, str | None, int | None]:
    """Return the least that had to go otherwise for another to win: what, in which influence, and how little of it."""
    assert replay.ended
    scores, (winner, *others) = replay.ended.scores, replay.ended.ranking[0]
    rest = set(range(len(scores))) - {winner}
    gone = replay.states[-1].eliminated
    stays = rest - {out.seat for out in gone}
    ahead = {key: scores[winner][key] - max(scores[seat][key] for seat in rest) for key in scores[winner]}
    gaps = [(scores[winner][f"{out.influence}"] - out.value, "stayed", f"{out.influence}") for out in gone]
    for out in gone:
        saved = stays | {winner} if out.influence == "political" else rest | {winner}
        least = min(scores[seat][f"{out.influence}"] for seat in saved - {out.seat})
        if scores[out.seat]["economic"] > scores[winner]["economic"]:
            gaps.append((least - out.value, "out", f"{out.influence}"))
    if others:
        gaps.append((0, "shared", "economic"))
    elif len(scores) > 3 or min(ahead["religious"], ahead["political"]) <= 0:
        gaps.append((scores[winner]["economic"] - max(scores[seat]["economic"] for seat in stays), "ahead", "economic"))
    elif ahead["economic"] <= 0:
        gaps += [(ahead[key], "led", key) for key in ("religious", "political")]
    usual = {"economic": 12, "religious": 2, "political": 2}
    units = {"economic": "yaks", "religious": "religious influence", "political": "political influence"}
    found = sorted((gap / usual[key], what, gap, units[key]) for gap, what, key in gaps)
    if not found:
        return None, None, None
    _, what, gap, unit = found[0]
    return what, "yak" if (gap, unit) == (1, "yaks") else unit, gap


def fold(replay: Replay) -> Fold:
    """Go through a match."""
    found = Fold(replay, [Counter() for _ in replay.header.seats])
    takers: dict[int, int] = {}
    offered = replay.states[0]
    for at, entry in list(enumerate(replay.entries))[1:]:
        before, after = replay.states[at - 1], replay.states[at]
        if isinstance(entry.event, events.RoundStarted):
            takers, offered = {}, after
        _count(found, entry, before, after)
        match entry.event:
            case events.Collected(seat=seat, village=village) | events.Delivered(seat=seat, village=village):
                takers[village] = seat
                found.tries.setdefault((entry.round, village), set()).add(seat)
            case events.ActionVoided(action=Act.TRADE):
                _void(found, at, before, offered, takers)
            case events.RoundEnded():
                _end_round(found, entry.round, after)
    for (number, village), seats in found.tries.items():
        for seat in seats if len(seats) > 1 else ():
            found.villages[seat, "contested", number, village] += 1
    for seat, hand in enumerate(replay.states[-1].hands):
        found.totals[seat]["goods_left"] = sum(hand)
    return found


def _void(found: Fold, at: int, before: Any, offered: Any, takers: dict[int, int]) -> None:
    """Count a trade that came to nothing; `offered` is the position in which the round began."""
    entry: Any = found.replay.entries[at]
    seat, village = entry.seat, before.caravans[entry.seat]
    found.villages[seat, "voided", entry.round, village] += 1
    order = offered.orders[village]
    could = village not in before.collected[seat] if order is None else holds(before.hands[seat], order.demand)
    was_there = order is not None or offered.goods[village] != NO_GOODS
    late = entry.event.reason is VoidReason.NOTHING_HERE and was_there and could and takers[village] != seat
    if late:
        found.late.add(at)
        found.totals[seat]["too_late"] += 1
        found.villages[seat, "too_late", entry.round, village] += 1
    if late or entry.event.reason is VoidReason.GOODS_MISSING:
        found.tries.setdefault((entry.round, village), set()).add(seat)


def _end_round(found: Fold, number: int, state: Any) -> None:
    scores = found.influences[number] = scoring.influences(state)
    ending = scoring.final(state)
    counts = any((*scores.religious, *scores.political, *scores.economic))
    out = {gone.seat: str(gone.influence) for gone in ending.eliminated}
    found.standings[number] = (out, frozenset(ending.outcome.ranking[0])) if counts else ({}, frozenset())
    for region, leader in enumerate(scores.regions):
        if leader is None:
            continue
        found.regions[leader, "leads", number, region] += 1
        if found.leaders.get(region, leader) != leader:
            found.regions[leader, "flips_won", number, region] += 1
            found.flips += 1
        found.leaders[region] = leader


def _count(found: Fold, entry: Any, before: Any, after: Any) -> None:
    """Count what an event says, and whose tokens had a part in it."""
    seat, event = entry.seat, entry.event
    for name, village in (*_acted(entry), *_gained(entry, before, after)):
        found.totals[seat][name] += 1
        if village:
            found.villages[seat, name, entry.round, village] += 1
    for owner, name in _by_tokens(entry, before):
        found.totals[owner][name] += 1
    if isinstance(event, events.Bartered | events.InventoryMarkerTaken):
        name = "barter_yaks" if isinstance(event, events.Bartered) else "inventory_yaks"
        found.totals[seat][name] += after.yaks(seat) - before.yaks(seat)
    _count_places(found, entry)


def _count_places(found: Fold, entry: Any) -> None:
    """Count where an event happened."""
    seat, event, number = entry.seat, entry.event, entry.round
    match event:
        case events.CaravanPlaced():
            found.villages[seat, "arrivals", number, event.village] += 1
        case events.Moved():
            found.villages[seat, "arrivals", number, event.to] += 1
            found.roads[seat, number, *sorted((event.from_, event.to)), event.road] += 1
        case events.Collected():
            found.goods[seat, "collected", number, event.village, event.resource] += 1
        case events.Delivered():
            found.totals[seat]["goods_spent"] += sum(event.spent.values())
            for resource, cubes in event.spent.items():
                found.goods[seat, "spent", number, event.village, resource] += cubes
        case events.StupaPlaced():
            found.villages[seat, "stupa_levels", number, event.village] += event.level
        case events.DelegationsSent():
            found.totals[seat]["delegations_sent"] += sum(event.regions.values())
            for region, sent in event.regions.items():
                found.regions[seat, "delegations", number, region] += sent
        case events.RefillRolled():
            for resource in RESOURCES:
                drawn, demand = event.drawn or {}, event.order.demand if event.order else {}
                found.supply[0, "supplied", number, event.village, resource] += drawn.get(resource, 0)
                found.supply[0, "demanded", number, event.village, resource] += demand.get(resource, 0)


def _acted(entry: Any) -> Iterator[tuple[str, int | None]]:
    """Yield what a programmed action counts as for its seat, with the village if it is counted there as well."""
    match entry.event:
        case events.Moved():
            yield "moves", None
        case events.Rested():
            yield "rests", None
        case events.Collected(resource=resource, village=village, market=market):
            yield "collected", village
            yield f"collected_{resource}", None
            if market:
                yield "market_collected", None
        case events.Delivered(rewards=rewards, village=village):
            yield "delivered", village
            yield from ((REWARDS[reward], None) for reward in rewards)
            yield from ((f"pair_{'_'.join(pair)}", None) for pair in PAIRS if set(pair) <= set(rewards))
            if len(rewards) < 2:
                yield "single_rewards", None
        case events.ActionVoided(reason=reason):
            yield "voided", None
            yield f"voided_{reason}", None


def _gained(entry: Any, before: Any, after: Any) -> Iterator[tuple[str, int | None]]:
    """Yield the same of what a seat gains, and of its tokens."""
    match entry.event:
        case events.InventoryMarkerTaken():
            yield "inventory_markers", None
        case events.StupaPlaced():
            (village,) = [v for v, (was, now) in enumerate(zip(before.stupas, after.stupas, strict=True)) if was != now]
            yield "stupas", village
        case events.TokenPlaced(token=token):
            yield f"{token}_placed", None
        case events.TokenPassed():
            yield "tokens_passed", None


def _by_tokens(entry: Any, before: Any) -> Iterator[tuple[int, str]]:
    """Yield what an event counts as for the seat whose token it met."""
    event, seat = entry.event, entry.seat
    match event:
        case events.ActionVoided(reason=VoidReason.YETI) | events.ActionVoided(reason=VoidReason.STORM_UNFINISHED):
            to = before.board.neighbours[before.caravans[seat]][RoadType(event.action)]
            road, name = (before.caravans[seat], to), "stopped_by_yeti"
            if event.reason is VoidReason.STORM_UNFINISHED:
                name = "slowed_by_storm"
        case events.ActionVoided(reason=VoidReason.ON_STORM):
            road, name = (before.caravans[seat], before.storms[seat]), "slowed_by_storm"
        case events.StormEntered():
            road, name = (event.from_, event.toward), "slowed_by_storm"
        case events.Collected(market=True):
            (placed,) = [placed for placed in before.tokens if placed.village == event.village]
            assert placed.token is Token.MARKET
            yield placed.seat, "market_gains" if placed.seat == seat else "market_given"
            return
        case _:
            return
    (placed,) = [placed for placed in before.tokens if placed.road == tuple(sorted(road))]
    if placed.seat != seat:
        yield placed.seat, name
