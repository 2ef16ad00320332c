"""The tables of Caravan."""

from importlib.resources import files
from typing import Final

from ingest.sql.caravan.closeness import CLOSENESS
from ingest.tables.marts import Marts
from ingest.tables.promises import a_row_per_match, rows_per_seat

__all__ = ["CARAVAN"]

CARAVAN: Final = Marts(
    sql=files("ingest.sql.caravan"),
    renamed={"from": "from_village", "to": "to_village", "order": "order_id"},
    promises=(
        rows_per_seat("fct_caravan_seats", "caravan"),
        rows_per_seat("fct_caravan_standings", "caravan"),
        a_row_per_match("fct_caravan_courses", "caravan"),
    ),
    margin="SELECT match_id, margin FROM fct_caravan_courses",
    margin_unit="yaks",
    closeness=CLOSENESS,
    seat_endings="SELECT match_id, seat, influence AS ending FROM fct_caravan_eliminations",
    about="""\
A round is one of the twelve of the game; 0 is the set-up. Arrivals of winners by village, of one player and in the
first four rounds, say:

```sql
SELECT village, sum(arrivals) FROM agg_caravan_villages JOIN dim_cohorts USING (cohort)
WHERE player = 'trader' AND won AND round BETWEEN 1 AND 4 GROUP BY village
```
""",
)
