"""Playouts of a match end like a real match, and search follows their results."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import MoveBlock
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.pieces import Phase, put
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State, evolve
from himalaya_core.match import Match, run
from himalaya_core.players.climbers import playouts
from himalaya_core.players.climbers.base import Turns
from himalaya_core.players.climbers.evaluation import WON
from himalaya_core.players.climbers.playouts import Quick, played_out
from himalaya_core.players.climbers.reachability import after
from himalaya_core.players.climbers.search import Search
from himalaya_core.seed import Seed
from tests.core.climbers.positions import fewer
from tests.core.climbers.structures import shuffled

QUICK = {"width": 2, "takes": 1, "tries": 1, "samples": 2}
VERSION_1 = {
    "version 1 0": "e567d4a3bd28caf3cf3d553020ddc0f7585ddfa0fd9b14368e77932a1018fd31",
    "version 1 3": "5902a0a26365ef24271308dc298614992d9c6bfaf5e4fab6d8fd14b55d9af75d",
}
"""Digests of the actions when version 1 of search plays itself, with all its settings except `places` used."""
SEARCH = {"width": 2, "takes": 1, "covers": 1, "first": 8, "replies": 1, "deep": 2, "turns": 240}


class Watched(Quick):
    """A quick player that records the positions at the start of its turns."""

    def __init__(self) -> None:
        super().__init__("", QUICK)
        self.begun: dict[int, State] = {}

    def choose(self, view: State, seat: int, /) -> Any:
        if seat == view.active:
            self.begun.setdefault(view.turn, view)
        return super().choose(view, seat)


def match_of(seed: str) -> tuple[State, list[State]]:
    """Return the end of a match of two quick players, and the positions at the start of the first one's turns."""
    players = [Watched() for _ in range(2)]
    match: Match[Any, Any, Any] = Match(CLIMBERS, shipped_board("climbers"), {"players": 2})
    run(match, players, Seed(seed))
    return match.state, list(players[0].begun.values())


def before(view: State) -> Turns:
    """Return the playout state at the start of a turn."""
    return Turns(evolve(view, active=(view.active - 1) % len(view.seats), moved=view.last_moved), 0, over=False)


@pytest.mark.slow("whole matches of a search")
@pytest.mark.parametrize(("seed", "actions"), VERSION_1.items())
def test_the_quick_player_plays_like_search_version_1(seed: str, actions: str) -> None:
    """Version 1 is the benchmark for search, so it must not change unnoticed."""
    match: Match[Any, Any, Any] = Match(CLIMBERS, shipped_board("climbers"), {"players": 2})
    run(match, [Quick(), Quick()], Seed(seed))
    assert sha256(repr([step.action for step in match.history]).encode()).hexdigest() == actions


@pytest.mark.slow("plays out")
@pytest.mark.parametrize("seed", ["a", "b"])
def test_a_playout_ends_like_the_real_match(seed: str) -> None:
    end, begun = match_of(seed)
    assert begun
    for view in (begun[0], begun[-1]):
        found = played_out(Quick("", QUICK), before(view))
        assert found.over
        assert view.turn + found.played - 1 == end.turn
        assert [level(found.state, seat) for seat in end.seats] == [level(end, seat) for seat in end.seats]
        assert found.state.ladders == end.ladders
        assert standing(found.state).winners == standing(end).winners


class Oracle:
    """Replaces playouts: seat 0 wins from certain positions only, and each match takes ten more turns."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, wins: Callable[[State], bool] = lambda _: False) -> None:
        self.asked: list[State] = []
        self._wins = wins
        monkeypatch.setattr(playouts, "played_out", self)

    def __call__(self, _player: Quick, turn: Turns) -> Turns:
        self.asked.append(turn.state)
        highest = next(filter(None, turn.state.climbers), None) if self._wins(turn.state) else None
        return Turns(evolve(turn.state, climbers=(highest, None), reached=(1, 0)), 10, over=True)


def up(seat: int, height: int) -> State:
    """Return a position of two in which one climber is at a given height and the other on the table."""
    state = fewer(shuffled("early", 25), 2)
    terrain = ground(state)
    cells = [next(terrain.grid.cells(shown)) for shown in terrain.exposed if shown]
    cell = next(cell for cell in cells if terrain.height_at(cell) == height)
    climbers, reached = put(state.climbers, seat, cell), put(state.reached, seat, 1)
    return evolve(state, climbers=climbers, reached=reached, rises=1)


@pytest.fixture(scope="module")
def behind() -> State:
    return up(1, 6)


@pytest.mark.slow("search")
def test_search_plays_out_only_when_behind(behind: State, monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = Oracle(monkeypatch)
    search, ahead = Search("", SEARCH), up(0, 6)
    assert search.best(ahead, 0)[0] > 0
    search.goal(ahead, 0)
    search.goal_before(ahead, 0)
    search.disc(evolve(ahead, phase=Phase.DISC), 0)
    assert not oracle.asked
    search.best(behind, 0)
    assert oracle.asked


@pytest.mark.slow("weighs a move four times")
def test_search_moves_the_first_winning_block(behind: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no move wins, it moves the same block as it would without playouts."""
    best = Search("", SEARCH | {"turns": 0}).best(behind, 0)
    none = Oracle(monkeypatch)
    assert Search("", SEARCH).best(behind, 0) == best
    assert len(none.asked) > 3
    for wanted in none.asked[1:4]:
        Oracle(monkeypatch, lambda position, poses=wanted.poses: position.poses == poses)
        move = Search("", SEARCH).best(behind, 0)[1]
        assert (after(behind, move) if move else behind).poses == wanted.poses


