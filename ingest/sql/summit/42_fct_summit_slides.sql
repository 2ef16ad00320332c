-- fct_summit_slides: one row per slide of a Sherpa (match_id, seq).
CREATE VIEW fct_summit_slides AS
SELECT match_id, seq, round, turn, seat, piece, cause, from_field, to_field, fields
FROM fct_summit_moves
WHERE kind = 'slid';
