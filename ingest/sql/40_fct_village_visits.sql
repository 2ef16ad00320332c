-- fct_village_visits: one row per arrival of a caravan in a village (match_id, seq).
CREATE TABLE fct_village_visits (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL, -- 0: placed at the set-up
    step INTEGER NOT NULL, -- programmed action 1..6; 0: placed at the set-up
    seat INTEGER NOT NULL,
    village INTEGER NOT NULL,
);

INSERT INTO fct_village_visits
SELECT match_id, seq, round, 0, seat, village
FROM stg_caravan_placed
SEMI JOIN batch USING (match_id)
UNION ALL
SELECT match_id, seq, round, step, seat, to_village
FROM stg_moved
SEMI JOIN batch USING (match_id)
ORDER BY match_id, seq;
