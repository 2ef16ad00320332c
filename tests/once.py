"""Fixtures made once per run, by the process that needs them first: matches, warehouses, a wheel."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

__all__ = ["FOLDER", "once", "once_written"]

FOLDER: Final = "HIMALAYA_TESTS_SHARE"
"""Environment variable with the folder shared by a run's processes; the first process creates and removes it."""


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder filled by `make` in this or another process of the run; do not change it.

    Other processes wait until it is complete. Copy a database in it before opening it, as only one process at a time
    can open it.
    """
    own = factory.getbasetemp()
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder = run / "once" / name
    folder.mkdir(parents=True, exist_ok=True)
    made = folder.with_suffix(".made")
    with _locked(folder.with_suffix(".lock")):
        if not made.exists():
            make(folder)
            made.touch()
    return folder


def once_written(name: str, make: Callable[[], bytes]) -> bytes:
    """Return the bytes of `make`, called in this or another process of the run; usable at import time."""
    file = Path(os.environ[FOLDER]) / sha256(name.encode()).hexdigest()
    with _locked(file.with_suffix(".lock")):
        if not file.exists():
            part = file.with_suffix(".part")  # a process may be killed while writing
            part.write_bytes(make())
            part.rename(file)
    return file.read_bytes()


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
