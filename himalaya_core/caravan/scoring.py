"""Influence, eliminations and ranking, at the end of a match or as if the match were scored now."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from himalaya_core.caravan.events import Eliminated, Event, InfluenceScored, PoliticsRecounted
from himalaya_core.caravan.fold import apply
from himalaya_core.caravan.pieces import ROUNDS, SUPPLY, Influence, TieBreak
from himalaya_core.caravan.state import Elimination, Scores, State, evolve
from himalaya_core.game import Outcome

__all__ = ["Ending", "final", "influences", "next_scoring", "outcome", "turn_order"]


@dataclass(frozen=True, slots=True)
class Ending:
    """The final scoring: influence, eliminations and ranking."""

    scores: Scores
    eliminated: tuple[Elimination, ...]
    outcome: Outcome


def influences(state: State) -> Scores:
    """Return the religious, political and economic influence of each seat (C-scoring)."""
    religious = [0] * len(state.seats)
    for village, owner in enumerate(state.stupas):
        if owner is not None:
            religious[owner] += state.board.levels[village]
    regions = tuple(_region_leader(row) for row in state.delegations)
    political = tuple(sum(leader == seat for leader in regions) for seat in state.seats)
    return Scores(tuple(religious), political, tuple(state.yaks(seat) for seat in state.seats), regions)


def _region_leader(row: Sequence[int]) -> int | None:
    """Return the seat with most delegations in a region; `None` if tied (C-scoring.political)."""
    most = max(row)
    return row.index(most) if most and row.count(most) == 1 else None


def final(state: State) -> Ending:
    """Return the final scoring of this position, as if round 12 had just ended."""
    if state.scores is None:
        state = evolve(state, round=ROUNDS, step=7, round_over=True)
    while (event := next_scoring(state)) is not None:
        state = apply(state, event)
    result = outcome(state)
    assert state.scores is not None, "the final scoring starts with a count"
    assert result is not None, "scoring has run to its end"
    return Ending(state.scores, state.eliminated, result)


def next_scoring(state: State) -> Event | None:
    """Return the next event of the final scoring; `None` when it is complete (C-scoring.four)."""
    supply = SUPPLY[len(state.seats)]
    scores = state.scores
    if scores is None:
        counted = influences(state)
        return InfluenceScored(counted.religious, counted.political, counted.economic, _by_region(counted))
    done = len(state.eliminated)
    if done < supply.out_religious:
        return _religious_elimination(state, scores)
    if supply.out_religious and not state.recounted:
        counted = influences(state)
        return PoliticsRecounted(counted.political, _by_region(counted))
    if done < supply.out_religious + supply.out_political:
        return _political_elimination(state, scores)
    return None


def _by_region(scores: Scores) -> dict[int, int | None]:
    return {region: leader for region, leader in enumerate(scores.regions) if region}


def _religious_elimination(state: State, scores: Scores) -> Eliminated:
    """Eliminate the seat with least religious influence; ties: stupas, then yaks (C-scoring.religious-out)."""
    tie_breaks = [
        (TieBreak.STUPAS, state.stupas.count),
        (TieBreak.YAKS, scores.economic.__getitem__),
    ]
    return _eliminate(state, Influence.RELIGIOUS, scores.religious, tie_breaks)


def _political_elimination(state: State, scores: Scores) -> Eliminated:
    """Eliminate the seat with least political influence; ties: delegations, then yaks (C-scoring.political-out)."""
    tie_breaks = [
        (TieBreak.DELEGATIONS, lambda seat: sum(row[seat] for row in state.delegations)),
        (TieBreak.YAKS, scores.economic.__getitem__),
    ]
    return _eliminate(state, Influence.POLITICAL, scores.political, tie_breaks)


def _eliminate(
    state: State,
    influence: Influence,
    values: Sequence[int],
    tie_breaks: Sequence[tuple[TieBreak, Callable[[int], int]]],
) -> Eliminated:
    """Eliminate the seat with the lowest value. Ties: each tie-break, then the later seat (C-scoring.turn-order)."""
    out = {elimination.seat for elimination in state.eliminated}
    standing = [seat for seat in state.seats if seat not in out]
    least = min(values[seat] for seat in standing)
    tied = [seat for seat in standing if values[seat] == least]
    decided: TieBreak | None = None
    for name, criterion in (*tie_breaks, (TieBreak.TURN_ORDER, lambda seat: -turn_order(state, seat))):
        if len(tied) == 1:
            break
        fewest = min(map(criterion, tied))
        tied = [seat for seat in tied if criterion(seat) == fewest]
        decided = name
    return Eliminated(tied[0], influence, least, decided)


def turn_order(state: State, seat: int) -> int:
    """Return how many seats act before this one in a step of the round."""
    return (seat - state.first) % len(state.seats)


def outcome(state: State) -> Outcome | None:
    """Return the ranking and scores; `None` until the final scoring is complete."""
    scores = state.scores
    if scores is None or next_scoring(state) is not None:
        return None
    figures = tuple(
        {"religious": religious, "political": political, "economic": economic}
        for religious, political, economic in zip(scores.religious, scores.political, scores.economic, strict=True)
    )
    out = [elimination.seat for elimination in state.eliminated]
    standing = [seat for seat in state.seats if seat not in out]
    groups = _ranked(standing, lambda seat: _place(scores, seat, majorities=not out))
    remarks = tuple(_remark(state, seat, groups[0], scores) for seat in state.seats)
    return Outcome((*groups, *((seat,) for seat in reversed(out))), figures, remarks)


def _remark(state: State, seat: int, winners: tuple[int, ...], scores: Scores) -> str:
    gone = next((elimination for elimination in state.eliminated if elimination.seat == seat), None)
    if gone is not None:
        tie = f" (tie: {gone.tie_break.replace('_', ' ')})" if gone.tie_break else ""
        return f"out: least {gone.influence}{tie}"
    if seat in winners:
        return "won" if len(winners) == 1 else "shares the win"
    if not state.eliminated:
        return ""
    lost = (("fewer yaks", scores.economic), ("fewer regions", scores.political), ("lower stupas", scores.religious))
    return next(remark for remark, values in lost if values[seat] < values[winners[0]])


def _place(scores: Scores, seat: int, *, majorities: bool) -> tuple[int, ...]:
    """Return the sort key of a seat in the ranking; larger is better.

    The key is economic, then political, then religious influence (C-scoring.last). With three players, leading in two
    of the three influences comes first (C-scoring.three).
    """
    figures = (scores.economic, scores.political, scores.religious)
    led = sum(values.count(max(values)) == 1 and values[seat] == max(values) for values in figures)
    return (int(majorities and led >= 2), *(values[seat] for values in figures))


def _ranked(seats: Sequence[int], place: Callable[[int], tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return groups of seats with equal rank, best first (C-scoring.shared)."""
    places = sorted({place(seat) for seat in seats}, reverse=True)
    return [tuple(seat for seat in seats if place(seat) == each) for each in places]
