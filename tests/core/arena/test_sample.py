"""The sample in `logs/` is what its commands still give, byte for byte."""

from pathlib import Path

import pytest

from himalaya_core.cli.main import main

ROOT = Path(__file__).parents[3]
README = (ROOT / "logs" / "README.md").read_text("utf-8")
COMMANDS = [line.split()[1:] for line in README.splitlines() if line.strip().startswith("himalaya tournament")]
LONG = ("sample-three", "sample-mixed", "sample-summit-three", "sample-summit-two", "sample-climbers-three")
"""Their players and rules are those of the others, or recorded in `golden/`."""


def name_of(command: list[str]) -> str:
    return command[command.index("--name") + 1]


@pytest.mark.parametrize(
    "command",
    [pytest.param(command, marks=pytest.mark.soak if name_of(command) in LONG else ()) for command in COMMANDS],
    ids=name_of,
)
def test_the_command_gives_the_sample(tmp_path: Path, command: list[str]) -> None:
    *words, folder = command
    assert main([*words, str(tmp_path), "--jobs", "2"]) == 0
    kept = {path.name: path.read_bytes() for path in (ROOT / folder).glob(f"{name_of(command)}[-.]*")}
    assert kept
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept
