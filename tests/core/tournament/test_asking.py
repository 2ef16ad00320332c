"""Reproducibility checks of players: unchanged players repeat their choices, changed ones are found."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.games import GAMES
from himalaya_core.players import players_of
from himalaya_core.players.named import line_up, make_player
from himalaya_core.replay import Replay
from himalaya_core.tournament.plan import Pairing, play
from himalaya_core.tournament.reproducibility import PlayersVerdict, SeatAnswer, ask
from himalaya_core.verification import judge
from tests.conformance.playing import VARIANTS, Variant, recorded
from tests.core.log.damage import Lines, resign, rewrite

TABLES = {
    "caravan": ("rollout:horizon=0:playouts=2", "greedy", "random", "envoy:stupa=2"),
    "summit": ("racer", "random", "porter", "greedy"),
    "climbers": ("greedy", "blocker:width=1"),
}
ASKED = ("caravan-3", "summit-3", "climbers-2")
GAMES_ASKED = [
    "summit",
    *(pytest.param(game, marks=pytest.mark.slow("every game")) for game in ("caravan", "climbers")),
]
QUICK = {
    "caravan": {"rollout": "rollout:playouts=2:candidates=2:rival_plans=1"},
    "summit": {"search": "search:width=2"},
    "climbers": {"blocker": "blocker:width=1", "search": "search:width=1:places=1:takes=1:covers=1:deep=1"},
}
"""Settings that make look-ahead players fast."""


@cache
def played(game: str, texts: tuple[str, ...]) -> Lines:
    """Return the log of a match between players named as on the command line; the log is cached and shared."""
    names, outside = line_up(GAMES[game], texts)
    _, log = play(GAMES[game], shipped_board(game), {}, Pairing("asked", names, "asked"), outside)
    return log.splitlines(keepends=True)


def reseated(lines: Lines, *order: int) -> Lines:
    """Return a log with the header's players in another order; their labels stay with the seats."""
    seats = json.loads(lines[0])["data"]["seats"]
    new = [{**seats[other], "seat": seat, "label": seats[seat]["label"]} for seat, other in enumerate(order)]
    return resign(rewrite(lines, 0, data__seats=new))


def first(lines: Lines, **changes: Any) -> Lines:
    """Return a log with the header's entry for the player in seat 0 changed."""
    seats = json.loads(lines[0])["data"]["seats"]
    return resign(rewrite(lines, 0, data__seats=[seats[0] | changes, *seats[1:]]))


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(variant, marks=() if str(variant) in ASKED else pytest.mark.soak("every number of players"))
        for variant in VARIANTS
    ],
    ids=str,
)
def test_a_replayed_player_repeats_its_choices(variant: Variant) -> None:
    _, lines = recorded(variant, "logging")
    replay = Replay.read(lines)
    answers = ask(lines)
    assert {answer.verdict for answer in answers} == {PlayersVerdict.REPEATS}
    chosen = sum(entry.action is not None and entry.seat is not None for entry in replay.entries)
    assert sum(answer.decisions for answer in answers) == chosen


@pytest.mark.parametrize("game", GAMES_ASKED)
def test_players_are_replayed_with_their_settings(game: str) -> None:
    assert {answer.verdict for answer in ask(played(game, TABLES[game]))} == {PlayersVerdict.REPEATS}


def test_the_order_of_settings_does_not_change_the_player() -> None:
    texts = ("rollout:playouts=4:horizon=0", "rollout:horizon=0:playouts=4", "rollout:horizon=0:playouts=4:safe=1")
    names = {line_up(GAMES["caravan"], [text])[0] for text in texts}
    assert names == {("rollout:playouts=4:horizon=0",)}
    assert line_up(GAMES["caravan"], ["rollout:playouts=40", "greedy"])[0] == ("rollout", "greedy")


