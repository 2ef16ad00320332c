-- fct_summit_supply: one row per supply card played, taken back in a high camp, or declined; number is the value by which a pawn moved (match_id, seq).
CREATE VIEW fct_summit_supply AS
SELECT match_id, seq, round, seat, 'played' AS what, card, value AS number, NULL::INTEGER AS camp
FROM stg_summit_supply_played
UNION ALL
SELECT match_id, seq, round, seat, 'taken_back', card, NULL, camp
FROM stg_summit_resupplied
UNION ALL
SELECT match_id, seq, round, seat, 'declined', NULL, NULL, camp
FROM stg_summit_resupply_declined;
