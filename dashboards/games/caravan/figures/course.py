"""The course of matches: what happens in them, when they are decided, how often winners came back."""

from typing import Final

from dashboards.games.caravan.figures.shared import COURSES
from dashboards.games.figure import Defined, Figure
from dashboards.games.shared.match_means import MatchMeans
from dashboards.games.shared.progress import comebacks, decisive_round

__all__ = ["COMEBACKS", "DECISIVE_ROUND", "IN_A_MATCH"]

IN_A_MATCH: Final = MatchMeans(
    name="courses",
    table=COURSES,
    kinds=("lead_changes", "contested_villages", "region_flips"),
    mean=Defined(
        "per_match",
        "Times per match",
        "Events per match. Lead change: the likely winner differs from that at the last round's end with a winner."
        " Contest: two or more want the same goods or order of a village in a round. Region: it passes from one leader"
        " to another.",
        "number / matches",
        "times per match",
    ),
    also="On average, there are {contested_villages} contests over a village, and a region changes hands {region_flips}"
    " times.",
    called={"contested_villages": "Contests over a village", "region_flips": "Regions changing hands"},
)
DECISIVE_ROUND: Final[Figure] = decisive_round("decisive-round", COURSES, "round")
COMEBACKS: Final[Figure] = comebacks(
    "comebacks",
    COURSES,
    "comeback_share",
    "What share of the player's wins were comebacks: had the match been scored at the end of some round from 6 on, a"
    " winner would have been eliminated.",
    "a winner would have been eliminated, had the match been scored after some round from 6 on",
)
