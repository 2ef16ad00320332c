"""Runs the command `himalaya` as a user would, and returns its result."""

from dataclasses import dataclass

import pytest

from himalaya_core.cli.main import main


@dataclass
class Answer:
    code: int
    out: str
    err: str


class Command:
    """Runs `himalaya` in its own folder."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> Answer:
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = int(str(stopped.code or 0))
        out, err = self.capsys.readouterr()
        return Answer(code, out, err)
