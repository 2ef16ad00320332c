"""A seat's choices are shown in notation, and reading the notation gives the same action."""

import pytest

from dashboards.replay.branch_document import read_action
from dashboards.replay.scenes import choices_of
from himalaya_core.api import play
from himalaya_core.game import CHANCE
from himalaya_core.notation import read


@pytest.mark.parametrize("game", ["caravan", "summit", "climbers"])
def test_a_choice_is_read_as_it_is_written(game: str) -> None:
    replay = play(game, ["random"] * 3, seed="as-written").replay
    names, told = [info.label for info in replay.header.seats], 0
    for state in replay.states[::3]:
        for seat in replay.game.actors(state):
            if seat == CHANCE:
                continue
            for choice in choices_of(replay.game, state, seat, names).actions:
                told += 1
                assert read(replay.game, state, choice.written) == read_action(replay.game, choice.action)
    assert told > 20
