"""Validation: whether what was read is a log of its game, and follows from its rules.

`pool` has chunks validated in processes, by `validation`: it decodes the lines (`decode`, with `line_prefix`,
`payload_cache` and `reader`), cuts them into matches, verifies each by the rules (`judged`) and hands on the events of
valid ones, by table (`events`). Importing this package takes no time, unlike its modules.
"""

import os
from typing import Final

__all__ = ["PROCESSES", "WORTHWHILE"]

PROCESSES: Final = min(3, os.cpu_count() or 1)
"""Processes that validate; one more reads and loads."""
WORTHWHILE: Final = 32 << 20
"""Bytes to validate from which on starting processes pays."""
