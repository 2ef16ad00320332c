"""Secrets: seats that choose at the same time do not know each other's choices, in every game."""

from typing import Any

import pytest

from himalaya_core.engine import step
from himalaya_core.game import CHANCE, Game
from tests.conformance.playing import SHARED, VARIANTS, Variant, decisions, positions, random_match

PLANNED_IN_SECRET = {"caravan"}
"""Games in which several seats choose at the same time."""


@pytest.fixture(params=VARIANTS, ids=str)
def variant(request: pytest.FixtureRequest) -> Variant:
    return request.param


def chosen(game: Game[Any, Any, Any], state: Any, seat: int, number: int) -> Any:
    """Return the position just after a seat's action."""
    return step(game, state, game.legal_actions(state, seat)[number])[0][1]


def test_simultaneous_choices_stay_hidden(variant: Variant) -> None:
    game = variant.game
    seen = 0
    for state in decisions(random_match(variant, SHARED)):
        actors = game.actors(state)
        for other in actors[:1] if len(actors) > 1 else ():
            one, two = (chosen(game, state, other, number) for number in (0, -1))
            assert game.view(one, other) != game.view(two, other)
            assert all(game.view(one, seat) == game.view(two, seat) for seat in actors if seat != other)
            seen += 1
    assert (seen > 0) == (variant.name in PLANNED_IN_SECRET)


def test_a_view_of_a_view_is_the_view(variant: Variant) -> None:
    game = variant.game
    for state in positions(random_match(variant, SHARED)):
        for seat in range(len(variant.line_up)):
            view = game.view(state, seat)
            assert game.view(view, seat) == view


def test_a_view_shows_a_seat_its_legal_actions(variant: Variant) -> None:
    game = variant.game
    for state in decisions(random_match(variant, SHARED))[::3]:
        for seat in game.actors(state):
            if seat != CHANCE:
                view = game.view(state, seat)
                assert game.actors(view) == game.actors(state)
                assert list(game.legal_actions(view, seat)[:40]) == list(game.legal_actions(state, seat)[:40])


def test_the_view_without_a_seat_holds_no_secrets(variant: Variant) -> None:
    """Any seat's view determines the view without a seat, so that view contains no seat's secret."""
    game = variant.game
    for state in positions(random_match(variant, SHARED)):
        nobody = game.view(state, CHANCE)
        assert all(game.view(game.view(state, seat), CHANCE) == nobody for seat in range(len(variant.line_up)))
