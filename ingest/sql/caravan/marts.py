"""The tables of Caravan, and the closeness of its matches."""

from importlib.resources import files
from typing import Final

from ingest.tables.marts import Marts, a_row_per_match, rows_per_seat

__all__ = ["CARAVAN", "CLOSENESS"]


CLOSENESS: Final = """
WITH seats AS (
    SELECT match_id, seat, won, religious, political, economic, eliminated_by
    FROM (FROM fct_caravan_seats SEMI JOIN batch USING (match_id))
    JOIN (FROM dim_seats SEMI JOIN batch USING (match_id)) USING (match_id, seat)
),
finals AS ( -- lowest of the winners, highest of the others
    SELECT
        match_id, count(*) FILTER (won) AS winners, count(*) AS players,
        min(religious) FILTER (won) AS religious, min(political) FILTER (won) AS political,
        min(economic) FILTER (won) AS economic,
        max(religious) FILTER (NOT won) AS next_religious,
        max(political) FILTER (NOT won) AS next_political,
        max(economic) FILTER (NOT won AND eliminated_by IS NULL) AS next_economic,
        min(political) FILTER (eliminated_by IS NULL) AS least_political
    FROM seats
    GROUP BY match_id
),
out AS (
    SELECT match_id, influence, value, margin, seat
    FROM fct_caravan_eliminations
    SEMI JOIN batch USING (match_id)
),
led AS ( -- winner by two influences without the most yaks, C-scoring.three
    FROM finals
    WHERE players = 3 AND winners = 1 AND religious > next_religious AND political > next_political
        AND economic <= next_economic
),
near AS (
    SELECT -- how close the winner was to being out instead, C-scoring.religious-out, C-scoring.political-out
        match_id, 'stayed' AS nearest, influence AS what,
        CASE influence WHEN 'religious' THEN religious ELSE political END - value AS gap
    FROM out
    JOIN finals USING (match_id)
    UNION ALL
    SELECT -- margin by which a seat with more yaks than the winner was out
        match_id, 'out', influence, CASE influence WHEN 'religious' THEN out.margin ELSE least_political - value END
    FROM out
    JOIN finals USING (match_id)
    JOIN (SELECT match_id, seat, economic AS yaks FROM seats) USING (match_id, seat)
    WHERE yaks > economic
    UNION ALL
    SELECT -- C-scoring.last, C-scoring.shared
        match_id, CASE WHEN winners > 1 THEN 'shared' ELSE 'ahead' END, 'yaks',
        CASE WHEN winners > 1 THEN 0 ELSE economic - next_economic END
    FROM finals
    WHERE winners > 1 OR players > 3 OR religious <= next_religious OR political <= next_political
    UNION ALL
    SELECT match_id, 'led', 'religious', religious - next_religious FROM led
    UNION ALL
    SELECT match_id, 'led', 'political', political - next_political FROM led
)
SELECT match_id, unnest(min({'closeness': closeness, 'nearest': nearest, 'gap': gap, 'unit': unit}))
FROM (
    SELECT
        match_id, nearest, gap, gap / CASE what WHEN 'yaks' THEN 12 ELSE 2 END AS closeness,
        CASE WHEN what <> 'yaks' THEN what || ' influence' WHEN gap = 1 THEN 'yak' ELSE 'yaks' END AS unit
    FROM near
    WHERE gap IS NOT NULL
)
GROUP BY match_id
"""
"""Query for `Marts.closeness`.

In half of the matches of built-in players, the gap to the nearest win was at most 12 yaks. Half of the eliminations
were by at most 2 influence. If a player led all three influences at a table of three, the match has no row, because no
single change would have altered the result.
"""


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
