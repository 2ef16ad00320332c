"""A process that kills itself at a given moment, for tests of what it leaves behind.

Processes import this module again, so it imports little.
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
    """Return a function that dies when called for the number-th time."""
    calls = count(1)
    return lambda *arguments: die() if next(calls) == number else what(*arguments)


def dies_once(place: Path) -> str:
    """Die the first time; return normally the second time."""
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
