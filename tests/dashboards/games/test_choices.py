"""Actions offered on a page: all legal ones, each with a different text, about existing pieces."""

from collections.abc import Sequence
from typing import Any

import pytest

from dashboards.games.analytics import MOST_LISTED, Choice, Offer, Way, analytics_of, plain_choices
from dashboards.replay.scenes import scene_of
from himalaya_core.game import CHANCE
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay


@pytest.fixture(scope="session")
def played(
    finished: list[Replay], summit_finished: list[Replay], climbers_finished: list[Replay]
) -> dict[str, list[Replay]]:
    return {"caravan": finished, "summit": summit_finished, "climbers": climbers_finished}


def offers(replay: Replay, every: int = 1) -> list[tuple[Any, int, Offer]]:
    """Return the actions offered at positions of a match, with the seat that must choose."""
    names = [seat["name"] for seat in scene_of(replay, None)["seats"]]
    choices, game = analytics_of(replay.game.name).choices, replay.game
    turns = [(state, game.actors(state)[:1]) for state in replay.states[::every]]
    return [(state, seat, choices(game, state, seat, names)) for state, actors in turns for seat in actors if seat >= 0]


@pytest.mark.parametrize("game", ["caravan", "summit", "climbers"])
def test_listed_choices_are_legal_and_about_existing_things(played: dict[str, list[Replay]], game: str) -> None:
    replay = played[game][0]
    there = set(scene_of(replay, None)["names"])
    for state, seat, offer in offers(replay, 3):
        if offer.way is Way.LIST:
            assert [each.action for each in offer.listed] == list(replay.game.legal_actions(state, seat))
        for each in offer.listed:
            assert replay.game.decide(state, each.action)
            assert set(each.on) <= there


@pytest.mark.parametrize("game", ["caravan", "summit", "climbers"])
def test_no_two_choices_read_alike(played: dict[str, list[Replay]], game: str) -> None:
    for _, _, offer in offers(played[game][0], 3):
        texts = [each.text for each in offer.listed]
        assert len(set(texts)) == len(texts)


def first_of(found: Sequence[tuple[Any, int, Offer]], begins: str) -> Choice:
    return next(each for _, _, offer in found for each in offer.listed if each.text.startswith(begins))


def ways(found: Sequence[tuple[Any, int, Offer]]) -> set[Way]:
    return {offer.way for _, _, offer in found}


def test_a_plan_is_written_and_all_else_of_caravan_is_listed(played: dict[str, list[Replay]]) -> None:
    found = offers(played["caravan"][0])
    assert ways(found) == {Way.PLAN, Way.LIST}
    assert all(not offer.listed for _, _, offer in found if offer.way is Way.PLAN)
    village = first_of(found, "Starts in village 3")
    assert village.on == ["n3"]
    delivery = first_of(found, "Delivers")
    assert {each[0] for each in delivery.on} == {"n", "d", "u"}


def test_a_block_is_laid_and_all_else_of_climbers_is_listed(played: dict[str, list[Replay]]) -> None:
    found = offers(played["climbers"][0])
    assert ways(found) == {Way.BLOCK, Way.LIST}
    assert {each.text for _, _, offer in found if offer.way is Way.BLOCK for each in offer.listed} == {"Moves no block"}
    step = first_of(found, "Climbs to level")
    assert {each[0] for each in step.on} == {"t", "b", "c"}


def test_consequences_in_summit_are_shown(played: dict[str, list[Replay]]) -> None:
    texts = {each.text for replay in played["summit"][:3] for _, _, offer in offers(replay) for each in offer.listed}
    assert any("slides down to" in text for text in texts)
    assert any("; takes" not in text and "continues" in text for text in texts)
    assert "Rethrows all dice" in texts


def test_a_game_with_rules_alone_lists_the_first_of_its_actions(played: dict[str, list[Replay]]) -> None:
    replay = played["caravan"][0]
    state = next(state for state in replay.states if len(replay.game.actors(state)) > 1)
    seat = replay.game.actors(state)[0]
    offer = plain_choices(GAMES["caravan"], state, seat, [])
    assert (offer.way, len(offer.listed)) == (Way.LIST, MOST_LISTED)
    assert offer.listed[0].text == "Commit plan, plan soil soil soil soil soil soil"


def test_nothing_is_offered_to_chance(played: dict[str, list[Replay]]) -> None:
    replay = played["summit"][0]
    state = next(state for state in replay.states if replay.game.actors(state) == (CHANCE,))
    assert plain_choices(replay.game, state, CHANCE, []).listed == []
