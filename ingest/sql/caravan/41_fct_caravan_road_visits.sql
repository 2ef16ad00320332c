-- fct_caravan_road_visits: one row per move along a road; village_a is the lower of the two village numbers (match_id, seq).
CREATE VIEW fct_caravan_road_visits AS
SELECT
    match_id, seq, round, step, seat,
    least(from_village, to_village) AS village_a,
    greatest(from_village, to_village) AS village_b,
    road
FROM stg_caravan_moved;
