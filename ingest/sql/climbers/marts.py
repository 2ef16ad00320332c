"""The tables of The Climbers."""

from importlib.resources import files
from typing import Final

from ingest.tables.marts import Marts, a_row_per_match, rows_per_seat

__all__ = ["CLIMBERS"]

CLIMBERS: Final = Marts(
    sql=files("ingest.sql.climbers"),
    promises=(
        rows_per_seat("fct_climbers_seats", "climbers"),
        rows_per_seat("fct_climbers_standings", "climbers"),
        a_row_per_match("fct_climbers_courses", "climbers"),
    ),
    margin="SELECT match_id, margin FROM fct_climbers_courses",
    margin_unit="levels",
    closeness="""
    SELECT
        match_id, CASE WHEN tie_break THEN 'earlier' ELSE 'ahead' END AS nearest, margin AS gap,
        CASE WHEN margin = 1 THEN 'level' ELSE 'levels' END AS unit, margin / 3 AS closeness
    FROM (FROM fct_climbers_courses SEMI JOIN batch USING (match_id))
    WHERE highest > 0
    """,
    endings="""
    SELECT
        match_id,
        CASE WHEN highest = 0 THEN 'table' WHEN tie_break THEN 'earlier' ELSE 'highest' END AS ending
    FROM fct_climbers_courses
    """,
    about="""\
A round is a turn, numbered from 1, with all that follows until the next; 0 is everything before the first.

A block or disc *hinders* a seat if it takes away a step: the seat's climber could enter some block right before it was
laid, but not right after. Height, colour, room and the ladders left decide that. The reason is that the block is
covered, taken away, higher or of another colour, out of reach, or blocked. The order of turns does not matter. A top
that other blocks cut in parts counts as one place, and so does all bare table. `fct_climbers_hindrances` has the seats
hindered and their hinderers. The heights of squares are in no table, as they follow from the places of the blocks.
""",
)
