"""What players that one would watch owe: climbers that climb, plans that cannot be foreseen, losers who go on."""

import logging

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.match import Match, run
from himalaya_core.players.named import make_player
from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT

said = logging.getLogger(__name__)


@pytest.mark.soak
def test_the_climber_of_greedy_leaves_the_base_camp() -> None:
    """It stood there at the end of 93% of its matches; over 200 at a table of four it does in at most 10%."""
    board, names, matches = shipped_board("summit"), ("greedy", "porter", "racer", "random"), 200
    stayed = 0
    for number in range(matches):
        match = Match(SUMMIT, board, {"players": len(names)})
        first = number % len(names)
        line_up = names[first:] + names[:first]
        players = [make_player(SUMMIT, name, f"{number}|{seat}") for seat, name in enumerate(line_up)]
        run(match, players, Seed(f"camp {number // len(names)}"))
        stayed += match.state.climbers[line_up.index("greedy")] == 0
    said.info("greedy's climber in the base camp at the end of %d of %d matches", stayed, matches)
    assert stayed <= 0.1 * matches
