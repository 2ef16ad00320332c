-- fct_road_visits: one row per journey along a road (match_id, seq).
CREATE TABLE fct_road_visits (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL,
    step INTEGER NOT NULL, -- programmed action 1..6
    seat INTEGER NOT NULL,
    village_a INTEGER NOT NULL, -- the end with the smaller number, whichever way it was travelled
    village_b INTEGER NOT NULL,
    road VARCHAR NOT NULL, -- soil, stone or ice
);

INSERT INTO fct_road_visits
SELECT match_id, seq, round, step, seat, least(from_village, to_village), greatest(from_village, to_village), road
FROM stg_moved
SEMI JOIN batch USING (match_id)
ORDER BY match_id, seq;
