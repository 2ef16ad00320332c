"""A process that kills itself at a given moment, to test what it leaves behind.

Child processes import this module again, so it imports little.
"""

import os
import signal
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

__all__ = ["die", "dies", "dies_once", "dying", "sleeps"]


def die(*_: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def dying(what: Callable[..., Any], number: int) -> Callable[..., Any]:
    """Wrap a function so that the process dies at the given call of it."""
    calls = count(1)
    return lambda *arguments: die() if next(calls) == number else what(*arguments)


def dies_once(place: Path) -> str:
    """Die at the first call; return normally at the second."""
    try:
        place.touch(exist_ok=False)
    except FileExistsError:
        return place.name
    die()


def dies(_: Path) -> str:
    die()


def sleeps(place: Path) -> None:
    place.write_text(str(os.getpid()))
    time.sleep(600)
