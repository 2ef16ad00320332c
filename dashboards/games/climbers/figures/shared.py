"""Shared by several figures of The Climbers: the tables that they count, and a sentence."""

from typing import Final

__all__ = ["COURSES", "NOBODY", "SEATS"]

SEATS: Final = "fct_climbers_seats"
"""A row per seat."""
COURSES: Final = "fct_climbers_courses"
"""A row per match."""
NOBODY: Final = "No climber was on any block under these filters."
