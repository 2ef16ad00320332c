"""Ranking and outcome, at the end of a match or as if the match ended now."""

from himalaya_core.game import Outcome
from himalaya_core.summit.flow import is_over
from himalaya_core.summit.state import State

__all__ = ["outcome", "standing"]


def outcome(state: State) -> Outcome | None:
    """Return the outcome once a climber has reached the summit or bad weather has come; `None` before that (S-10)."""
    return standing(state) if is_over(state) else None


def standing(state: State) -> Outcome:
    """Return the ranking if the match ended now: by the climbers' fields (S-10.weather).

    Two climbers can share only the base camp. There, the sum of the Sherpas' fields breaks the tie; seats that are
    equal in this too share a rank (S-10.tie).
    """
    places = [_place(state, seat) for seat in state.seats]
    groups = [
        tuple(seat for seat in state.seats if places[seat] == place) for place in sorted(set(places), reverse=True)
    ]
    figures = tuple(
        {"climber": climber, "sherpas": sum(row)} for climber, row in zip(state.climbers, state.sherpas, strict=True)
    )
    remarks = tuple(_remark(state, seat, groups[0]) for seat in state.seats)
    return Outcome(tuple(groups), figures, remarks)


def _place(state: State, seat: int) -> tuple[int, int]:
    return state.climbers[seat], 0 if state.climbers[seat] else sum(state.sherpas[seat])


def _remark(state: State, seat: int, winners: tuple[int, ...]) -> str:
    if seat in winners:
        if state.climbers[seat] == state.board.summit:
            return "on the summit"
        if state.climbers[seat]:
            return "highest when bad weather came"
        return "Sherpas highest when bad weather came" if len(winners) == 1 else "shares the win"
    behind = state.climbers[winners[0]] - state.climbers[seat]
    return f"{behind} behind" if behind else "Sherpas lower"
