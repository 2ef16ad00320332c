-- fct_climbers_ladders: one row per ladder used; seq is that of the step (match_id, seq).
CREATE VIEW fct_climbers_ladders AS
SELECT match_id, seq, round, seat, phase, ladder, rise, from_level, to_level
FROM fct_climbers_climbs
WHERE ladder <> 'none';
