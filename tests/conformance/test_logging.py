"""Properties of every game's log: each event is read back unchanged, and folding any prefix gives the same position."""

import pytest

from himalaya_core.log.codec import MATCH_ENDED, MATCH_STARTED, Ended, Header, decode_line
from himalaya_core.replay import Replay
from himalaya_core.verification import judge
from tests.conformance.playing import EVERY, SHARED, VARIANTS, Variant, positions, recorded

RARE = {"decline_trade", "forfeit", "forfeited"}
"""Rare events and actions; separate tests cover them."""


@pytest.fixture(params=EVERY, ids=str)
def variant(request: pytest.FixtureRequest) -> Variant:
    return request.param


def test_every_event_type_survives_writing_and_reading(variant: Variant) -> None:
    match, lines = recorded(variant, SHARED)
    entries = [decode_line(line, variant.game) for line in lines]
    assert [entry.event for entry in entries[1:-1]] == match.events
    assert [entry.action for entry in entries[1:-1]] == [step.action for step in match.history]
    assert [entry.ply for entry in entries[1:-1]] == [step.ply for step in match.history]
    assert isinstance(entries[0].event, Header)
    assert isinstance(entries[-1].event, Ended)


@pytest.mark.slow("matches of every number of players")
def test_the_variants_cover_every_event_and_action_type() -> None:
    games = {variant.name: variant.game for variant in VARIANTS}
    for name, game in games.items():
        logs = [recorded(variant, SHARED)[1] for variant in VARIANTS if variant.name == name]
        entries = [decode_line(line, game) for log in logs for line in log]
        assert {entry.type for entry in entries} | RARE >= {*game.event_types, MATCH_STARTED, MATCH_ENDED}
        rare = {game.action_types.get(name) for name in RARE}
        assert {type(entry.action) for entry in entries} | rare >= set(game.action_types.values())


def test_folding_the_log_gives_the_live_position_after_every_event(variant: Variant) -> None:
    match, lines = recorded(variant, SHARED)
    replay = Replay.read(lines)
    assert list(replay.states[:-1]) == positions(match)
    assert replay.states[-1] == match.state
    assert replay.board == match.board


@pytest.mark.slow("every prefix")
def test_any_prefix_of_a_log_is_an_unfinished_match(variant: Variant) -> None:
    match, lines = recorded(variant, SHARED)
    for end in (1, 2, *range(len(lines) // 9, len(lines), len(lines) // 9), len(lines) - 1):
        replay = Replay.read(lines[:end])
        assert replay.ended is None
        assert replay.states[-1] == positions(match)[end - 1]
        assert judge(lines[:end]).departure is None


def test_a_complete_log_verifies(variant: Variant) -> None:
    assert judge(recorded(variant, SHARED)[1]).departure is None
