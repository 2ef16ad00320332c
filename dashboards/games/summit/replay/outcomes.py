"""Ending of a summit match if it ended at a frame: the winners and the reason, in words."""

from collections.abc import Sequence

from dashboards.boards.scene import Ending
from dashboards.boards.words import joined, verbs
from himalaya_core.summit.flow import is_over
from himalaya_core.summit.scoring import standing
from himalaya_core.summit.state import State

__all__ = ["outcomes"]


def outcomes(states: Sequence[State], names: Sequence[str]) -> tuple[list[Ending], list[int]]:
    """Return the different endings of a match, and the number of the ending of each state."""
    found: list[Ending] = []
    which: list[int] = []
    for state in states:
        ending = _ending(state, names)
        if ending not in found[-1:]:
            found.append(ending)
        which.append(len(found) - 1)
    return found, which


def _ending(state: State, names: Sequence[str]) -> Ending:
    winners = list(standing(state).winners)
    over = is_over(state)
    head = "Result" if over else "If it ended now"
    if len(winners) == len(names) and not over:
        return Ending(head=head, over=over, out=[], win=[], text="All are level and would share the win.")
    return Ending(head=head, over=over, out=[], win=winners, text=_win(state, winners, names, over=over))


def _win(state: State, winners: Sequence[int], names: Sequence[str], *, over: bool) -> str:
    """Name the winners: the highest climber, or in the base camp the sum of the Sherpas' fields (S-10)."""
    verb = verbs(over=over)
    heights = sorted(state.climbers, reverse=True)
    if not heights[0]:
        tie = "all climbers are in the base camp"
        if len(winners) > 1:
            tied = joined([names[seat] for seat in winners])
            return f"{tied} {verb.share} the win: {tie}, and their Sherpas are equally high."
        total = sum(state.sherpas[winners[0]])
        return f"{names[winners[0]]} {verb.win}: {tie}, and its Sherpas are the highest ({total} fields)."
    (winner,) = winners
    if heights[0] == state.board.summit:
        return f"{names[winner]} {verb.win}: its climber is on the summit."
    above = heights[0] - heights[1]
    second = joined([names[seat] for seat in state.seats if state.climbers[seat] == heights[1]])
    return f"{names[winner]} {verb.win}: its climber is the highest, on field {heights[0]}, {above} above {second}."
