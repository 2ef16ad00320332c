-- agg_caravan_roads: one row per cohort, round and road: moves along it (cohort, round, village_a, village_b, road).
CREATE TABLE agg_caravan_roads (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    round INTEGER NOT NULL,
    village_a INTEGER NOT NULL, -- lower village number
    village_b INTEGER NOT NULL, -- higher village number
    road ENUM('soil', 'stone', 'ice') NOT NULL, -- type of the road
    journeys INTEGER NOT NULL, -- moves, see fct_caravan_road_visits
);

INSERT INTO agg_caravan_roads
SELECT cohort, round, village_a, village_b, road, count(*) AS journeys
FROM (FROM fct_caravan_road_visits SEMI JOIN batch USING (match_id))
JOIN (FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL) USING (match_id, seat)
GROUP BY cohort, round, village_a, village_b, road;
