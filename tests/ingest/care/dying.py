"""A process that kills itself at a moment, for tests of what it leaves behind."""

import os
import signal
from collections.abc import Callable
from itertools import count
from typing import Any, NoReturn

__all__ = ["die", "dying"]


def die(*_: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def dying(what: Callable[..., Any], number: int) -> Callable[..., Any]:
    """Return what does the same until it is called for the number-th time."""
    calls = count(1)
    return lambda *arguments: die() if next(calls) == number else what(*arguments)
