"""A position as text tables for a terminal."""

from collections.abc import Iterable, Sequence

from himalaya_core.columns import table
from himalaya_core.summit.board import Board
from himalaya_core.summit.flow import bad_weather_is_in, is_over
from himalaya_core.summit.pieces import SHERPAS, Phase, Piece
from himalaya_core.summit.scoring import standing
from himalaya_core.summit.state import State

__all__ = ["describe"]


def describe(state: State, names: Sequence[str]) -> str:
    """Return the whole position as text: dice, Yeti, route, seats; `names` are by seat."""
    return "\n".join([_dice(state, names), _route(state), _seats(state, names), _standing(state, names)])


def _dice(state: State, names: Sequence[str]) -> str:
    if not state.turn:
        when = "set-up"
    else:
        again = ", thrown again" if state.rerolled else ""
        when = f"throw {state.throws}, turn {state.turn} of {names[state.active]}{again}"
    ended = " (bad weather)" if state.phase is Phase.OVER else " (on the summit)" if is_over(state) else ""
    weather = ", bad weather among them" if bad_weather_is_in(state) else ""
    left = len(state.deck) + bad_weather_is_in(state)
    lines = [
        when + ended,
        f"dice to choose from: {' '.join(map(str, state.pool)) or 'none'}",
        f"the Yeti is on {state.yeti}; its cards seen: {_cards(state.seen)}; to come: {left}{weather}",
    ]
    return "\n".join([*lines, ""])


def _cards(cards: Iterable[int]) -> str:
    return " ".join(f"{card:+}" for card in cards) or "none"


def _route(state: State) -> str:
    """Return the special and occupied fields, from the summit down."""
    board = state.board
    rows = []
    for field in range(board.summit, -1, -1):
        kind = _kind(board, field)
        pawns = [_pawns(state, seat, field) for seat in state.seats]
        if kind or any(pawns) or field == state.yeti:
            rows.append([field, kind, "Yeti" if field == state.yeti else "", *pawns])
    return table(["field", "", "", *(f"seat {seat + 1}" for seat in state.seats)], rows)


def _kind(board: Board, field: int) -> str:
    slide = board.slides.get(field)
    if slide is not None:
        return f"{slide.kind} to {slide.to}"
    named = {0: "base camp", board.summit: "summit", board.cave: "cave"}
    if field in named:
        return named[field]
    if field in board.high_camps:
        return "high camp"
    return "snow" if field in board.snow else ""


def _pawns(state: State, seat: int, field: int) -> str:
    climber = [Piece.CLIMBER] if state.climbers[seat] == field else []
    return " ".join([*climber, *(piece for piece in SHERPAS if state.at(seat, piece) == field)])


def _seats(state: State, names: Sequence[str]) -> str:
    rows = [
        [
            seat + 1,
            names[seat],
            state.climbers[seat],
            sum(state.sherpas[seat]),
            " ".join(state.hands[seat]) or "-",
            " ".join(state.used[seat]) or "-",
            " ".join(map(str, sorted(state.gained[seat]))) or "-",
        ]
        for seat in state.seats
    ]
    return table(["seat", "who", "climber", "Sherpas", "cards", "used", "supplied in"], rows)


def _standing(state: State, names: Sequence[str]) -> str:
    groups = [" and ".join(names[seat] for seat in group) for group in standing(state).ranking]
    return f"{'it ended' if is_over(state) else 'if it ended now'}: {', then '.join(groups)}"
