"""What is made once in a run, whichever of its processes asks first: matches, warehouses, a wheel."""

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
"""The variable of the environment with the folder that the processes of a run share; the first makes and removes it."""


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that `make` has filled, in this process or in another of the run; it must not be changed.

    Other processes wait until it is made. A database in it is to be copied: only one process at a time can open it.
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
    """Return the bytes that `make` returned, in this process or in another of the run; modules may ask as they load."""
    file = Path(os.environ[FOLDER]) / sha256(name.encode()).hexdigest()
    with _locked(file.with_suffix(".lock")):
        if not file.exists():
            part = file.with_suffix(".part")  # a process may be killed as it writes
            part.write_bytes(make())
            part.rename(file)
    return file.read_bytes()


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
