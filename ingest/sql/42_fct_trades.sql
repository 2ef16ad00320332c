-- fct_trades: one row per programmed trade (match_id, seq).
CREATE TABLE fct_trades (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL,
    step INTEGER NOT NULL, -- programmed action 1..6
    seat INTEGER NOT NULL,
    village INTEGER NOT NULL, -- where the caravan stood
    result VARCHAR NOT NULL, -- collected, delivered or voided
    resource VARCHAR, -- what was collected
    reason VARCHAR, -- why it was void
);

INSERT INTO fct_trades
SELECT match_id, seq, round, step, seat, village, 'collected', resource, NULL
FROM stg_collected
SEMI JOIN batch USING (match_id)
UNION ALL
SELECT match_id, seq, round, step, seat, village, 'delivered', NULL, NULL
FROM stg_delivered
SEMI JOIN batch USING (match_id)
UNION ALL
SELECT voided.match_id, voided.seq, voided.round, voided.step, voided.seat, arrival.village, 'voided', NULL, voided.reason
FROM (FROM stg_action_voided SEMI JOIN batch USING (match_id) WHERE action = 'trade') AS voided
ASOF JOIN (FROM fct_village_visits SEMI JOIN batch USING (match_id)) AS arrival
    ON arrival.match_id = voided.match_id AND arrival.seat = voided.seat AND voided.seq > arrival.seq
ORDER BY match_id, seq;
