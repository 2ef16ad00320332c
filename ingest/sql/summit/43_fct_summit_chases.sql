-- fct_summit_chases: one row per Sherpa that the Yeti chased back to a camp (match_id, seq).
CREATE VIEW fct_summit_chases AS
SELECT match_id, seq, round, turn, seat, piece, cause, from_field, to_field, fields
FROM fct_summit_moves
WHERE kind = 'chased';
