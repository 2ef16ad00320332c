-- int_voided_trades: one row per programmed trade that came to nothing (match_id, seq).
CREATE TABLE int_voided_trades (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL,
    step INTEGER NOT NULL, -- programmed action 1..6
    seat INTEGER NOT NULL,
    village INTEGER NOT NULL, -- where the caravan stood
    reason VARCHAR NOT NULL,
);

INSERT INTO int_voided_trades
SELECT voided.match_id, voided.seq, voided.round, voided.step, voided.seat, arrival.village, voided.reason
FROM (FROM stg_caravan_action_voided SEMI JOIN batch USING (match_id) WHERE action = 'trade') AS voided
ASOF JOIN (FROM fct_village_visits SEMI JOIN batch USING (match_id)) AS arrival
    ON arrival.match_id = voided.match_id AND arrival.seat = voided.seat AND voided.seq > arrival.seq
ORDER BY voided.match_id, voided.seq;
