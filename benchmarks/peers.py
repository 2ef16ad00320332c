"""Other programs to compare with: each runs in its own cached environment and is never a dependency."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from measure import CACHE

__all__ = ["actions_per_second"]


def actions_per_second(peer: str, script: Path, words: Sequence[str]) -> float:
    """Run another program's script; return the `actions_per_s` in its last output line, which is JSON."""
    command = [str(_python(peer)), script.name, *words]
    answer = subprocess.run(command, cwd=script.parent, check=True, capture_output=True, text=True)
    return float(json.loads(answer.stdout.splitlines()[-1])["actions_per_s"])


def _python(peer: str) -> Path:
    """Return the Python interpreter of the other program's environment, creating it first if necessary."""
    folder = CACHE / peer
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", peer], check=True)
        (folder / "ready").touch()
    return python
