"""The course of matches: what happens in them, when they are decided, how often winners came back."""

from typing import Final

from dashboards.games.figure import Defined, Figure
from dashboards.games.shared.match_means import MatchMeans
from dashboards.games.shared.progress import comebacks, decisive_round
from dashboards.games.summit.figures.shared import COURSES, EVENTS

__all__ = ["COMEBACKS", "DECISIVE_THROW", "IN_A_MATCH"]

IN_A_MATCH: Final = MatchMeans(
    name="happenings",
    table=COURSES,
    kinds=("lead_changes", "take_alongs", "slides", "chases", "rerolls", "forfeits"),
    mean=Defined(
        "times_per_match",
        "Times per match",
        "Events per match: lead changes, Sherpas taken along, slides, chases by the Yeti, throws instead of taking the"
        " last die, and dice that move nothing. Lead change: before the next throw, a different seat would win than"
        " before the last.",
        "number / matches",
        "times per match",
    ),
    also="On average, Sherpas go along {take_alongs} times, slide {slides} times and are chased by the Yeti {chases}"
    " times.",
    called=EVENTS,
    in_a_line=3,
)
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
