-- agg_caravan_supply: one row per cohort of seat 0, round, village and resource: cubes supplied and demanded by refills (cohort, round, village, resource).
CREATE TABLE agg_caravan_supply (
    cohort INTEGER NOT NULL, -- cohort of seat 0, used only to group matches, whatever its player and result
    round INTEGER NOT NULL, -- round of the match; 0 is the set-up
    village INTEGER NOT NULL, -- number of the village
    resource ENUM('salt', 'barley', 'tea', 'jade', 'gold') NOT NULL, -- kind of goods
    supplied INTEGER NOT NULL, -- cubes placed by refills
    demanded INTEGER NOT NULL, -- cubes demanded by orders placed by refills
);

INSERT INTO agg_caravan_supply
WITH came AS (
    SELECT
        match_id, round, village,
        unnest(CAST(['salt', 'barley', 'tea', 'jade', 'gold'] AS ENUM('salt', 'barley', 'tea', 'jade', 'gold')[])) AS resource,
        unnest([drawn_salt, drawn_barley, drawn_tea, drawn_jade, drawn_gold]) AS supplied,
        unnest([
            order_demand_salt, order_demand_barley, order_demand_tea, order_demand_jade, order_demand_gold
        ]) AS demanded
    FROM stg_caravan_refill_rolled
    SEMI JOIN batch USING (match_id)
)
SELECT
    cohort, round, village, resource, sum(coalesce(supplied, 0)) AS supplied, sum(coalesce(demanded, 0)) AS demanded
FROM came
JOIN (FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL) USING (match_id)
WHERE seat = 0 AND (supplied > 0 OR demanded > 0)
GROUP BY cohort, round, village, resource;
