-- agg_summit_fields: one row per cohort, throw and field: totals of what its pawns did there (cohort, round, field).
CREATE TABLE agg_summit_fields (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    round INTEGER NOT NULL, -- number of the throw
    field INTEGER NOT NULL, -- number of the field; 0 is the base camp
    climbers INTEGER NOT NULL, -- arrivals of climbers
    sherpas INTEGER NOT NULL, -- arrivals of Sherpas by a die or card
    alongs INTEGER NOT NULL, -- arrivals of Sherpas by a take-along
    slid INTEGER NOT NULL, -- Sherpas that slid down from there
    chased INTEGER NOT NULL, -- Sherpas chased from there
    fields_lost INTEGER NOT NULL, -- fields lost by slides and chases
    brought INTEGER NOT NULL, -- arrivals of Sherpas by a slide or chase
    resupplied INTEGER NOT NULL, -- supply cards taken back there
);

INSERT INTO agg_summit_fields
WITH seats AS (
    FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL
),
moves AS (
    SELECT cohort, round, piece, kind, from_field, to_field, fields
    FROM (FROM fct_summit_moves SEMI JOIN batch USING (match_id))
    JOIN seats USING (match_id, seat)
),
counted AS (
    SELECT
        cohort, round, to_field AS field,
        count(*) FILTER (piece = 'C') AS climbers,
        count(*) FILTER (piece <> 'C' AND kind IN ('forward', 'back')) AS sherpas,
        count(*) FILTER (kind IN ('went_on', 'taken_along')) AS alongs,
        0 AS slid, 0 AS chased, 0 AS fields_lost,
        count(*) FILTER (kind IN ('slid', 'chased')) AS brought, 0 AS resupplied
    FROM moves
    GROUP BY cohort, round, to_field
    UNION ALL
    SELECT
        cohort, round, from_field, 0, 0, 0, count(*) FILTER (kind = 'slid'), count(*) FILTER (kind = 'chased'),
        -sum(fields), 0, 0
    FROM moves
    WHERE kind IN ('slid', 'chased')
    GROUP BY cohort, round, from_field
    UNION ALL
    SELECT cohort, round, camp, 0, 0, 0, 0, 0, 0, 0, count(*)
    FROM (FROM stg_summit_resupplied SEMI JOIN batch USING (match_id))
    JOIN seats USING (match_id, seat)
    GROUP BY cohort, round, camp
)
SELECT
    cohort, round, field, sum(climbers) AS climbers, sum(sherpas) AS sherpas, sum(alongs) AS alongs,
    sum(slid) AS slid, sum(chased) AS chased, sum(fields_lost) AS fields_lost, sum(brought) AS brought,
    sum(resupplied) AS resupplied
FROM counted
GROUP BY cohort, round, field;
