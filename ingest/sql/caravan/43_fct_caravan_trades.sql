-- fct_caravan_trades: one row per programmed trade: collected, delivered or voided (match_id, seq).
CREATE VIEW fct_caravan_trades AS
SELECT
    match_id, seq, round, step, seat, village, 'collected' AS result, resource, NULL::VARCHAR AS reason,
    false AS too_late
FROM stg_caravan_collected
UNION ALL
SELECT match_id, seq, round, step, seat, village, 'delivered', NULL, NULL, false
FROM stg_caravan_delivered
UNION ALL
SELECT match_id, seq, round, step, seat, village, 'voided', NULL, reason, too_late
FROM int_caravan_voided_trades;
