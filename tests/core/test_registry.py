"""Extensions from other packages are found by name, loaded on demand, and can't break the product."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from himalaya_core.errors import RegistryError
from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.players import PLAYERS
from himalaya_core.players.named import make_player
from ingest.pipeline import ingest
from tests.core.cli.commands import Command
from tests.toy.installing import TOY, distribution, installed

BUILT_IN = ["caravan", "summit", "climbers"]
COUNTING = """
from himalaya_core.players.random import RandomPlayer
from nim2 import NIM2

class Counting(RandomPlayer):
    name = "counting"
    def __init__(self, seed, settings):
        super().__init__(NIM2, seed)
"""


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@contextmanager
def package(folder: Path, entries: str, **modules: str) -> Iterator[None]:
    with installed(distribution(folder / "strange", "strange", entries, **modules)):
        yield


def test_games_and_players_are_listed_by_their_own_names(toy: Game[object, object, object]) -> None:
    assert list(GAMES) == list(PLAYERS) == [*BUILT_IN, "nim2"]
    assert [game.name for game in GAMES.values()] == list(GAMES)
    assert GAMES.has_several
    assert list(PLAYERS["summit"]) == ["random", "greedy", "porter", "racer", "search"]
    assert list(PLAYERS["nim2"]) == ["random"]
    assert make_player(toy, "random", "seed").name == "random"


def test_an_uninstalled_game_is_no_longer_listed() -> None:
    with installed(TOY):
        assert "nim2" in GAMES
    assert "nim2" not in GAMES
    assert list(GAMES) == BUILT_IN


def test_a_player_from_another_package_plays(tmp_path: Path, himalaya: Command) -> None:
    entries = "[himalaya.players]\nnim2:counting = counting:Counting\n"
    with installed(TOY, distribution(tmp_path / "more", "more", entries, counting=COUNTING)):
        assert list(PLAYERS["nim2"]) == ["random", "counting"]
        log = tmp_path / "a.jsonl"
        assert himalaya("play", "nim2", "--players", "counting,random", "--out", str(log)).code == 0
        assert '"player":"counting"' in log.read_text()


BROKEN = {
    "nowhere:GAME": "nowhere:GAME cannot be loaded: No module named 'nowhere'",
    "raises:GAME": "raises:GAME cannot be loaded: out of",
    "leaves:GAME": "leaves:GAME cannot be loaded: it ends the process",
    "number:GAME": "number:GAME cannot be loaded: expected a Game, found int",
    "himalaya_core.summit:SUMMIT": "SUMMIT cannot be loaded: the game calls itself 'summit'",
}


@pytest.mark.parametrize("place", BROKEN)
def test_a_game_that_fails_to_load_is_reported_on_use_and_harms_no_other(
    tmp_path: Path, himalaya: Command, place: str
) -> None:
    modules = {"raises": "raise RuntimeError('out of\\nlines')", "leaves": "raise SystemExit(3)", "number": "GAME = 1"}
    with package(tmp_path, f"[himalaya.games]\nbroken = {place}\n", **modules):
        assert list(GAMES) == BUILT_IN
        with pytest.raises(RegistryError, match="broken"):
            GAMES["broken"]
        asked = himalaya("play", "broken", "--players", "random,random", "--out", str(tmp_path / "a.jsonl"))
        assert asked.code == 2
        assert asked.err.startswith("himalaya: himalaya.games has 'broken' from strange, but ")
        assert BROKEN[place] in asked.err
        assert asked.err.count("\n") == 1
        other = himalaya("play", "caravan", "--players", "random,random,random", "--out", str(tmp_path / "b.jsonl"))
        assert other.code == 0


def test_a_player_that_fails_to_load_is_reported_on_use_and_harms_no_other(tmp_path: Path) -> None:
    with package(tmp_path, "[himalaya.players]\nsummit:broken = nowhere:Player\n"):
        assert "broken" not in list(PLAYERS["summit"])
        with pytest.raises(RegistryError, match="'summit:broken' from strange"):
            make_player(GAMES["summit"], "broken", "seed")
        assert make_player(GAMES["summit"], "greedy", "seed").name == "greedy"


def test_a_player_that_cannot_be_called_with_a_seed_and_settings_is_refused(tmp_path: Path) -> None:
    entries = "[himalaya.players]\nsummit:plain = plain:Plain\n"
    plain = distribution(tmp_path / "plain", "plain", entries, plain="class Plain:\n    name = 'plain'\n")
    with installed(plain), pytest.raises(RegistryError, match=r"def __init__\(self, seed, settings\)"):
        make_player(GAMES["summit"], "plain", "seed")


def test_a_name_used_by_two_packages_is_refused_with_both(tmp_path: Path) -> None:
    with package(tmp_path, "[himalaya.games]\nnim2 = nowhere:GAME\n"), installed(TOY):
        assert list(GAMES) == BUILT_IN
        with pytest.raises(RegistryError, match="'nim2' twice, from nim2 and strange"):
            GAMES["nim2"]


def test_a_log_of_a_missing_game_is_quarantined_with_that_reason(tmp_path: Path, himalaya: Command) -> None:
    log = tmp_path / "nim.jsonl"
    with installed(TOY):
        assert himalaya("play", "nim2", "--players", "random,random", "--seed", "a", "--out", str(log)).code == 0
    (unknown,) = ingest([log], tmp_path / "a.duckdb", processes=0).quarantined
    assert unknown.message == "data.game: expected one of caravan, summit, climbers, found nim2"
    assert "the game 'nim2' is unknown" in himalaya("verify", str(log)).out
    with package(tmp_path, "[himalaya.games]\nnim2 = nowhere:GAME\n"):
        (broken,) = ingest([log], tmp_path / "b.duckdb", processes=0).quarantined
        assert broken.message.startswith("data.game: himalaya.games has 'nim2' from strange, but nowhere:GAME cannot")
        assert "nowhere:GAME cannot be loaded" in himalaya("verify", str(log)).out
