"""A position of summit as text: the table shows all pieces on the route."""

from typing import Any

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.games import GAMES
from himalaya_core.summit.state import State
from himalaya_core.summit.view import describe
from himalaya_core.tournament.plan import Pairing, play

SUMMIT = GAMES["summit"]
NAMES = ("amber", "magenta", "blue", "green")


def history(*players: str, seed: str = "text") -> list[Any]:
    return play(SUMMIT, shipped_board("summit"), {}, Pairing("text", players, seed))[0].history


@pytest.fixture(scope="module")
def states() -> list[State]:
    return [step.state for step in history("racer", "random", "greedy", "random")]


def route(state: State) -> dict[int, str]:
    """Return the text rows of the route by field."""
    rows = describe(state, NAMES).partition("\nfield")[2].partition("\n\n")[0].splitlines()[1:]
    return {int(row.split()[0]): row.strip().partition(" ")[2] for row in rows}


def test_all_pawns_are_shown_on_their_fields(states: list[State]) -> None:
    for state in states[::5]:
        fields = route(state)
        for field in range(33):
            row = fields.get(field, "").split()
            sherpas = sum(seat.count(field) for seat in state.sherpas)
            assert sum(row.count(name) for name in ("S0", "S1", "S2", "S3")) == sherpas
            assert row.count("C") == state.climbers.count(field)
            assert ("Yeti" in row) == (field == state.yeti)


def test_special_fields_are_labelled(states: list[State]) -> None:
    fields = route(states[0])
    named = {0: "base camp", 10: "high camp", 15: "cave", 24: "avalanche to 22", 31: "snow", 32: "summit"}
    assert all(words in fields[field] for field, words in named.items())
    assert 20 not in fields


def test_the_text_shows_dice_cards_and_the_seat_to_move(states: list[State]) -> None:
    text = describe(states[0], NAMES)
    assert text.startswith("set-up\ndice to choose from: none\nthe Yeti is on 15; its cards seen: none; to come: 9\n")
    later = next(state for state in states if state.draws == 2 and state.pool)
    text = describe(later, NAMES)
    assert f"throw {later.throws}, turn {later.turn} of {NAMES[later.active]}" in text
    assert f"its cards seen: {later.seen[0]:+} {later.seen[1]:+}; to come: 7" in text
    assert "if it ended now: " in text


@pytest.mark.parametrize(
    ("players", "reason"), [(("racer", "racer"), "on the summit"), (("random",) * 2, "bad weather")]
)
def test_the_text_shows_the_end(players: tuple[str, ...], reason: str) -> None:
    text = describe(history(*players, seed="end")[-1].state, NAMES)
    assert f" ({reason})\n" in text
    assert "it ended: " in text
