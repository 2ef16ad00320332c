"""Ending of a climbers match if it ended at a frame: the winners and the reason, in words."""

from collections.abc import Sequence
from typing import Any

from dashboards.boards.scene import Ending
from dashboards.boards.words import joined, verbs
from himalaya_core.climbers.climbing import level
from himalaya_core.climbers.events import ClimberStepped, LadderSpent
from himalaya_core.climbers.flow import is_over
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State
from himalaya_core.log.codec import Entry

__all__ = ["outcomes"]


def outcomes(entries: Sequence[Entry], states: Sequence[State], names: Sequence[str]) -> tuple[list[Ending], list[int]]:
    """Return the different endings of a match, and the number of the ending of each state.

    A rise has several events, and only the last gives the order of arrival. So until then the ending stays the same.
    """
    found: list[Ending] = []
    which: list[int] = []
    for entry, state in zip(entries, states, strict=True):
        if not _rises(entry.event):
            ending = _ending(state, names)
            if ending not in found[-1:]:
                found.append(ending)
        which.append(len(found) - 1)
    return found, which


def _rises(event: Any) -> bool:
    """Return whether an event is still to be followed by a reached level."""
    return isinstance(event, LadderSpent) or (isinstance(event, ClimberStepped) and event.to_level > event.from_level)


def _ending(state: State, names: Sequence[str]) -> Ending:
    winners = list(standing(state).winners)
    over = is_over(state)
    head = "Result" if over else "If it ended now"
    if len(winners) == len(names) and not over:
        return Ending(head=head, over=over, out=[], win=[], text="All are on the table and would share the win.")
    return Ending(head=head, over=over, out=[], win=winners, text=_win(state, winners, names, over=over))


def _win(state: State, winners: Sequence[int], names: Sequence[str], *, over: bool) -> str:
    """Name the winners: the highest, on the same level the first to arrive (L-9.tie), or all (L-9.table)."""
    verb = verbs(over=over)
    if len(winners) > 1:
        return f"{joined([names[seat] for seat in winners])} {verb.share} the win: no climber left the table."
    (winner,) = winners
    heights = [level(state, seat) for seat in state.seats]
    best = heights[winner]
    level_with = [names[seat] for seat in state.seats if seat != winner and heights[seat] == best]
    if level_with:
        return f"{names[winner]} {verb.win}: on level {best} with {joined(level_with)}, but got there first."
    second = max(height for seat, height in enumerate(heights) if seat != winner)
    below = joined([names[seat] for seat in state.seats if seat != winner and heights[seat] == second])
    return f"{names[winner]} {verb.win}: its climber is the highest, on level {best}, {best - second} above {below}."
