-- agg_caravan_roads: one row per kind of seat, round and road: journeys (cohort, round, village_a, village_b, road).
CREATE TABLE agg_caravan_roads (
    cohort INTEGER NOT NULL, -- the seats of one kind that the row sums up, a row of dim_cohorts
    round INTEGER NOT NULL,
    village_a INTEGER NOT NULL, -- the smaller number
    village_b INTEGER NOT NULL, -- village at the other end of the road
    road ENUM('soil', 'stone', 'ice') NOT NULL, -- surface of the road
    journeys INTEGER NOT NULL, -- as in fct_caravan_road_visits
);

INSERT INTO agg_caravan_roads
SELECT cohort, round, village_a, village_b, road, count(*) AS journeys
FROM (FROM fct_caravan_road_visits SEMI JOIN batch USING (match_id))
JOIN (FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL) USING (match_id, seat)
GROUP BY cohort, round, village_a, village_b, road;