def chosen_otherwise(replay: Replay, seat: int, text: str) -> int | None:
    """Return the first line at which a player would choose differently from the logged choice of this seat."""
    player = make_player(replay.game, text, f"asked|{text}|{seat}")
    for entry, before in zip(replay.entries[1:], replay.states, strict=False):
        decided = entry.seat == seat and entry.action is not None
        if decided and player.choose(replay.game.view(before, seat), seat) != entry.action:
            return entry.seq + 1
    return None


@pytest.mark.slow("asks players again")
@pytest.mark.parametrize("game", GAMES_ASKED)
def test_swapped_players_are_detected_at_the_first_different_choice(game: str) -> None:
    names, _ = line_up(GAMES[game], TABLES[game])
    lines = played(game, names)
    replay = Replay.read(lines)
    everybody = range(len(names))
    found: list[bool] = []
    for one, other in combinations(everybody, 2):
        order = list(everybody)
        order[one], order[other] = other, one
        changed = reseated(lines, *order)
        assert judge(changed).departure is None, "the rules have nothing against it"
        for seat, answer in enumerate(ask(changed)):
            line = chosen_otherwise(replay, seat, names[order[seat]]) if seat in (one, other) else None
            assert (answer.departure and answer.departure.line) == line, (one, other, seat)
            found.append(line is not None)
    assert sum(found) > len(found) / 4


@pytest.mark.slow("asks players again")
@pytest.mark.parametrize("game", GAMES_ASKED)
def test_a_renamed_player_is_detected_at_its_first_different_choice(game: str) -> None:
    lines = played(game, TABLES[game])
    replay = Replay.read(lines)
    found = 0
    for name in players_of(GAMES[game]):
        text = QUICK[game].get(name, name)
        other = make_player(GAMES[game], text, "")
        answer = ask(first(lines, player=name, version=other.version, params=dict(other.params)))[0]
        line = chosen_otherwise(replay, 0, text)
        assert (answer.departure and answer.departure.line) == line
        if answer.departure is not None:
            found += 1
            assert answer.departure.expected.endswith(f", the choice of {name} in seat 1")
            assert answer.verdict is PlayersVerdict.DIFFERS
    assert found >= (1 if game == "climbers" else len(players_of(GAMES[game])) - 2)


