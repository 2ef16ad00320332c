"""Shared by several figures of caravan: its influences, the tables they count."""

from typing import Final

from dashboards.charts.lines import Course
from dashboards.games.figure import Row

__all__ = [
    "BY_INFLUENCE",
    "COURSES",
    "ELIMINATED_OVER",
    "ELIMINATIONS",
    "INFLUENCES",
    "SEATS",
    "of_influence",
]

INFLUENCES: Final = ("religious", "political", "economic")
"""In the order in which the final scoring counts them; by the first two seats are eliminated."""
SEATS: Final = "fct_caravan_seats"
"""One row per seat: all it did, and the influence that it ended with."""
COURSES: Final = "fct_caravan_courses"
"""One row per match: how often the lead and regions changed hands, when it was decided."""
ELIMINATIONS: Final = (
    "fct_caravan_eliminations e join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"
)
ELIMINATED_OVER: Final = {"religious": "religion", "political": "politics"}
"""Names of the influences that eliminate seats, as sentences use them."""
BY_INFLUENCE: Final = Course(
    key="influence",
    kinds=tuple((influence, influence.capitalize()) for influence in INFLUENCES),
    value="points",
    word="round",
    ticks=(1, 4, 8, 12),
    hues=lambda colours: colours.influences,
)
"""A panel for each influence."""


def of_influence(row: Row) -> dict[str, str]:
    """Say that a row counts seats eliminated by its influence."""
    return {"result": row["influence"]}
