"""Shared by several figures of summit: the tables that they count, and names."""

from typing import Final

__all__ = ["COURSES", "EVENTS", "FIELDS", "SEATS"]

SEATS: Final = "fct_summit_seats"
"""A row per seat."""
COURSES: Final = "fct_summit_courses"
"""A row per match."""
FIELDS: Final = "agg_summit_fields"
"""Arrivals on fields, and Sherpas sent back from them, added up."""
EVENTS: Final = {"take_alongs": "Take-alongs", "slides": "Slides", "chases": "Chased by the Yeti"}
"""Names of events in charts."""
