"""`himalaya players` lists the names that `--players` accepts."""

from pathlib import Path

import pytest

from himalaya_core.players import PLAYERS
from tests.core.cli.commands import Command
from tests.toy.installing import distribution, installed

MODULE = """
class Lazy:
    \"\"\"Takes the first legal action.

    Never looks at the rest.
    \"\"\"

    name, version, params = "lazy", "1", {"calm": True, "patience": 3}

    def __init__(self, seed="", settings=None):
        pass
"""


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def test_every_player_of_every_game_is_listed_with_its_settings(himalaya: Command) -> None:
    listed = himalaya("players").out
    for game, players in PLAYERS.items():
        part = listed.partition(f"{game}\n")[2].partition("\n\n")[0]
        words = " ".join(part.split())
        assert [line.split()[0] for line in part.splitlines() if line[:3].strip()] == list(players)
        for name, make in players.items():
            assert all(f"{key}={value}" in words for key, value in make("", {}).params.items()), name


def test_the_players_of_one_game_are_listed_alone(himalaya: Command) -> None:
    listed = himalaya("players", "summit").out
    assert listed.startswith("summit\n  random  ")
    assert "caravan" not in listed
    refused = himalaya("players", "sumit")
    assert (refused.code, refused.out) == (2, "")
    assert "did you mean 'summit'?" in refused.err


def test_a_player_from_another_package_is_listed_by_the_first_line_of_its_docstring(
    tmp_path: Path, himalaya: Command
) -> None:
    entries = "[himalaya.players]\nsummit:lazy = lazy:Lazy\n"
    with installed(distribution(tmp_path / "lazy", "lazy", entries, lazy=MODULE)):
        rows = [line.strip() for line in himalaya("players", "summit").out.splitlines()]
    place = next(number for number, row in enumerate(rows) if row.startswith("lazy "))
    assert rows[place].split("  ")[-1] == "Takes the first legal action."
    assert rows[place + 1] == "settings: calm=true, patience=3"
