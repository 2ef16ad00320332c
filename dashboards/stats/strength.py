"""The figures of strength by name: each a function from a frame of results (`results.py`) to a frame, in its own file.

What their columns mean stands in `metrics.py`, once for pages, reports, the command line and the glossary.
"""

from collections.abc import Callable
from typing import Final

import polars as pl

from dashboards.stats.head_to_head import head_to_head
from dashboards.stats.paired import paired
from dashboards.stats.placement import placement
from dashboards.stats.ratings import ratings
from dashboards.stats.seats import seat_effect
from dashboards.stats.win_share import win_share

__all__ = ["STRENGTH"]

STRENGTH: Final[dict[str, Callable[[pl.DataFrame], pl.DataFrame]]] = {
    "win-share": win_share,
    "ratings": ratings,
    "head-to-head": head_to_head,
    "placement": placement,
    "seat-effect": seat_effect,
    "paired": paired,
}
