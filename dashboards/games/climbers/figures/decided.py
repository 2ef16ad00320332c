"""When matches of The Climbers are decided, and who comes back."""

from typing import Final

from dashboards.games.climbers.figures.shared import COURSES
from dashboards.games.figure import Figure
from dashboards.games.shared.progress import comebacks, decisive_round

__all__ = ["COMEBACKS", "DECISIVE_TURN"]

DECISIVE_TURN: Final[Figure] = decisive_round("decisive-turn", COURSES, "turn")
COMEBACKS: Final[Figure] = comebacks(
    "from-last",
    COURSES,
    "from_last_share",
    "What share of the player's wins were comebacks: had the match ended after some turn of its second half, the last"
    " excepted, a winner would have come last.",
    "a winner was last after some turn in the second half of the match",
)
