"""Looking for garbage seldom: a match makes thousands of objects that stay until it is over, without a cycle."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["seldom_collected"]

THRESHOLDS: Final = (50_000, 20, 100)
"""New objects after which the youngest are looked at, and how often until older ones are: players may make cycles."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Have garbage collected seldom within the block; what has no cycle goes as always."""
    before = gc.get_threshold()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
