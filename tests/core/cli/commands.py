"""The command `himalaya` run as a user would, with what it came to."""

from dataclasses import dataclass

import pytest

from himalaya_core.cli.main import main


@dataclass
class Answer:
    """What a command came to."""

    code: int
    out: str
    err: str


class Command:
    """Runs the command in its own folder."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> Answer:
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = int(str(stopped.code or 0))
        out, err = self.capsys.readouterr()
        return Answer(code, out, err)
