"""`himalaya play`, `verify`, `show` and `stats` for climbers use the same words as for other games."""

import json
from pathlib import Path

import pytest

from himalaya_core.boards import shipped_boards
from himalaya_core.files import read_lines
from himalaya_core.replay import Replay
from tests.core.cli.commands import Command
from tests.core.log.damage import resign, rewrite

PLAY = ("play", "climbers", "--players", "random,random,random", "--seed", "monday", "--out", "m.jsonl")


@pytest.fixture
def himalaya(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.chdir(tmp_path)
    return Command(capsys)


def test_a_match_is_played_verified_and_shown(himalaya: Command) -> None:
    played = himalaya(*PLAY)
    assert played.code == 0
    assert played.out.startswith("climbers, seed monday\n")
    assert himalaya("verify", "m.jsonl").out.endswith("clean\n")
    shown = himalaya("show", "m.jsonl", "--ply", "0")
    assert "no block lies yet" in shown.out
    assert shown.out.endswith("to act: chance\n")
    assert "heights and tops" in himalaya("show", "m.jsonl").out


@pytest.mark.slow("another file of a match")
def test_a_match_is_exported_as_a_playable_file(himalaya: Command) -> None:
    himalaya(*PLAY)
    assert himalaya("replay", "m.jsonl", "--out", "m.html").code == 0
    assert "replay/tower/kind.js" in Path("m.html").read_text("utf-8")


def test_a_tournament_is_played_and_verified(himalaya: Command) -> None:
    plan = ("tournament", "climbers", "--name", "t", "--players", "random,random", "--matches", "2", "--out", "t")
    assert himalaya(*plan).code == 0
    assert himalaya("verify", "t").out.startswith("2 matches, ")


def test_the_command_has_the_options_of_the_game(himalaya: Command) -> None:
    assert himalaya(*PLAY, "--first", "2").code == 0
    replay = Replay.read(read_lines(Path("m.jsonl")))
    assert dict(replay.header.options) == {"players": 3, "first": 1}
    assert himalaya(*PLAY, "--first", "4").err == "himalaya: option first: expected a seat from 1 to 3, found 4\n"
    refused = himalaya(*PLAY, "--tokens")
    assert refused.err.startswith("himalaya: climbers has no option --tokens; it has --first")
    words = " ".join(himalaya("play", "--help").out.split())
    assert "climbers: the start player (default: by lot)" in words


def test_paths_are_counted(himalaya: Command) -> None:
    assert himalaya("perft", "climbers", "--seats", "2", "--depth", "0").out == "depth 0: 1\n"
    *actions, total = himalaya("perft", "climbers", "--seats", "2", "--depth", "1", "--divide").out.splitlines()
    assert total == f"{len(actions)} actions, {len(actions)} in all"


def test_a_match_on_a_given_opening_needs_no_random_build(himalaya: Command) -> None:
    assert himalaya(*PLAY, "--board", "solid-cuboid").code == 0
    assert himalaya("verify", "m.jsonl").code == 0
    assert "to act: chance" in himalaya("show", "m.jsonl", "--ply", "0").out
    assert "7n" in himalaya("show", "m.jsonl", "--ply", "0").out


def test_a_match_on_another_board_contains_the_board(himalaya: Command) -> None:
    document = json.loads(json.dumps(shipped_boards("climbers")["capstone-reconstructed"].document))
    document.update(id="wide", table=40)
    Path("wide.json").write_text(json.dumps(document), encoding="utf-8")
    assert himalaya(*PLAY, "--board", "wide.json").code == 0
    assert himalaya("verify", "m.jsonl").code == 0
    lines = resign(rewrite(list(read_lines(Path("m.jsonl"))), 0, board=None))
    Path("m.jsonl").write_bytes(b"".join(lines))
    assert himalaya("verify", "m.jsonl").code == 1
    assert himalaya("verify", "m.jsonl", "--board", "wide.json").code == 0


def test_an_impossible_opening_is_refused(himalaya: Command) -> None:
    document = json.loads(json.dumps(shipped_boards("climbers")["solid-cuboid"].document))
    document["opening"][1] = "C@2,2,0:2x2x2:teal"
    Path("apart.json").write_text(json.dumps(document), encoding="utf-8")
    refused = himalaya(*PLAY, "--board", "apart.json")
    assert refused.code == 2
    assert refused.err == (
        "himalaya: apart.json: opening: C@2,2,0:2x2x2:teal: expected a place where it can be laid, but a block touches"
        " another with at least one square\n"
    )
