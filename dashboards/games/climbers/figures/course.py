"""The course of matches: what happens in them, when they are decided, how often winners came back."""

from typing import Final

from dashboards.games.climbers.figures.shared import COURSES
from dashboards.games.figure import Defined, Figure
from dashboards.games.shared.match_means import MatchMeans
from dashboards.games.shared.progress import comebacks, decisive_round

__all__ = ["COMEBACKS", "DECISIVE_TURN", "IN_A_MATCH"]

IN_A_MATCH: Final = MatchMeans(
    name="in-a-match",
    table=COURSES,
    kinds=("lead_changes", "steps", "rises", "ladders", "blocks_moved", "discs", "hindrances"),
    mean=Defined(
        "happens",
        "Times per match",
        "Events per match: lead changes, steps, rises, ladders spent, blocks moved, discs laid, and steps taken away"
        " from a seat. Lead change: the likely winner differs from that a turn before.",
        "number / matches",
        "times per match",
    ),
    also="On average, climbers rise {rises} times, {ladders} ladders are spent, {blocks_moved} blocks are moved, and a"
    " step is taken away {hindrances} times.",
    in_a_line=4,
)
DECISIVE_TURN: Final[Figure] = decisive_round("decisive-turn", COURSES, "turn")
COMEBACKS: Final[Figure] = comebacks(
    "from-last",
    COURSES,
    "from_last_share",
    "What share of the player's wins were comebacks: had the match ended after some turn of its second half, the last"
    " excepted, a winner would have come last.",
    "a winner was last after some turn in the second half of the match",
)
