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
    "The smallest change that would have made another player win: in the influence that kept the winner in, or in yaks",
    close={
        "ahead": "{winner} won by {gap} {unit}",
        "ahead tied": "{winner} was tied on yaks and won on the tie-break",
        "stayed": "{winner} escaped elimination by {gap} in {unit}",
        "stayed tied": "{winner} escaped elimination on a tie-break, tied on {unit}",
        "out": "a rival with more yaks than {winner} was eliminated by {gap} in {unit}",
        "out tied": "a rival with more yaks than {winner} was eliminated on a tie-break, tied on {unit}",
        "led": "{winner} won by leading in two influences, one of them by {gap} in {unit}",
        "shared": "{winner} shared the win",
    },
)
