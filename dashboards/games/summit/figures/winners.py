"""Differences between winners and losers."""

from typing import Final

from dashboards.games.shared.winners_vs_losers import winners_apart
from dashboards.games.summit.figures.shared import EVENTS, SEATS
from dashboards.games.summit.figures.turns import FRACTION, PIPS

__all__ = ["WINNERS"]


def _times(kind: str, called: str) -> tuple[str, str]:
    return f"{FRACTION} * f.{kind}", called


WINNERS: Final = winners_apart(
    "winners",
    SEATS,
    {
        "dice_luck": (PIPS["luck"], "Luck of the throws, pips"),
        "dice_left": (PIPS["left"], "What others left, pips"),
        "dice_choice": (PIPS["choice"], "Own choice, pips"),
        "unused_pips": (PIPS["unused"], "Pips not used"),
        "climber_moves": _times("climber_moves", "Moves of the climber"),
        **{kind: _times(kind, called) for kind, called in EVENTS.items()},
        "cards_played": _times("cards_played", "Supply cards played"),
    },
    FRACTION,
)
