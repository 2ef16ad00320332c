-- agg_villages: one row per kind of seat, round and village: what such seats did there (cohort, round, village).
CREATE TABLE agg_villages (
    cohort INTEGER NOT NULL,
    round INTEGER NOT NULL, -- 0 is the set-up
    village INTEGER NOT NULL,
    arrivals INTEGER NOT NULL, -- as in fct_village_visits
    collected INTEGER NOT NULL, -- this and the next: trades, as in fct_trades
    delivered INTEGER NOT NULL,
    voided INTEGER NOT NULL,
    too_late INTEGER NOT NULL, -- of the voided ones
    contested INTEGER NOT NULL, -- rows of int_contests: rounds in which the seat and another went for what lay there
    stupas INTEGER NOT NULL, -- placed there
    stupa_levels INTEGER NOT NULL, -- sum of their levels
);

INSERT INTO agg_villages
WITH happened AS (
    SELECT match_id, seat, round, village, 1 AS arrivals, 0 AS collected, 0 AS delivered, 0 AS voided, 0 AS too_late,
        0 AS contested, 0 AS stupas, 0 AS stupa_levels
    FROM fct_village_visits
    UNION ALL
    SELECT match_id, seat, round, village, 0, CAST(result = 'collected' AS INTEGER),
        CAST(result = 'delivered' AS INTEGER), CAST(result = 'voided' AS INTEGER), CAST(too_late AS INTEGER), 0, 0, 0
    FROM fct_trades
    UNION ALL
    SELECT match_id, seat, round, village, 0, 0, 0, 0, 0, 1, 0, 0
    FROM int_contests
    UNION ALL
    SELECT match_id, seat, round, village, 0, 0, 0, 0, 0, 0, 1, level
    FROM stg_caravan_stupa_placed
)
SELECT
    cohort, round, village, sum(arrivals) AS arrivals, sum(collected) AS collected, sum(delivered) AS delivered,
    sum(voided) AS voided, sum(too_late) AS too_late, sum(contested) AS contested, sum(stupas) AS stupas,
    sum(stupa_levels) AS stupa_levels
FROM (FROM happened SEMI JOIN batch USING (match_id))
JOIN (FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL) USING (match_id, seat)
GROUP BY cohort, round, village;
