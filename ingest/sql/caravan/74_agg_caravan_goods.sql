-- agg_caravan_goods: one row per cohort, round, village and resource (cohort, round, village, resource).
CREATE TABLE agg_caravan_goods (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    round INTEGER NOT NULL,
    village INTEGER NOT NULL, -- number of the village
    resource ENUM('salt', 'barley', 'tea', 'jade', 'gold') NOT NULL, -- kind of goods
    collected INTEGER NOT NULL, -- cubes collected
    spent INTEGER NOT NULL, -- cubes spent on deliveries
);

INSERT INTO agg_caravan_goods
WITH happened AS (
    SELECT match_id, seat, round, village, resource, 1 AS collected, 0 AS spent
    FROM stg_caravan_collected
    SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT
        match_id, seat, round, village, unnest(CAST(['salt', 'barley', 'tea', 'jade', 'gold'] AS ENUM('salt', 'barley', 'tea', 'jade', 'gold')[])), 0,
        unnest([spent_salt, spent_barley, spent_tea, spent_jade, spent_gold])
    FROM stg_caravan_delivered
    SEMI JOIN batch USING (match_id)
)
SELECT cohort, round, village, resource, sum(collected) AS collected, sum(spent) AS spent
FROM happened
JOIN (FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL) USING (match_id, seat)
WHERE collected > 0 OR spent > 0
GROUP BY cohort, round, village, resource;
