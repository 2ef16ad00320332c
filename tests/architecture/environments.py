"""Environments with only the wheel and its dependencies; no package index is needed for them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

__all__ = ["Environment", "extended", "made"]

ROOMS = ("himalaya_core", "ingest", "dashboards")
IN_TURN = """
import contextlib, io, json, sys
from himalaya_core.cli.main import main
answers = []
for arguments in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(arguments)
    answers.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(answers))
"""


class Answer(NamedTuple):
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Environment:
    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        (found,) = (self.folder / "lib").glob("python*/site-packages")
        return found

    def himalaya(self, *arguments: str, at: Path) -> subprocess.CompletedProcess[str]:
        """Run `himalaya` with arguments in a folder."""
        command = [str(self.folder / "bin" / "himalaya"), *arguments]
        return subprocess.run(command, check=False, cwd=at, env=self.variables, capture_output=True, text=True)

    def answers(self, *commands: Sequence[str], at: Path) -> list[Answer]:
        """Run several commands in a folder in one process, so that they share imports."""
        command = [str(self.python), "-P", "-c", IN_TURN, json.dumps(commands)]
        done = subprocess.run(command, check=False, cwd=at, env=self.variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return [Answer(*answer) for answer in json.loads(done.stdout)]

    def does(self, *commands: Sequence[str], at: Path) -> list[str]:
        """Run several commands in one process, all of which must succeed; return their output."""
        answers = self.answers(*commands, at=at)
        assert [(command, answer) for command, answer in zip(commands, answers, strict=True) if answer.code] == []
        return [answer.out for answer in answers]

    @property
    def variables(self) -> dict[str, str]:
        return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def made(folder: Path, wheel: Path) -> Environment:
    """Create an environment with the wheel installed; links its dependencies from the test environment."""
    environment = _empty(folder)
    install = [sys.executable, "-m", "pip", "--python", str(environment.python), "install", "--no-index", "--no-deps"]
    subprocess.run(
        [*install, "--no-compile", "--quiet", "--disable-pip-version-check", str(wheel)],
        check=True,
        capture_output=True,
    )
    _link_needed(environment)
    return environment


def extended(folder: Path, alone: Environment, *extras: str, rooms: Sequence[str] = ROOMS) -> Environment:
    """Copy an environment, adding extras and keeping only some packages of the wheel, without running pip again."""
    environment = _empty(folder)
    for installed in (*rooms, next(alone.packages.glob("himalaya_replay-*.dist-info")).name):
        (environment.packages / installed).symlink_to(alone.packages / installed)
    command = (alone.folder / "bin" / "himalaya").read_text()
    own = environment.folder / "bin" / "himalaya"
    own.write_text(command.replace(str(alone.folder), str(folder)))
    own.chmod(0o755)
    _link_needed(environment, *extras)
    return environment


def _empty(folder: Path) -> Environment:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return Environment(folder)


def _himalaya(environment: Environment) -> Distribution:
    (himalaya,) = distributions(name="himalaya-replay", path=[str(environment.packages)])
    return himalaya


def _link_needed(environment: Environment, *extras: str) -> None:
    for needed in _needed(_himalaya(environment), frozenset(extras), set()):
        for name in {Path(file).parts[0] for file in needed.files or ()} - {"..", "__pycache__"}:
            link = environment.packages / name
            if not link.exists():
                link.symlink_to(Path(str(needed.locate_file(name))))


def _needed(package: Distribution, extras: frozenset[str], seen: set[tuple[str, str]]) -> Iterator[Distribution]:
    """Yield all dependencies of a package, including indirect ones."""
    for line in package.requires or ():
        wanted = Requirement(line)
        if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in (*extras, "")):
            continue
        if (wanted.name, str(sorted(wanted.extras))) in seen:
            continue
        seen.add((wanted.name, str(sorted(wanted.extras))))
        found = package if wanted.name == package.name else distribution(wanted.name)
        if found is not package:
            yield found
        yield from _needed(found, frozenset(wanted.extras), seen)
