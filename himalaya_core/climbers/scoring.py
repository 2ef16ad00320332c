"""Ranking and outcome, at the end of a match or as if the match ended now."""

from himalaya_core.climbers.climbing import level
from himalaya_core.climbers.flow import is_over
from himalaya_core.climbers.state import State
from himalaya_core.game import Outcome

__all__ = ["outcome", "standing"]


def outcome(state: State) -> Outcome | None:
    """Return the outcome after a whole round without a rise; `None` before that (L-9.end)."""
    return standing(state) if is_over(state) else None


def standing(state: State) -> Outcome:
    """Return the ranking if the match ended now: by level; ties go to the climber that arrived first (L-9.tie).

    Climbers still on the table share the last place (L-9.table).
    """
    levels = [level(state, seat) for seat in state.seats]
    places = [(-levels[seat], state.reached[seat]) for seat in state.seats]
    groups = [tuple(seat for seat in state.seats if places[seat] == place) for place in sorted(set(places))]
    figures = tuple(
        {"level": levels[seat], "reached": state.reached[seat], "ladders": sum(state.ladders[seat])}
        for seat in state.seats
    )
    remarks = tuple(_remark(state, levels, seat, groups[0]) for seat in state.seats)
    return Outcome(tuple(groups), figures, remarks)


def _remark(state: State, levels: list[int], seat: int, winners: tuple[int, ...]) -> str:
    best = levels[winners[0]]
    if seat in winners:
        if not best:
            return "shares the win: no climber left the table"
        return "first on the highest level" if levels.count(best) > 1 else "highest"
    if levels[seat] == best:
        return "as high, but later"
    return f"{best - levels[seat]} below" if state.reached[seat] else "still on the table"
