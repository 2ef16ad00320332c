"""Assertions on the tables of reviews, for `himalaya check`; see `ingest.maintenance.integrity`."""

from typing import Final

from ingest.tables.marts import Promise

__all__ = ["OF_REVIEWS"]

ROUNDED: Final = 0.0001
"""Tolerance for win probabilities, which are stored with four decimals."""
SHARES: Final = """
SELECT match_id, seat, CASE WHEN won THEN 1 / count(*) FILTER (won) OVER (PARTITION BY match_id) ELSE 0 END AS share
FROM dim_seats
"""
TURNED: Final = """
SELECT match_id, lowest, rival, min(chance) FILTER (won AND late) AS low, max(chance) FILTER (NOT won AND late) AS high
FROM (
    SELECT match_id, seat, chance,
        row_number() OVER in_order > count(*) OVER (PARTITION BY match_id, seat) // 2 AS late
    FROM fct_values WINDOW in_order AS (PARTITION BY match_id, seat ORDER BY seq)
) JOIN dim_seats USING (match_id, seat) JOIN dim_reviews USING (match_id)
GROUP BY match_id, lowest, rival, decided_round
HAVING count(DISTINCT seat) FILTER (won) = 1 OR decided_round IS NOT NULL
"""
VALUED: Final = "SELECT match_id, model FROM dim_reviews WHERE not_valued IS NULL"

OF_REVIEWS: Final = (
    Promise(
        "dim_reviews",
        "only finished matches with the verdict clean",
        """
        SELECT 'match_id ' || match_id AS example FROM dim_reviews JOIN dim_matches USING (match_id)
        WHERE status <> 'finished' OR verdict <> 'clean'
        """,
        by_row=True,
    ),
    Promise(
        "fct_values",
        "the reviewed matches and no others, each with its model",
        f"""
        WITH valued AS ({VALUED}), found AS (SELECT DISTINCT match_id, model FROM fct_values)
        SELECT 'match_id ' || match_id AS example
        FROM (FROM valued EXCEPT FROM found UNION ALL (FROM found EXCEPT FROM valued))
        """,
    ),
    Promise(
        "fct_values",
        "a chance for each seat after a decision; they sum to one",
        """
        SELECT format('match_id {}, seq {}', match_id, seq) AS example FROM fct_values JOIN dim_matches USING (match_id)
        GROUP BY match_id, seq, players
        HAVING count(*) <> players OR min(chance) < 0 OR abs(sum(chance) - 1) > 1e-9
        """,
        by_row=True,
    ),
    Promise(
        "fct_values",
        "the outcome after the last decision",
        f"""
        SELECT format('match_id {{}}, seat {{}}', match_id, seat) AS example
        FROM (SELECT match_id, seat, arg_max(chance, seq) AS last FROM fct_values GROUP BY ALL)
        JOIN ({SHARES}) USING (match_id, seat) WHERE abs(last - share) >= {ROUNDED}
        """,
        by_row=True,
    ),
    Promise(
        "fct_playouts",
        "a share of the wins for each seat after a decision; they sum to one, and the last are the outcome",
        f"""
        SELECT format('match_id {{}}', match_id) AS example
        FROM fct_playouts AS played LEFT JOIN ({SHARES}) USING (match_id, seat)
        WINDOW of_match AS (PARTITION BY match_id)
        QUALIFY abs(sum(chance) OVER (PARTITION BY match_id, seq) - 1) > 1e-9
            OR coalesce(seq = max(seq) OVER of_match AND abs(chance - share) > 1e-9, true)
        """,
    ),
    Promise(
        "dim_reviews",
        "the winner's lowest chance in the second half, and the highest of another seat",
        f"""
        SELECT 'match_id ' || match_id AS example FROM ({TURNED})
        WHERE coalesce(greatest(abs(lowest - low), abs(rival - high)), 1) >= {ROUNDED}
        """,
        by_row=True,
    ),
    Promise(
        "fct_moments",
        "key moments of reviewed matches, numbered from 1, none smaller than the model's error",
        f"""
        SELECT format('match_id {{}}, number {{}}', match_id, max(number)) AS example
        FROM fct_moments LEFT JOIN (FROM dim_reviews SEMI JOIN ({VALUED}) USING (match_id)) USING (match_id)
        GROUP BY match_id
        HAVING max(number) <> count(*) OR min(number) <> 1 OR max(since - seq) >= 0
            OR min(greatest(abs(swing), cost) - calibration_error) < 0 OR count(calibration_error) = 0
        """,
        by_row=True,
    ),
    Promise(
        "fct_causes",
        "amounts that add up, with the first chances, to the outcome of each seat",
        f"""
        SELECT format('match_id {{}}, seat {{}}', match_id, seat) AS example
        FROM ({SHARES}) SEMI JOIN fct_causes USING (match_id)
        LEFT JOIN (SELECT match_id, seat, arg_min(chance, seq) AS first FROM fct_values GROUP BY ALL)
            USING (match_id, seat)
        LEFT JOIN (SELECT match_id, seat, sum(amount) AS changed FROM fct_causes GROUP BY ALL) USING (match_id, seat)
        WHERE coalesce(abs(first + changed - share), 1) >= {ROUNDED}
        """,
        by_row=True,
    ),
    Promise(
        "fct_seat_causes",
        "the sums of fct_causes over all rounds of a seat",
        """
        SELECT format('match_id {}, seat {}', match_id, seat) AS example
        FROM (SELECT match_id, seat, cause, sum(amount) AS summed FROM fct_causes GROUP BY ALL)
        FULL JOIN fct_seat_causes USING (match_id, seat, cause)
        WHERE coalesce(abs(summed - amount), 1) > 1e-9
        """,
        by_row=True,
    ),
)
