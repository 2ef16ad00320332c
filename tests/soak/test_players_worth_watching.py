"""Quality of players: losers keep playing, search beats its former version, planners are unpredictable."""

import logging
from collections.abc import Sequence
from typing import Any

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.caravan import CARAVAN
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import SkipBlock
from himalaya_core.game import Game
from himalaya_core.match import Match, run
from himalaya_core.players import NamedPlayer
from himalaya_core.players.named import make_player
from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT
from tests.soak.former_search import FormerSearch
from tests.soak.seer import Seer

said = logging.getLogger(__name__)


def play(game: Game[Any, Any, Any], players: Sequence[NamedPlayer], seed: str) -> Match[Any, Any, Any]:
    match: Match[Any, Any, Any] = Match(game, shipped_board(game.name), {"players": len(players)})
    run(match, players, Seed(seed))
    return match


@pytest.mark.soak("plays hundreds of matches")
def test_the_climber_of_greedy_leaves_the_base_camp() -> None:
    """At most 10% of these matches end with its climber in the base camp; an earlier version had 96%."""
    names, matches, stayed = ("greedy", "porter", "racer", "random"), 200, 0
    for number in range(matches):
        first = number % len(names)
        line_up = names[first:] + names[:first]
        players = [make_player(SUMMIT, name, f"{number}|{seat}") for seat, name in enumerate(line_up)]
        match = play(SUMMIT, players, f"camp {number // len(names)}")
        stayed += match.state.climbers[line_up.index("greedy")] == 0
    said.info("greedy's climber in the base camp at the end of %d of %d matches", stayed, matches)
    assert stayed <= 0.1 * matches


@pytest.mark.soak("plays hundreds of matches")
def test_searching_climbers_do_not_give_up() -> None:
    """Search moves a block in nine of ten turns, and none of its matches is shorter than two rounds."""
    turns = skipped = 0
    for count, seeds in ((2, 20), (3, 10), (4, 5), (5, 3)):
        for number in range(seeds):
            players = [make_player(CLIMBERS, "search", "") for _ in range(count)]
            match = play(CLIMBERS, players, f"game {number}")
            assert match.state.turn >= 2 * count, f"{count} players, seed {number}"
            turns += match.state.turn
            skipped += sum(isinstance(step.action, SkipBlock) for step in match.history)
    said.info("the block move skipped in %d of %d turns", skipped, turns)
    assert skipped < 0.1 * turns


@pytest.mark.soak("plays hundreds of matches")
def test_search_beats_its_former_version() -> None:
    """In two-player matches from alternating seats; a shared win counts as half."""
    seeds, won = 100, 0.0
    for number in range(seeds):
        players: list[NamedPlayer] = [make_player(CLIMBERS, "search", ""), FormerSearch()]
        seat = number % 2
        outcome = play(CLIMBERS, players[::-1] if seat else players, f"game {number}").outcome
        assert outcome is not None
        won += (seat in outcome.winners) / len(outcome.winners)
    said.info("search wins %.1f of %d matches against its former self", won, seeds)
    assert won >= 0.95 * seeds


@pytest.mark.soak("plays hundreds of matches")
def test_knowing_how_planners_plan_gives_little_advantage() -> None:
    """A planner that knows how three others plan, but not their random numbers, wins hardly more than they do."""
    seeds, won = 200, 0.0
    for number in range(seeds):
        players: list[NamedPlayer] = [make_player(CARAVAN, "planner", f"{number}|{seat}") for seat in range(4)]
        seat = number % len(players)
        players[seat] = Seer(f"{number}|seer")
        outcome = play(CARAVAN, players, f"foreseen {number}").outcome
        assert outcome is not None
        won += (seat in outcome.winners) / len(outcome.winners)
    said.info("a seer wins %.1f of %d matches against planners", won, seeds)
    assert won <= 0.3 * seeds


@pytest.mark.soak("plays hundreds of matches")
def test_a_planner_that_samples_is_not_weaker() -> None:
    """Against simple players it wins at most one point less than a planner that assumes the most probable plans."""
    simple, seeds = ("trader", "greedy", "envoy", "pilgrim", "balanced"), 1_000
    won = {"planner": 0.0, "planner:samples=1": 0.0}
    for number in range(seeds):
        rivals = [simple[(number + step) % len(simple)] for step in (0, 1, 2 + number % 2)]
        for name in won:
            line_up = [*rivals[: number % 4], name, *rivals[number % 4 :]]
            players = [make_player(CARAVAN, each, f"{number}|{seat}") for seat, each in enumerate(line_up)]
            outcome = play(CARAVAN, players, f"simple {number}").outcome
            assert outcome is not None
            won[name] += (number % 4 in outcome.winners) / len(outcome.winners)
    said.info("of %d matches %s", seeds, won)
    assert won["planner"] >= won["planner:samples=1"] - 0.01 * seeds
