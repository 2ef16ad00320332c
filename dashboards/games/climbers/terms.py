"""What climbers calls the parts that all games have."""

from typing import Final

from dashboards.games.terms import Terms

__all__ = ["TERMS"]

TERMS: Final = Terms(
    "turn",
    "turns",
    "0 is the opening",
    40,
    (0, 10, 20, 30, 40),
    "Levels from the winner to the next-highest climber; 0 if level",
    {"highest": "highest alone", "earlier": "got there first", "table": "shared: nobody left the table"},
    {"ahead": "{winner} won by {gap} {unit}", "earlier": "{winner} won a tie for height by getting there first"},
)