def test_an_unfinished_match_is_replayed_to_its_last_decision() -> None:
    lines = played("summit", TABLES["summit"])
    answers = ask(lines[: len(lines) // 2])
    assert {answer.verdict for answer in answers} == {PlayersVerdict.REPEATS}
    assert sum(answer.decisions for answer in answers) < sum(answer.decisions for answer in ask(lines))


NOT_ASKED: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "nobody": (
        lambda lines: first(lines, player="Tenzing"),
        "it is not installed",
    ),
    "another version": (lambda lines: first(lines, version="0"), "version 1 is installed"),
    "an unknown setting": (lambda lines: first(lines, params={"mood": 1}), "it has other settings"),
    "a value that is none": (lambda lines: first(lines, params={"width": -3, "looks": 1}), "it has other settings"),
    "another source": (lambda lines: first(lines, source_sha256="0" * 64), "its source is not the one that played"),
    "no seed": (lambda lines: resign(null_seed(lines)), "the match names no seed"),
}


def null_seed(lines: Lines) -> Lines:
    return [lines[0].replace(b'"luck":"asked"', b'"luck":null'), *lines[1:]]


@pytest.mark.parametrize("case", NOT_ASKED)
def test_a_player_that_cannot_be_replayed_is_reported_with_the_reason(case: str) -> None:
    change, reason = NOT_ASKED[case]
    answer = ask(change(played("summit", TABLES["summit"])))[0]
    assert (answer.verdict, answer.decisions, answer.reason) == (PlayersVerdict.NOT_ASKED, 0, reason)


def test_a_setting_refused_by_the_player_is_reported() -> None:
    lines = played("caravan", ("rollout:playouts=1:horizon=0", "random", "random"))
    params = dict(Replay.read(lines[:1]).header.seats[0].params)
    answer = ask(first(lines, params=params | {"playouts": -2}))[0]
    assert answer.reason == "player 'rollout': setting playouts: expected at least 1, found -2"


def test_a_player_with_a_time_budget_is_not_replayed() -> None:
    lines = played("caravan", ("rollout:playouts=1:horizon=0:milliseconds=1", "random", "random"))
    assert [answer.reason for answer in ask(lines)] == ["it decides on a budget of time", None, None]


BOTS = """
import random
from himalaya_core.games import GAMES

class Drawn:
    name, version, params = "drawn", "2", {"most": 1}
    def __init__(self, seed, settings):
        self.params = {**self.params, **settings}
        self.draw = random.Random(seed)
    def choose(self, view, seat):
        actions = GAMES["summit"].legal_actions(view, seat)
        return actions[self.draw.randrange(len(actions))]

class Hasty(Drawn):
    name, is_repeatable = "hasty", False

class Spy:
    name = "spy"
    def choose(self, view, seat):
        actions = GAMES["caravan"].legal_actions(view, seat)
        seen = [plan for other, plan in enumerate(view.plans) if plan and other != seat]
        return actions[-1 if seen and not view.step else 0]

class Lost(Drawn):
    name = "lost"
    def choose(self, view, seat):
        return 1 / 0 if view.turn > 3 else super().choose(view, seat)
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("bots.py").write_text(BOTS)
    return tmp_path


def verdicts(answers: Sequence[SeatAnswer]) -> list[str]:
    return [answer.verdict for answer in answers]


@pytest.mark.usefixtures("bots")
def test_an_outside_player_is_replayed_when_its_file_is_named() -> None:
    lines = played("summit", ("bots.py:Drawn:most=2", "racer", "bots.py:Drawn:most=3=twin"))
    assert Replay.read(lines[:1]).header.seats[0].source_sha256 is not None
    assert Replay.read(lines[:1]).header.seats[1].source_sha256 is None
    assert verdicts(ask(lines)) == ["not asked", "repeats", "not asked"]
    assert verdicts(ask(lines, None, ("bots.py:Drawn:most=2",))) == ["repeats", "repeats", "not asked"]
    assert verdicts(ask(lines, None, ("bots.py:Drawn:most=2", "bots.py:Drawn:most=3=twin"))) == ["repeats"] * 3
    assert ask(lines, None, ("bots.py:Drawn",))[0].reason == "it has other settings"


@pytest.mark.usefixtures("bots")
def test_a_replayed_player_sees_only_the_view_of_its_seat() -> None:
    lines = played("caravan", ("bots.py:Spy", "random", "bots.py:Spy"))
    assert verdicts(ask(lines, None, ("bots.py:Spy",))) == ["repeats"] * 3


@pytest.mark.usefixtures("bots")
def test_a_player_with_a_changed_source_is_not_replayed() -> None:
    lines = played("summit", ("bots.py:Drawn", "racer"))
    Path("others.py").write_text(BOTS + "\n# changed")
    assert ask(lines, None, ("others.py:Drawn",))[0].reason == "its source is not the one that played"
    Path("moved.py").write_text(BOTS)
    assert verdicts(ask(lines, None, ("moved.py:Drawn",))) == ["repeats", "repeats"]


@pytest.mark.usefixtures("bots")
def test_a_player_marked_as_not_repeatable_is_not_replayed() -> None:
    lines = played("summit", ("bots.py:Hasty", "racer"))
    assert ask(lines, None, ("bots.py:Hasty",))[0].reason == "it decides on a budget of time"


@pytest.mark.usefixtures("bots")
def test_a_player_that_crashes_during_replay_counts_as_different() -> None:
    lines = played("summit", ("bots.py:Drawn", "racer"))
    answer = ask(first(lines, player="lost"), None, ("bots.py:Lost",))[0]
    assert answer.verdict is PlayersVerdict.DIFFERS
