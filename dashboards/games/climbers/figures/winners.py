"""Differences between winners and losers."""

from typing import Final

from dashboards.games.climbers.figures.shared import SEATS
from dashboards.games.shared.winners_vs_losers import winners_apart

__all__ = ["MORE_OF"]

MORE_OF: Final = winners_apart(
    "more-of",
    SEATS,
    {
        "steps_own": ("f.steps_own", "Steps in own turns"),
        "steps_others": ("f.steps_others", "Steps after others' turns"),
        "levels_others": ("f.levels_others", "Levels after others' turns"),
        "levels_by_ladder": ("f.levels_by_ladder", "Levels by ladders"),
        "ladders_left": ("f.ladders_left", "Ladders left"),
        "blocks_moved": ("f.blocks_moved", "Blocks moved"),
        "blocks_turned": ("f.blocks_turned", "Blocks turned in place"),
        "hindered": ("f.hindered", "Steps blocked"),
        "hindering": ("f.hindering", "Blocking others"),
        "discs_laid": ("f.disc_used::int", "Discs laid"),
    },
)
