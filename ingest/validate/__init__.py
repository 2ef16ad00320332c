"""Whether what was read is a log of its game, by its rules. Importing this takes no time, unlike its modules."""

import os
from typing import Final

__all__ = ["PROCESSES", "WORTHWHILE"]

PROCESSES: Final = min(3, os.cpu_count() or 1)
"""Processes that check lines; one more reads and loads."""
WORTHWHILE: Final = 32 << 20
"""Bytes to validate from which on starting processes pays."""
