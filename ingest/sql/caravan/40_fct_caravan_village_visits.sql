-- fct_caravan_village_visits: one row per arrival of a caravan in a village; step 0 is the set-up (match_id, seq).
CREATE VIEW fct_caravan_village_visits AS
SELECT match_id, seq, round, 0 AS step, seat, village
FROM stg_caravan_caravan_placed
UNION ALL
SELECT match_id, seq, round, step, seat, to_village
FROM stg_caravan_moved;
