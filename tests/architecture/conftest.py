"""The wheel that a user installs, built once."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.once import once

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def build(folder: Path) -> None:
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)

    (made,) = once(tmp_path_factory, "wheel", build).glob("*.whl")
    return made