def test_search_also_tries_the_move_of_the_quick_player(behind: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """So search can follow a winning playout even if its own list lacks the quick player's move."""
    few = SEARCH | {"first": 1, "deep": 1}
    move = Quick().best(behind, 0)[1]
    assert move
    assert Search("", few | {"turns": 0}).best(behind, 0)[1] != move
    Oracle(monkeypatch, lambda position: position.poses == after(behind, move).poses)
    assert Search("", few).best(behind, 0) == (WON, move)


@pytest.mark.slow("search")
def test_search_tries_the_quick_move_before_its_turns_run_out(behind: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluating many moves in a bad position must not hide a win that was already found."""
    move = Quick().best(behind, 0)[1]
    assert move
    Oracle(monkeypatch, lambda position: position.poses == after(behind, move).poses)
    best = Search("", SEARCH | {"turns": 0}).best(behind, 0)
    assert best[1] != move
    assert Search("", SEARCH | {"turns": 11}).best(behind, 0) == (WON, move)


@pytest.mark.slow("search")
def test_search_limits_the_total_turns_of_its_playouts(behind: State, monkeypatch: pytest.MonkeyPatch) -> None:
    for turns, asked in ((1, 1), (10, 1), (11, 2), (30, 3)):
        oracle = Oracle(monkeypatch)
        Search("", SEARCH | {"turns": turns}).best(behind, 0)
        assert len(oracle.asked) == asked


def test_search_places_its_disc_if_that_wins(behind: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Search keeps the disc if it wins without it."""
    state = evolve(behind, phase=Phase.DISC)
    none = Oracle(monkeypatch)
    assert Search("", SEARCH).disc(state, 0) is None
    wanted = none.asked[1].discs[0].block
    Oracle(monkeypatch, lambda position: position.discs[0].block == wanted)
    laid = Search("", SEARCH).disc(state, 0)
    assert laid
    assert laid.block == wanted
    Oracle(monkeypatch, lambda _: True)
    assert Search("", SEARCH).disc(state, 0) is None


def test_search_climbs_if_that_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    state = fewer(evolve(shuffled("early", 25), phase=Phase.CLIMB_AGAIN), 2)
    none = Oracle(monkeypatch)
    Search("", SEARCH).goal(state, 0)
    assert len(none.asked) > 1
    for wanted in none.asked:
        Oracle(monkeypatch, lambda position, ladders=wanted.ladders: position.ladders == ladders)
        assert Search("", SEARCH).goal(state, 0).ladders == wanted.ladders[0]


def test_search_does_not_play_out_with_more_than_two_players(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = Oracle(monkeypatch)
    Search("", SEARCH).best(fewer(shuffled("early", 25), 3), 0)
    assert not oracle.asked


class Seer(Search):
    """A search that expects a quick player as its rival, and records the turns in which it found a win."""

    def __init__(self) -> None:
        super().__init__("", SEARCH | {"turns": 60})
        self._playouts.quick = Quick("", QUICK)
        self.saw: list[int] = []

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        found = super().best(state, seat)
        if found[0] == WON:
            self.saw.append(state.turn)
        return found


@pytest.mark.slow("a whole match of a search")
@pytest.mark.parametrize("seed", ["f", pytest.param("l", marks=pytest.mark.soak("a second seed"))])
def test_search_carries_out_a_win_that_it_has_found(seed: str) -> None:
    """Against the expected rival, the match follows the winning playout to the end."""
    seer = Seer()
    match: Match[Any, Any, Any] = Match(CLIMBERS, shipped_board("climbers"), {"players": 2})
    run(match, [Watched(), seer], Seed(seed))
    assert seer.saw
    assert match.outcome
    assert match.outcome.winners == (1,)
