"""What winners have more of than losers."""

from functools import partial
from typing import Final

import polars as pl

from dashboards.games.figure import BY_OUTCOME, Figure, of_wins
from dashboards.games.shared.winners_vs_losers import (
    WINNER_COLUMNS,
    draw_winner_differences,
    winner_differences,
    winner_finding,
)
from dashboards.games.summit.figures.dice import FRACTION, PIPS
from dashboards.games.summit.figures.shared import EVENTS, SEATS
from dashboards.stats.metric import Metric
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "winners"]

AMOUNTS: Final = {
    "dice_luck": PIPS["luck"],
    "dice_left": PIPS["left"],
    "dice_choice": PIPS["choice"],
    "unused_pips": PIPS["unused"],
    **{kind: f"{FRACTION} * f.{kind}" for kind in ("climber_moves", "take_alongs", "slides", "chases", "cards_played")},
}
"""What winners may have more of than losers, in parts of a pip (`FRACTION`) or as often as that."""
CALLED: Final = EVENTS | {
    "dice_luck": "Luck of the throws, pips",
    "dice_left": "What others left, pips",
    "dice_choice": "Own choice, pips",
    "unused_pips": "Pips not used",
    "climber_moves": "Moves of the climber",
    "cards_played": "Supply cards played",
}


def winners(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, won_mean, lost_mean, groups, winner_difference`, its bounds, `_p`, `_holm`."""
    return winner_differences(reader, SEATS, where, AMOUNTS, FRACTION)


METRICS: Final[tuple[Metric, ...]] = ()
FIGURE: Final = Figure(
    "winners",
    "What sets winners apart",
    "why",
    winners,
    WINNER_COLUMNS,
    winner_finding,
    BY_OUTCOME,
    is_wide=True,
    narrows=of_wins,
    draw=partial(draw_winner_differences, CALLED),
    metrics=METRICS,
)
