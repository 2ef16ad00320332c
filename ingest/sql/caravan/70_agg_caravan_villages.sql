-- agg_caravan_villages: one row per cohort, round and village: totals of what its seats did there (cohort, round, village).
CREATE TABLE agg_caravan_villages (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    round INTEGER NOT NULL, -- round of the match; 0 is the set-up
    village INTEGER NOT NULL, -- number of the village
    arrivals INTEGER NOT NULL, -- arrivals, see fct_caravan_village_visits
    collected INTEGER NOT NULL, -- cubes collected
    delivered INTEGER NOT NULL, -- orders delivered
    voided INTEGER NOT NULL, -- void trades
    too_late INTEGER NOT NULL, -- void trades that came too late
    contested INTEGER NOT NULL, -- contests, see int_caravan_contests
    stupas INTEGER NOT NULL, -- stupas placed
    stupa_levels INTEGER NOT NULL, -- sum of the levels of stupas placed
);

INSERT INTO agg_caravan_villages
WITH seats AS (
    FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL
),
counted AS ( -- aggregates each source before the union, so that few rows are combined
    SELECT cohort, round, village, count(*) AS arrivals, 0 AS collected, 0 AS delivered, 0 AS voided, 0 AS too_late,
        0 AS contested, 0 AS stupas, 0 AS stupa_levels
    FROM (FROM fct_caravan_village_visits SEMI JOIN batch USING (match_id))
    JOIN seats USING (match_id, seat)
    GROUP BY cohort, round, village
    UNION ALL
    SELECT cohort, round, village, 0, count(*), 0, 0, 0, 0, 0, 0
    FROM (FROM stg_caravan_collected SEMI JOIN batch USING (match_id))
    JOIN seats USING (match_id, seat)
    GROUP BY cohort, round, village
    UNION ALL
    SELECT cohort, round, village, 0, 0, count(*), 0, 0, 0, 0, 0
    FROM (FROM fct_caravan_deliveries SEMI JOIN batch USING (match_id))
    JOIN seats USING (match_id, seat)
    GROUP BY cohort, round, village
    UNION ALL
    SELECT cohort, round, village, 0, 0, 0, count(*), count(*) FILTER (too_late), 0, 0, 0
    FROM (FROM int_caravan_voided_trades SEMI JOIN batch USING (match_id))
    JOIN seats USING (match_id, seat)
    GROUP BY cohort, round, village
    UNION ALL
    SELECT cohort, round, village, 0, 0, 0, 0, 0, count(*), 0, 0
    FROM (FROM int_caravan_contests SEMI JOIN batch USING (match_id))
    JOIN seats USING (match_id, seat)
    GROUP BY cohort, round, village
    UNION ALL
    SELECT cohort, round, village, 0, 0, 0, 0, 0, 0, count(*), sum(level)
    FROM (FROM stg_caravan_stupa_placed SEMI JOIN batch USING (match_id))
    JOIN seats USING (match_id, seat)
    GROUP BY cohort, round, village
)
SELECT
    cohort, round, village, sum(arrivals) AS arrivals, sum(collected) AS collected, sum(delivered) AS delivered,
    sum(voided) AS voided, sum(too_late) AS too_late, sum(contested) AS contested, sum(stupas) AS stupas,
    sum(stupa_levels) AS stupa_levels
FROM counted
GROUP BY cohort, round, village;
