"""Properties of every game: actors, actions, positions and views are consistent."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from himalaya_core.engine import step
from himalaya_core.game import CHANCE, Game, IllegalAction
from himalaya_core.games import GAMES
from himalaya_core.log.codec import canonical
from himalaya_core.seed import Seed
from tests.conformance.playing import (
    EVERY,
    SHARED,
    VARIANTS,
    AnyMatch,
    Variant,
    accepts,
    decisions,
    new_match,
    play_on,
    positions,
    random_match,
    recorded,
)

MATCHES = ("random", "recorded")


@pytest.fixture(params=EVERY, ids=str)
def variant(request: pytest.FixtureRequest) -> Variant:
    return request.param


@pytest.fixture(params=MATCHES)
def match(variant: Variant, request: pytest.FixtureRequest) -> AnyMatch:
    """A match of random actions (with many failed ones), and one of the variant's players (with many successes)."""
    return random_match(variant, SHARED) if request.param == "random" else recorded(variant, SHARED)[0]


def some(actions: Sequence[Any], count: int = 12) -> list[Any]:
    """Return the first and the last action and some in between."""
    numbers = {0, len(actions) - 1, *random.Random(len(actions)).choices(range(len(actions)), k=count)}
    return [actions[number] for number in sorted(numbers)]


def played(match: AnyMatch) -> list[Any]:
    return [step.action for step in match.history if step.action is not None]


def fingerprint(game: Game[Any, Any, Any], state: Any) -> tuple[int, bytes, str]:
    return hash(state), canonical(game.position(state)), repr(state)


def test_every_game_has_a_variant() -> None:
    assert {variant.name for variant in VARIANTS} == set(GAMES)


def test_every_position_has_an_actor_an_automatic_event_or_an_outcome(match: AnyMatch) -> None:
    game = match.game
    for state in positions(match):
        automatic, acting = game.advance(state) is not None, bool(game.actors(state))
        assert [automatic, acting, game.outcome(state) is not None].count(True) == 1


def test_every_position_can_be_printed(match: AnyMatch) -> None:
    assert match.outcome is not None
    game, names = match.game, [f"player {seat}" for seat in range(len(match.outcome.scores))]
    found = positions(match)
    assert all(game.describe(state, names) for state in [*found[:60], *found[60::9]])


def test_a_match_ends_with_every_seat_ranked_once(match: AnyMatch) -> None:
    assert match.is_over
    assert match.outcome is not None
    seats = range(len(match.outcome.scores))
    assert sorted(seat for group in match.outcome.ranking for seat in group) == list(seats)
    assert match.outcome.winners == match.outcome.ranking[0]
    assert len(match.outcome.remarks) == len(seats)


def test_every_legal_action_is_accepted(match: AnyMatch) -> None:
    game = match.game
    for state in decisions(match):
        for seat in game.actors(state):
            if seat != CHANCE:
                legal = game.legal_actions(state, seat)
                assert len(legal) > 0
                assert all(accepts(game, state, action) and action in legal for action in some(legal, 3))


def test_exactly_the_legal_actions_are_accepted(match: AnyMatch) -> None:
    """In each position, try its legal actions, and actions chosen or legal in other positions."""
    game, states = match.game, decisions(match)
    chosen = [(state, seat) for state in states[::7] for seat in game.actors(state) if seat != CHANCE]
    tried = [
        *played(match)[::5],
        *(action for state, seat in chosen for action in some(game.legal_actions(state, seat), 1)),
    ]
    for state in states[::10]:
        actors = game.actors(state)
        for action in tried:
            if hasattr(action, "seat"):
                legal = any(action in game.legal_actions(state, seat) for seat in actors)
                assert accepts(game, state, action) == legal, (action, actors)
            else:
                assert CHANCE in actors or not accepts(game, state, action), (action, actors)


def test_seats_without_a_turn_have_no_legal_action(match: AnyMatch) -> None:
    game = match.game
    for state in positions(match)[::3]:
        others = {CHANCE, *range(-2, 8)} - {seat for seat in game.actors(state) if seat != CHANCE}
        assert all(len(game.legal_actions(state, seat)) == 0 for seat in others)


def test_an_illegal_action_is_refused_and_changes_nothing(variant: Variant) -> None:
    done = random_match(variant, SHARED)
    match = new_match(variant)
    for action in played(done):
        before, events = fingerprint(match.game, match.state), len(match.history)
        for other in (other for other in played(done)[::20] if not accepts(match.game, match.state, other)):
            with pytest.raises(IllegalAction, match=r"\w"):
                match.play(other)
        assert (fingerprint(match.game, match.state), len(match.history)) == (before, events)
        match.play(action)


def test_legal_actions_behave_like_a_sequence(match: AnyMatch) -> None:
    game = match.game
    states = decisions(match)[::3]
    longest: Sequence[Any] = max(
        (game.legal_actions(state, seat) for state in states for seat in game.actors(state)), key=len
    )
    count = len(longest)
    assert list(longest) == [longest[number] for number in range(count)]
    assert longest[-count] == longest[0]
    assert longest[-1] == longest[count - 1]
    assert list(longest[1:9:3]) == [longest[number] for number in (1, 4, 7)]
    for beyond in (count, -count - 1):
        with pytest.raises(IndexError):
            longest[beyond]


def test_deciding_and_applying_do_not_change_the_position(match: AnyMatch) -> None:
    game = match.game
    for state, played_step in list(zip(positions(match), match.history, strict=False))[::4]:
        before = fingerprint(game, state)
        if played_step.action is not None and accepts(game, state, played_step.action):
            first, second = (step(game, state, played_step.action) for _ in range(2))
            assert first == second
            assert [hash(after) for _, after in first] == [hash(after) for _, after in second]
        game.advance(state)
        assert fingerprint(game, state) == before


def test_the_same_seed_and_choices_give_the_same_match(variant: Variant) -> None:
    again = play_on(new_match(variant), random.Random(SHARED).choice, SHARED)
    assert again.history == random_match(variant, SHARED).history


class RecordingSeed(Seed):
    """A seed that records its draws."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.keys: list[tuple[str, int, int]] = []

    def dice(self, purpose: str, round: int, index: int, /) -> Any:
        self.keys.append((purpose, round, index))
        return super().dice(purpose, round, index)


def test_chance_draws_each_key_once(match: AnyMatch) -> None:
    seed = RecordingSeed(SHARED)
    rolls = [state for state in decisions(match) if CHANCE in match.game.actors(state)]
    backwards = [match.game.sample_chance(state, seed) for state in reversed(rolls)]
    assert len(set(seed.keys)) == len(seed.keys) == len(rolls)
    assert backwards[::-1] == [action for action in played(match) if not hasattr(action, "seat")]


def test_chance_is_refused_when_it_has_nothing_to_do(match: AnyMatch) -> None:
    for state in positions(match)[::9]:
        if CHANCE not in match.game.actors(state):
            with pytest.raises(IllegalAction):
                match.game.sample_chance(state, Seed("conformance"))
