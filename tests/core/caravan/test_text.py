"""A position as text: the tables show all pieces on the board."""

import re
from typing import Any

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.caravan.view import describe
from himalaya_core.games import GAMES
from himalaya_core.tournament.plan import Pairing, play

CARAVAN = GAMES["caravan"]
NAMES = ("Dolpo-pa", "Sherpa", "Bhotia", "Tamang")
VARIANTS = {"tokens": True, "full_inventory": True, "village_cards": True}


@pytest.fixture(scope="module")
def history() -> list[Any]:
    pairing = Pairing("text", ("greedy", "random", "trader", "random"), "text")
    return play(CARAVAN, shipped_board("caravan"), VARIANTS, pairing)[0].history


def rows(text: str, head: str) -> list[str]:
    """Return the rows of the table with this header."""
    return text.partition(f"\n{head}")[2].partition("\n\n")[0].splitlines()[1:]


def test_every_printed_position_has_its_villages_regions_and_seats(history: list[Any]) -> None:
    for step in history[::7]:
        text = describe(step.state, NAMES)
        assert [len(rows(text, head)) for head in ("village", "region ", "seat ")] == [20, 8, 5]


def test_goods_orders_stupas_and_caravans_are_shown_in_their_village(history: list[Any]) -> None:
    state = history[-1].state
    villages = rows(describe(state, NAMES), "village")
    for village in range(1, 21):
        row = villages[village - 1]
        assert ("wants" in row) == (state.orders[village] is not None)
        assert sum(map(int, re.findall(r"(\d+) (?:salt|barley|tea|jade|gold)", row))) == sum(state.goods[village]) + (
            sum(state.orders[village].demand.values()) if state.orders[village] else 0
        )
        assert row.count("seat") == (state.stupas[village] is not None) + state.caravans.count(village)


def test_the_current_action_is_marked(history: list[Any]) -> None:
    state = next(step.state for step in history if step.state.step == 3)
    marked = [re.findall(r"\[(\w+)\]", row) for row in rows(describe(state, NAMES), "seat ")[:4]]
    assert marked == [[plan[2]] for plan in state.plans]


def test_tokens_storms_and_eliminations_are_shown(history: list[Any]) -> None:
    texts = "\n".join(describe(step.state, NAMES) for step in history)
    assert re.search(r"^(yeti|snowstorm) on road \d+-\d+, by \w", texts, re.MULTILINE)
    assert re.search(r"^out: \w.*, least religious influence \(\d+\)$", texts, re.MULTILINE)
    assert "village cards in the deck" in texts


def test_a_view_hides_plans(history: list[Any]) -> None:
    state = next(step.state for step in history if not step.state.step and any(step.state.plans))
    assert "hidden" in describe(CARAVAN.view(state, 3), NAMES)
    assert "hidden" not in describe(state, NAMES)
