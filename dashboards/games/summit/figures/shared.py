"""What several figures of summit share: the tables that they count, and names."""

from typing import Final

import polars as pl

__all__ = ["COURSES", "EVENTS", "FIELDS", "SEATS", "with_fields"]

SEATS: Final = "fct_summit_seats"
"""A row per seat."""
COURSES: Final = "fct_summit_courses"
"""A row per match."""
FIELDS: Final = "agg_summit_fields"
"""Arrivals on fields, and Sherpas sent back from them, added up."""
EVENTS: Final = {"take_alongs": "Take-alongs", "slides": "Slides", "chases": "Chased by the Yeti"}
"""What some events are called in drawings."""


def with_fields(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows of fields with what each is called inside a sentence, as `place`."""
    return frame.with_columns(pl.format("field {}", "field").alias("place"))
