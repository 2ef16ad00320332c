-- Names of these tables before schema 8, to be removed with the next schema.

-- fct_eliminations: the former name of fct_caravan_eliminations (match_id, seat).
CREATE VIEW fct_eliminations AS FROM fct_caravan_eliminations;

-- fct_village_visits: the former name of fct_caravan_village_visits (match_id, seq).
CREATE VIEW fct_village_visits AS FROM fct_caravan_village_visits;

-- fct_road_visits: the former name of fct_caravan_road_visits (match_id, seq).
CREATE VIEW fct_road_visits AS FROM fct_caravan_road_visits;

-- int_voided_trades: the former name of int_caravan_voided_trades (match_id, seq).
CREATE VIEW int_voided_trades AS FROM int_caravan_voided_trades;

-- fct_trades: the former name of fct_caravan_trades (match_id, seq).
CREATE VIEW fct_trades AS FROM fct_caravan_trades;

-- fct_deliveries: the former name of fct_caravan_deliveries (match_id, seq).
CREATE VIEW fct_deliveries AS FROM fct_caravan_deliveries;

-- int_contests: the former name of int_caravan_contests (match_id, round, village, seat).
CREATE VIEW int_contests AS FROM int_caravan_contests;

-- int_region_leaders: the former name of int_caravan_region_leaders (match_id, region, round).
CREATE VIEW int_region_leaders AS FROM int_caravan_region_leaders;

-- int_influence_changes: the former name of int_caravan_influence_changes (match_id, round, seat).
CREATE VIEW int_influence_changes AS FROM int_caravan_influence_changes;

-- fct_influence: the former name of fct_caravan_influence (match_id, round, seat).
CREATE VIEW fct_influence AS FROM fct_caravan_influence;

-- int_region_flips: the former name of int_caravan_region_flips (match_id, region, round).
CREATE VIEW int_region_flips AS FROM int_caravan_region_flips;

-- fct_standings: the former name of fct_caravan_standings (match_id, round, seat).
CREATE VIEW fct_standings AS FROM fct_caravan_standings;

-- fct_seats: the former name of fct_caravan_seats (match_id, seat).
CREATE VIEW fct_seats AS FROM fct_caravan_seats;

-- fct_courses: the former name of fct_caravan_courses (match_id).
CREATE VIEW fct_courses AS FROM fct_caravan_courses;

-- agg_villages: the former name of agg_caravan_villages (cohort, round, village).
CREATE VIEW agg_villages AS FROM agg_caravan_villages;

-- agg_roads: the former name of agg_caravan_roads (cohort, round, village_a, village_b, road).
CREATE VIEW agg_roads AS FROM agg_caravan_roads;

-- agg_regions: the former name of agg_caravan_regions (cohort, round, region).
CREATE VIEW agg_regions AS FROM agg_caravan_regions;

-- agg_influence: the former name of agg_caravan_influence (cohort, round, influence, value).
CREATE VIEW agg_influence AS FROM agg_caravan_influence;

-- agg_goods: the former name of agg_caravan_goods (cohort, round, village, resource).
CREATE VIEW agg_goods AS FROM agg_caravan_goods;

-- agg_supply: the former name of agg_caravan_supply (cohort, round, village, resource).
CREATE VIEW agg_supply AS FROM agg_caravan_supply;
