"""What caravan calls the parts that all games have."""

from typing import Final

from dashboards.games.terms import Terms

__all__ = ["TERMS"]

TERMS: Final = Terms(
    "round",
    "rounds",
    "0 is the set-up",
    12,
    (0, 3, 6, 9, 12),
    "Yaks of the winner less the most of the others still in; three can win with fewer",
    "yak",
)
