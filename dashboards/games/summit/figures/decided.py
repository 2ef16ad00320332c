"""When matches of summit are decided, and who comes back."""

from typing import Final

from dashboards.games.figure import Figure
from dashboards.games.shared.progress import comebacks, decisive_round
from dashboards.games.summit.figures.shared import COURSES

__all__ = ["COMEBACKS", "DECISIVE_THROW"]

DECISIVE_THROW: Final[Figure] = decisive_round("decisive-throw", COURSES, "throw")
COMEBACKS: Final[Figure] = comebacks(
    "from-behind",
    COURSES,
    "behind_share",
    "What share of the player's wins were from behind: had the match been scored before some later throw in its second"
    " half, a winner would have come last.",
    "a winner was last before some throw in the second half of the match",
    "From behind",
)
