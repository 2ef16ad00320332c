"""Summit's terms, and the names of the tables that its figures use."""

from typing import Final

from dashboards.games.analytics import Terms

__all__ = ["COURSES", "EVENTS", "FIELDS", "SEATS", "TERMS"]


TERMS: Final = Terms(
    "throw",
    "throws",
    "0 is before the first",
    20,
    (0, 5, 10, 15, 20),
    "Fields from the climber of the winner to the next-highest; 0 if the win is shared",
    {"summit": "summit", "bad_weather": "bad weather"},
    {"ahead": "{winner} won by {gap} {unit}", "shared": "{winner} shared the win"},
    {
        "Throw": "All dice are thrown; players then take one at a time, until none is left.",
        "Climber, Sherpa": "A Sherpa moves by any die; the climber only onto a field with two of its Sherpas.",
        "Going along": "A Sherpa that comes to other Sherpas may move on as many fields as there are Sherpas there,"
        " and take others of the same owner with it.",
        "Yeti": "It sends back Sherpas that it comes upon, unless their climber is with them or they are in a camp.",
    },
    chance="dice",
)


SEATS: Final = "fct_summit_seats"
"""Table with one row per seat."""
COURSES: Final = "fct_summit_courses"
"""Table with one row per match."""
FIELDS: Final = "agg_summit_fields"
"""Table of sums by field: arrivals, and Sherpas sent back."""
EVENTS: Final = {"take_alongs": "Take-alongs", "slides": "Slides", "chases": "Chased by the Yeti"}
"""Labels of events in charts."""
