"""The tables of Caravan."""

from importlib.resources import files
from typing import Final

from ingest.tables.marts import Marts
from ingest.tables.promises import a_row_per_match, rows_per_seat

__all__ = ["CARAVAN"]

CARAVAN: Final = Marts(
    sql=files("ingest.sql.caravan"),
    renamed={"from": "from_village", "to": "to_village", "order": "order_id"},
    promises=(
        rows_per_seat("fct_seats", "caravan"),
        rows_per_seat("fct_standings", "caravan"),
        a_row_per_match("fct_courses", "caravan"),
    ),
    about="""\
Tables without the name of a game in theirs are of *caravan*. By how much a match was won stands in `dim_matches`, and
the figures that it ended with in `dim_seats`.
""",
)
