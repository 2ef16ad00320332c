"""An external game with rules only is played, logged, read and verified like any other game."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from himalaya_core.errors import OptionsError
from himalaya_core.game import Game
from ingest.pipeline import ingest
from tests.core.cli.commands import Command
from tests.forked import HIMALAYA, run
from tests.ingest.helping import rows

pytestmark = pytest.mark.usefixtures("toy")
AnyGame = Game[Any, Any, Any]


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def log(himalaya: Command, tmp_path: Path) -> Path:
    path = tmp_path / "nim.jsonl"
    assert himalaya("play", "nim2", "--players", "random,random,random", "--seed", "a", "--out", str(path)).code == 0
    return path


def test_the_toy_game_is_verified_and_shown(himalaya: Command, log: Path) -> None:
    assert "clean" in himalaya("verify", str(log)).out
    shown = himalaya("show", str(log), "--ply", "1", "--seat", "2").out
    assert "random (seat 1), random (seat 2), random (seat 3)" in shown
    assert "to act: seat 1" in shown


def test_the_lines_of_the_toy_game_fit_its_schema(himalaya: Command, log: Path) -> None:
    schema = jsonschema_rs.validator_for(json.loads(himalaya("schema", "nim2").out))
    assert all(schema.is_valid(json.loads(line)) for line in log.read_text().splitlines())


def test_perft_counts_the_toy_game(himalaya: Command) -> None:
    assert himalaya("perft", "nim2", "--seats", "2", "--depth", "3").out == "depth 3: 27\n"


@pytest.mark.slow("more processes")
def test_a_tournament_is_the_same_with_one_or_two_processes(tmp_path: Path) -> None:
    line_up = ("--players", "random,random", "--name", "t", "--matches", "60")
    for jobs in ("1", "2"):
        played = run([*HIMALAYA, "tournament", "nim2", *line_up, "--jobs", jobs, "--out", str(tmp_path / jobs)])
        assert played.returncode == 0, played.stderr
    one, two = ([file.read_bytes() for file in sorted((tmp_path / jobs).iterdir())] for jobs in ("1", "2"))
    assert one == two
    assert len(one) == 3


def test_a_log_of_the_toy_game_is_loaded_into_a_warehouse(log: Path, tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    assert ingest([log], database, processes=0).matches == 1
    assert rows(database, "SELECT game, status, players FROM dim_matches") == [("nim2", "finished", 3)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 7}, "the game needs 2 to 6 players; you named 7"),
        ({"players": True}, "the game needs 2 to 6 players; you named true"),
        ({"tokens": True}, "the game has no option 'tokens'"),
    ],
)
def test_the_toy_game_has_only_the_option_players(toy: AnyGame, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError, match=message):
        toy.parse_options(options)
    assert toy.parse_options({}).players == 2


@pytest.mark.parametrize("name", ["", "Nim", "2nim", "nim.2", "n" * 33, "nim\n"])
def test_a_game_name_must_be_valid_in_a_log(toy: AnyGame, name: str) -> None:
    with pytest.raises(ValueError, match="a game is called like"):
        replace(toy, name=name)
