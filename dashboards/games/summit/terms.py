"""What summit calls the parts that all games have."""

from typing import Final

from dashboards.games.terms import Terms

__all__ = ["TERMS"]

TERMS: Final = Terms(
    "throw",
    "throws",
    "0 is before the first",
    20,
    (0, 5, 10, 15, 20),
    "Fields from the climber of the winner to the next-highest; 0 if the win is shared",
    {"summit": "summit", "bad_weather": "bad weather"},
    {"ahead": "{winner} won by {gap} {unit}", "shared": "{winner} shared the win"},
)
