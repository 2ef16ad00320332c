-- agg_caravan_villages: one row per kind of seat, round and village: what such seats did there (cohort, round, village).
CREATE TABLE agg_caravan_villages (
    cohort INTEGER NOT NULL, -- the seats of one kind that the row sums up, a row of dim_cohorts
    round INTEGER NOT NULL, -- 0 is the set-up
    village INTEGER NOT NULL, -- number of the village
    arrivals INTEGER NOT NULL, -- as in fct_caravan_village_visits
    collected INTEGER NOT NULL, -- this and the next: trades, as in fct_caravan_trades
    delivered INTEGER NOT NULL,
    voided INTEGER NOT NULL,
    too_late INTEGER NOT NULL, -- of the voided ones
    contested INTEGER NOT NULL, -- rows of int_caravan_contests: rounds in which the seat and another went for what lay there
    stupas INTEGER NOT NULL, -- placed there
    stupa_levels INTEGER NOT NULL, -- sum of their levels
);

INSERT INTO agg_caravan_villages
WITH seats AS (
    FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL
),
counted AS ( -- each by itself, as few rows are left to bring together
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
