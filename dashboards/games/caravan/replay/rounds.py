"""Summary of a caravan round: gains of each seat, contests, and trades that came too late."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

from dashboards.boards.map.scene import MapFrame
from dashboards.boards.rounds import gains_between
from dashboards.boards.scene import Summary
from dashboards.boards.words import counted, joined
from dashboards.games.caravan.replay.contests import contested, late
from dashboards.games.caravan.replay.span import Span
from dashboards.games.caravan.replay.text import cubes_text
from himalaya_core.caravan.events import (
    ActionVoided,
    Bartered,
    Collected,
    DelegationsSent,
    Delivered,
    InventoryMarkerTaken,
    RoundEnded,
    RoundStarted,
    StupaPlaced,
)
from himalaya_core.caravan.pieces import RESOURCES, ROUNDS, Resource
from himalaya_core.caravan.state import State
from himalaya_core.log.codec import Entry

__all__ = ["summaries"]


def summaries(
    entries: Sequence[Entry], states: Sequence[State], frames: Sequence[MapFrame], names: Sequence[str]
) -> list[Summary]:
    """Return a summary of each round that began; the final scoring belongs to none."""
    starts = [at for at, entry in enumerate(entries) if isinstance(entry.event, RoundStarted)]
    found = []
    for start, following in pairwise([*starts, len(entries)]):
        over = (at for at in range(start, following) if isinstance(entries[at].event, RoundEnded))
        end = next(over, following - 1)
        span = Span(entries[start : end + 1], states[start : end + 1], frames[start : end + 1], names, start)
        found.append(_summary(span))
    return found


def _summary(span: Span) -> Summary:
    return Summary(
        round=span.entries[0].round,
        at=span.start,
        end=span.start + len(span.entries) - 1,
        gains=gains_between(span.frames[0]["f"], span.frames[-1]["f"]),
        got=[_got(span, seat) for seat in range(len(span.names))],
        notes=[contested(span), late(span)],
    )


def _got(span: Span, seat: int) -> str:
    """Describe a seat's gains in the round, and its lost goods and actions."""
    mine = [entry.event for entry in span.entries if entry.seat == seat]
    parts = [
        _deliveries(mine),
        _stupas([event.village for event in mine if isinstance(event, StupaPlaced)]),
        _delegations([event.regions for event in mine if isinstance(event, DelegationsSent)]),
        *(f"{event.yaks} yaks for most {event.resource}" for event in mine if isinstance(event, InventoryMarkerTaken)),
        _goods(Counter(event.resource for event in mine if isinstance(event, Collected))),
        counted(sum(isinstance(event, ActionVoided) for event in mine), "action void", "actions void"),
        _left_over(span, seat),
    ]
    return "; ".join(part for part in parts if part)


def _deliveries(mine: Sequence[object]) -> str:
    yaks = sum(event.yaks for event in mine if isinstance(event, Bartered))
    made = counted(sum(isinstance(event, Delivered) for event in mine), "delivery", "deliveries")
    return f"{made} for {yaks} yaks" if yaks else made


def _stupas(villages: Sequence[int]) -> str:
    where = _places("village", villages)
    return f"{'stupa' if len(villages) == 1 else 'stupas'} in {where}" if villages else ""


def _delegations(sent: Sequence[dict[int, int]]) -> str:
    total = counted(sum(sum(each.values()) for each in sent), "delegation", "delegations")
    where = _places("region", {region for each in sent for region in each})
    return f"{total} to {where}" if total else ""


def _places(noun: str, numbers: Collection[int]) -> str:
    """Return "village 7" or "villages 3 and 7"."""
    return f"{noun}{'s' if len(numbers) > 1 else ''} {joined([*map(str, sorted(numbers))])}" if numbers else ""


def _goods(taken: Counter[Resource]) -> str:
    cubes = {resource: taken[resource] for resource in RESOURCES if taken[resource]}
    return f"took {cubes_text(cubes, counted=True)}" if cubes else ""


def _left_over(span: Span, seat: int) -> str:
    """Return the number of remaining goods, if no later round can deliver them."""
    if span.entries[0].round < ROUNDS or not span.states[-1].round_over:
        return ""
    return counted(sum(span.states[-1].hands[seat]), "cube left over", "cubes left over")
