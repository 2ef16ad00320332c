"""When matches of caravan are decided, and who comes back."""

from typing import Final

from dashboards.games.caravan.figures.shared import COURSES
from dashboards.games.figure import Figure
from dashboards.games.shared.progress import comebacks, decisive_round

__all__ = ["COMEBACKS", "DECISIVE_ROUND"]

DECISIVE_ROUND: Final[Figure] = decisive_round("decisive-round", COURSES, "round")
COMEBACKS: Final[Figure] = comebacks(
    "comebacks",
    COURSES,
    "comeback_share",
    "What share of the player's wins were comebacks: had the match been scored at the end of some round from 6 on, a"
    " winner would have been eliminated.",
    "a winner would have been eliminated, had the match been scored after some round from 6 on",
)
