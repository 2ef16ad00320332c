-- agg_caravan_regions: one row per cohort, round and region (cohort, round, region).
CREATE TABLE agg_caravan_regions (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    round INTEGER NOT NULL,
    region INTEGER NOT NULL, -- number of the region
    delegations INTEGER NOT NULL, -- delegations sent there in the round
    leads INTEGER NOT NULL, -- seats with strictly most delegations there at the end of the round
    flips_won INTEGER NOT NULL, -- seats that took the lead from another seat in the round, see int_caravan_region_flips
);

INSERT INTO agg_caravan_regions
WITH regional AS (
    SELECT
        match_id, seat, round, unnest(range(1, 9)) AS region,
        unnest([regions_1, regions_2, regions_3, regions_4, regions_5, regions_6, regions_7, regions_8]) AS delegations
    FROM stg_caravan_delegations_sent
    SEMI JOIN batch USING (match_id)
),
led AS (
    SELECT
        match_id, leader AS seat, region,
        unnest(range(round, lead(round, 1, rounds + 1) OVER (PARTITION BY match_id, region ORDER BY round))) AS round
    FROM int_caravan_region_leaders
    SEMI JOIN batch USING (match_id)
    JOIN (FROM dim_matches SEMI JOIN batch USING (match_id)) USING (match_id)
),
happened AS (
    SELECT match_id, seat, round, region, delegations, 0 AS leads, 0 AS flips_won FROM regional WHERE delegations > 0
    UNION ALL
    SELECT match_id, seat, round, region, 0, 1, 0 FROM led
    UNION ALL
    SELECT match_id, seat, round, region, 0, 0, 1 FROM int_caravan_region_flips SEMI JOIN batch USING (match_id)
)
SELECT
    cohort, round, region, sum(delegations) AS delegations, sum(leads) AS leads, sum(flips_won) AS flips_won
FROM happened
JOIN (FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL) USING (match_id, seat)
GROUP BY cohort, round, region;
