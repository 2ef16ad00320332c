"""Validation: checks that lines are a complete log of a known game and follow from its rules.

`pool` distributes chunks among processes, which run `validation`. That module decodes the lines (`decode`, with
`line_prefix`, `payload_cache` and `reader`) and groups them into matches. It verifies each match by the rules
(`after_load`), and returns the events of valid matches by table. Importing this package is fast, but importing its
modules is slow.
"""

import os
from typing import Final

__all__ = ["PROCESSES", "WORTHWHILE"]

PROCESSES: Final = min(3, os.cpu_count() or 1)
"""Default number of processes that validate, in addition to the process that reads and loads."""
WORTHWHILE: Final = 32 << 20
"""Minimum bytes of logs for which starting worker processes saves time."""
