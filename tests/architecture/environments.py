"""Environments that hold the wheel and what it asks for, and nothing else; no index of packages is needed for them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

__all__ = ["Environment", "made"]

IN_TURN = """
import json, sys
from himalaya_core.cli.main import main
for arguments in json.loads(sys.argv[1]):
    if main(arguments):
        sys.exit(f"{arguments} could not be done")
"""


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        (found,) = (self.folder / "lib").glob("python*/site-packages")
        return found

    def himalaya(self, *arguments: str, at: Path) -> subprocess.CompletedProcess[str]:
        """Run the command in a folder."""
        command = [str(self.folder / "bin" / "himalaya"), *arguments]
        return subprocess.run(command, check=False, cwd=at, env=self.variables, capture_output=True, text=True)

    def does(self, *commands: Sequence[str], at: Path) -> None:
        """Run several commands in a folder, one after the other in one process, which imports what they need once."""
        command = [str(self.python), "-P", "-c", IN_TURN, json.dumps(commands)]
        done = subprocess.run(command, check=False, cwd=at, env=self.variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    @property
    def variables(self) -> dict[str, str]:
        return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def made(folder: Path, wheel: Path, *extras: str) -> Environment:
    """Install the wheel; what it needs is linked from the environment that the tests run in."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    environment = Environment(folder)
    install = [sys.executable, "-m", "pip", "--python", str(environment.python), "install", "--no-index", "--no-deps"]
    subprocess.run(
        [*install, "--no-compile", "--quiet", "--disable-pip-version-check", str(wheel)],
        check=True,
        capture_output=True,
    )
    (himalaya,) = distributions(path=[str(environment.packages)])
    for needed in _needed(himalaya, frozenset(extras), set()):
        for name in {Path(file).parts[0] for file in needed.files or ()} - {"..", "__pycache__"}:
            link = environment.packages / name
            if not link.exists():
                link.symlink_to(Path(str(needed.locate_file(name))))
    return environment


def _needed(package: Distribution, extras: frozenset[str], seen: set[tuple[str, str]]) -> Iterator[Distribution]:
    """Yield what a package needs, its needs included."""
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
