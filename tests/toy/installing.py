"""Makes external packages available as if installed, in this and every child process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from himalaya_core.games import rescan

__all__ = ["TOY", "distribution", "installed"]

TOY: Final = Path(__file__).parent
"""Folder of the package `nim2`, a game with rules only."""


def distribution(folder: Path, name: str, entries: str, **modules: str) -> Path:
    """Write a package with entry points and modules into a folder, and return the folder."""
    about = folder / f"{name}-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(entries)
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)
    return folder


@contextmanager
def installed(*folders: Path) -> Iterator[None]:
    """Make the packages in these folders available while the block runs."""
    with pytest.MonkeyPatch.context() as patch:
        for folder in folders:
            patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, folders)), prepend=os.pathsep)
        rescan()
        yield
    rescan()
