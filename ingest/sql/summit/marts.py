"""The tables of Summit."""

from importlib.resources import files
from typing import Final

from ingest.tables.marts import Marts, a_row_per_match, rows_per_seat

__all__ = ["SUMMIT"]

SUMMIT: Final = Marts(
    sql=files("ingest.sql.summit"),
    renamed={"from": "from_field", "to": "to_field", "values": "faces"},
    promises=(
        rows_per_seat("fct_summit_seats", "summit"),
        rows_per_seat("fct_summit_standings", "summit"),
        a_row_per_match("fct_summit_courses", "summit"),
    ),
    margin="SELECT match_id, margin FROM fct_summit_courses",
    margin_unit="fields",
    closeness="""
    SELECT match_id, nearest, gap, CASE WHEN gap = 1 THEN 'field' ELSE 'fields' END AS unit, gap / 12 AS closeness
    FROM (
        SELECT
            match_id, CASE WHEN count(*) FILTER (won) > 1 THEN 'shared' ELSE 'ahead' END AS nearest,
            CASE WHEN count(*) FILTER (won) > 1 THEN 0 ELSE max(climber) - max(climber) FILTER (NOT won) END AS gap
        FROM (FROM fct_summit_seats SEMI JOIN batch USING (match_id))
        JOIN (FROM dim_seats SEMI JOIN batch USING (match_id)) USING (match_id, seat)
        GROUP BY match_id
        HAVING max(climber) > 0 -- else no climber has moved, and Sherpas decide
    )
    """,
    endings="SELECT match_id, CAST(ending AS VARCHAR) AS ending FROM fct_summit_courses",
    about="""\
A round is a throw of the dice, numbered from 1, with all that follows until the next; 0 is everything before the first.

All seats choose from the dice of one throw, in turn. So the pips of a seat's dice (`pips` in `fct_summit_seats`) are
split into chance and choices. The parts for each die are:

- 3.5, the mean of a fair die;
- the mean of the throw above that (`dice_luck`);
- the mean of the dice left by the others above the mean of the throw (`dice_left`, mostly negative for late seats);
- the die taken above the mean of the dice left (`dice_choice`).

The four add up exactly. A high die is not always the better one: the columns after those have the effects of the dice.
""",
)
