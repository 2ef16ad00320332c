"""The sample logs in `logs/` can be reproduced byte for byte with their commands."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.cli.main import main
from himalaya_core.files import read_lines
from himalaya_core.tournament.manifest import BEGINNING

ROOT = Path(__file__).parents[3]
README = (ROOT / "logs" / "README.md").read_text("utf-8")
COMMANDS = [line.split()[1:] for line in README.splitlines() if line.strip().startswith("himalaya tournament")]
WHOLE = "sample-three"
"""The tournament that this test plays completely; other tests cover the rest."""
QUICK = ("sample-three", "sample-summit-two")
LONG = ("sample-summit-three", "sample-climbers-three")
"""Tournaments that this test does not play; other tests or `golden/` cover their players and rules."""


def contents(path: Path) -> Any:
    """Return the bytes of a log, or the content of a manifest without versions and sources."""
    if path.suffix != ".json":
        return path.read_bytes()
    said = json.loads(path.read_text())
    shards = [{key: value for key, value in shard.items() if key not in BEGINNING} for shard in said["shards"]]
    return {key: value for key, value in said.items() if key not in BEGINNING} | {"shards": shards}


def name_of(command: list[str]) -> str:
    return command[command.index("--name") + 1]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            command,
            marks=pytest.mark.slow("plays a whole sample tournament")
            if name_of(command) == WHOLE
            else pytest.mark.soak("plays every sample tournament again"),
        )
        for command in COMMANDS
    ],
    ids=name_of,
)
def test_the_command_reproduces_the_sample(tmp_path: Path, command: list[str]) -> None:
    *words, folder = command
    assert main([*words, str(tmp_path), "--jobs", "2"]) == 0
    kept = {path.name: contents(path) for path in (ROOT / folder).glob(f"{name_of(command)}[-.]*")}
    assert kept
    assert {path.name: contents(path) for path in tmp_path.iterdir()} == kept


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(each, marks=() if name_of(each) in QUICK else pytest.mark.soak("golden digests hold each player"))
        for each in COMMANDS
        if name_of(each) not in LONG
    ],
    ids=name_of,
)
def test_the_first_matches_of_the_sample_are_reproduced(tmp_path: Path, command: list[str]) -> None:
    """Enough matches to have each player in each seat."""
    *words, folder = command
    players = words[words.index("--players") + 1].split(",")
    words[words.index("--matches") + 1] = str(len(players))
    assert main([*words, str(tmp_path), "--jobs", "1"]) == 0
    (played,) = tmp_path.glob("*.zst")
    lines = list(read_lines(played))
    assert lines == list(islice(read_lines(ROOT / folder / played.name), len(lines)))
    assert len(lines) > 100
