"""Climbers' terms, and the names of the tables that its figures use."""

from typing import Final

from dashboards.games.analytics import Terms

__all__ = ["COURSES", "NOBODY", "SEATS", "TERMS"]


TERMS: Final = Terms(
    "turn",
    "turns",
    "0 is the opening",
    40,
    (0, 10, 20, 30, 40),
    "Levels from the winner to the next-highest climber; 0 if level",
    {"highest": "highest alone", "earlier": "got there first", "table": "shared: no climber left the table"},
    {"ahead": "{winner} won by {gap} {unit}", "earlier": "{winner} won a tie for height by getting there first"},
    {
        "Level": "Height of a climber, in halves of a cube; no climber ever goes down.",
        "Ladder": "The short one climbs two levels in one step, the long one up to four; a ladder used is gone.",
        "Disc": "Laid once in a match: no climber enters or passes that block until the disc owner's next turn.",
        "Step blocked": "A step a climber could have taken if another player had not just moved a block or laid a"
        " disc.",
    },
    chance="opening draws",
)


SEATS: Final = "fct_climbers_seats"
"""Table with one row per seat."""
COURSES: Final = "fct_climbers_courses"
"""Table with one row per match."""
NOBODY: Final = "No climber was on any block under these filters."
