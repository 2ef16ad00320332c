"""`himalaya play`, `verify`, `show` and `stats` for summit use the same words as for caravan."""

import json
from pathlib import Path

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.files import read_lines
from himalaya_core.replay import Replay
from tests.core.cli.commands import Command
from tests.core.log.damage import resign, rewrite

PLAY = ("play", "summit", "--players", "racer,random,porter", "--seed", "monday", "--out", "m.jsonl")


@pytest.fixture
def himalaya(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.chdir(tmp_path)
    return Command(capsys)


def steep_board() -> Path:
    """Write a board file with a longer route."""
    document = json.loads(json.dumps(shipped_board("summit").document))
    document.update(id="steep", summit=40)
    path = Path("steep.json")
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_match_is_played_verified_and_shown(himalaya: Command) -> None:
    played = himalaya(*PLAY)
    assert played.code == 0
    assert played.out.startswith("summit, seed monday\n")
    assert himalaya("verify", "m.jsonl").out.endswith("clean\n")
    shown = himalaya("show", "m.jsonl", "--ply", "0")
    assert "the Yeti is on 15" in shown.out
    assert shown.out.endswith("to act: chance\n")


def test_a_tournament_is_played_and_verified(himalaya: Command) -> None:
    plan = ("tournament", "summit", "--name", "t", "--players", "greedy,random", "--matches", "3", "--out", "t")
    assert himalaya(*plan).code == 0
    assert himalaya("verify", "t").out.startswith("3 matches, ")


def test_the_command_has_the_options_of_the_game(himalaya: Command) -> None:
    assert himalaya(*PLAY, "--first", "2").code == 0
    replay = Replay.read(read_lines(Path("m.jsonl")))
    assert dict(replay.header.options) == {"players": 3, "first": 1}
    assert himalaya("verify", "m.jsonl").code == 0
    assert himalaya(*PLAY, "--first", "4").err == "himalaya: option first: expected a seat from 1 to 3, found 4\n"
    refused = himalaya(*PLAY, "--tokens")
    assert refused.err.startswith("himalaya: summit has no option --tokens; it has --first")


def test_the_help_shows_the_game_of_each_option(himalaya: Command) -> None:
    words = " ".join(himalaya("play", "--help").out.split())
    assert "--first SEAT caravan: the First Caravaneer of round 1 (default: seat 1); summit: the start player" in words
    assert "--tokens caravan: event tokens" in words


def test_paths_are_counted(himalaya: Command) -> None:
    assert himalaya("perft", "summit", "--seats", "2", "--depth", "0").out == "depth 0: 1\n"
    *actions, total = himalaya("perft", "summit", "--seats", "2", "--depth", "1", "--divide").out.splitlines()
    assert total == f"{len(actions)} actions, {len(actions)} in all"
    assert all(action.startswith("MoveBy") for action in actions)


def test_a_match_on_another_board_contains_the_board(himalaya: Command) -> None:
    board = steep_board()
    assert himalaya(*PLAY, "--board", str(board)).code == 0
    assert himalaya("verify", "m.jsonl").code == 0
    lines = resign(rewrite(list(read_lines(Path("m.jsonl"))), 0, board=None))
    Path("m.jsonl").write_bytes(b"".join(lines))
    assert himalaya("verify", "m.jsonl").code == 1
    assert himalaya("verify", "m.jsonl", "--board", str(board)).code == 0
    assert " 40  summit" in himalaya("show", "m.jsonl", "--board", str(board)).out


def test_every_game_refuses_a_file_that_is_not_a_board(himalaya: Command) -> None:
    himalaya(*PLAY)
    Path("bad.json").write_text('{"id":"bad"}', encoding="utf-8")
    refused = himalaya("show", "m.jsonl", "--board", "bad.json")
    assert refused.err == (
        "himalaya: bad.json: board: 'villages' is missing (caravan); bad.json: board: 'summit' is missing (summit);"
        " bad.json: board: 'table' is missing (climbers)\n"
    )
    assert himalaya("show", "m.jsonl", "--board", "no.json").err == "himalaya: no.json: No such file or directory\n"
