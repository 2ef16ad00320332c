"""What winners have more of than losers."""

from functools import partial
from typing import Final

import polars as pl

from dashboards.games.climbers.figures.shared import SEATS
from dashboards.games.figure import BY_OUTCOME, Figure, of_wins
from dashboards.games.shared.winners_vs_losers import (
    WINNER_COLUMNS,
    draw_winner_differences,
    winner_differences,
    winner_finding,
)
from dashboards.stats.metric import Metric
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "more_of"]

AMOUNTS: Final = {
    kind: f"f.{kind}"
    for kind in (
        *("steps_own", "steps_others", "levels_others", "levels_by_ladder", "ladders_left", "blocks_moved"),
        *("blocks_turned", "hindered", "hindering"),
    )
} | {"discs_laid": "f.disc_used::int"}
"""What winners may have more of than losers."""
CALLED: Final = {
    "steps_own": "Steps in own turns",
    "steps_others": "Steps after others' turns",
    "levels_others": "Levels after others' turns",
    "levels_by_ladder": "Levels by ladders",
    "ladders_left": "Ladders left",
    "blocks_moved": "Blocks moved",
    "blocks_turned": "Blocks turned in place",
    "hindered": "Steps blocked",
    "hindering": "Blocking others",
    "discs_laid": "Discs laid",
}


def more_of(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, won_mean, lost_mean, groups, winner_difference`, its bounds, `_p`, `_holm`."""
    return winner_differences(reader, SEATS, where, AMOUNTS)


METRICS: Final[tuple[Metric, ...]] = ()
FIGURE: Final = Figure(
    "more-of",
    "What sets winners apart",
    "why",
    more_of,
    WINNER_COLUMNS,
    winner_finding,
    BY_OUTCOME,
    is_wide=True,
    narrows=of_wins,
    draw=partial(draw_winner_differences, CALLED),
    metrics=METRICS,
)
