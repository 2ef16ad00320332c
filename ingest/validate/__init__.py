"""Validation: checks that the lines are a log of a known game, and follow from its rules.

`pool` has chunks validated in processes, by `validation`. It decodes the lines (`decode`, with `line_prefix`,
`payload_cache` and `reader`) and cuts them into matches. It verifies each by the rules (`judged`) and passes on the
events of valid ones, by table (`events`). Importing this package takes no time, unlike its modules.
"""

import os
from typing import Final

__all__ = ["PROCESSES", "WORTHWHILE"]

PROCESSES: Final = min(3, os.cpu_count() or 1)
"""Processes that validate; one more process reads and loads."""
WORTHWHILE: Final = 32 << 20
"""Bytes to validate at which starting processes begins to pay."""
