"""`himalaya verify --players`: output and exit codes."""

import json
import re
import shutil
from pathlib import Path

import pytest

from himalaya_core.cli.main import main
from himalaya_core.files import read_lines, write_log
from tests.core.cli.commands import Command
from tests.core.log.damage import resign, rewrite

BOT = """
class First:
    name = "first"
    def choose(self, view, seat):
        from himalaya_core.games import GAMES
        return GAMES["summit"].legal_actions(view, seat)[0]
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder with two tournaments and a package with the player of one of them."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("bots.py").write_text(BOT)
        for name, players in (("cup", "racer,greedy"), ("own", "bots.py:First,random")):
            arguments = ("--name", name, "--players", players, "--matches", "3", "--jobs", "1", "--out", name)
            assert main(["tournament", "summit", *arguments]) == 0
    return folder


@pytest.fixture
def himalaya(
    tmp_path: Path, played: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Command(capsys)


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow("more processes"))])
def test_repeated_choices_and_skipped_players_are_counted(himalaya: Command, jobs: str) -> None:
    answer = himalaya("verify", "cup", "own", "--players", "--jobs", jobs)
    assert answer.code == 0
    first, last = answer.out.splitlines()
    assert first == "not asked: first 1 in 3 seats: it is not installed (--player FILE.py:CLASS says where it is)"
    said = "rules and dice clean; in 9 seats the player repeated its choices; in 3 seats it could not be checked"
    assert re.fullmatch(rf"6 matches, [\d,]+ events: {said}", last)


def test_a_player_that_is_not_installed_is_loaded_from_the_given_file(himalaya: Command) -> None:
    answer = himalaya("verify", "own", "--player", "bots.py:First")
    assert answer.code == 0
    assert answer.out.endswith(" events: clean; in 6 seats the player repeated its choices\n")


def test_players_are_replayed_only_on_request(himalaya: Command) -> None:
    assert himalaya("verify", "own").out.endswith(" events: clean\n")


def test_a_choice_the_player_would_not_make_is_reported_with_file_and_line(himalaya: Command) -> None:
    (log,) = Path("cup").glob("*.zst")
    lines = [line for line in read_lines(log) if b'"match":"cup.000000"' in line]
    seats = json.loads(lines[0])["data"]["seats"]
    renamed = [seats[0] | {"player": "random", "params": {}}, *seats[1:]]
    with write_log(Path("renamed.jsonl")) as file:
        file.writelines(resign(rewrite(lines, 0, data__seats=renamed)))
    assert himalaya("verify", "renamed.jsonl").code == 0, "the rules have nothing against it"
    answer = himalaya("verify", "renamed.jsonl", "--players")
    assert answer.code == 1
    told, last = answer.out.splitlines()[-2:]
    assert re.fullmatch(r"renamed\.jsonl:\d+: seq \d+: expected .*, the choice of random in seat 1, found .*", told)
    assert "clean" not in last
    assert "in 1 seat the player chose differently" in last


def test_an_unknown_player_file_is_refused(himalaya: Command) -> None:
    answer = himalaya("verify", "cup", "--player", "nowhere.py:First")
    assert answer.code == 2
    assert "nowhere.py: No such file" in answer.err


def test_a_log_for_rules_that_are_not_installed_is_not_judged(himalaya: Command) -> None:
    (log,) = Path("cup").glob("*.zst")
    lines = [line for line in read_lines(log) if b'"match":"cup.000000"' in line]
    with write_log(Path("newer.jsonl")) as file:
        file.write(b"".join(resign(rewrite(lines, 0, data__rules_version="7"))))
    answer = himalaya("verify", "newer.jsonl", "cup")
    assert answer.code == 1
    told, last = answer.out.splitlines()
    assert told == "newer.jsonl:1: rules_version: summit 1 is installed, found 7"
    assert re.fullmatch(r"4 matches, [\d,]+ events: 1 could not be checked", last)
