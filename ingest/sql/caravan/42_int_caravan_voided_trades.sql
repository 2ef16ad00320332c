-- int_caravan_voided_trades: one row per programmed trade that was void (match_id, seq).
CREATE TABLE int_caravan_voided_trades (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL,
    step INTEGER NOT NULL, -- programmed action 1..6
    seat INTEGER NOT NULL,
    village INTEGER NOT NULL, -- village in which the caravan was
    reason VARCHAR NOT NULL,
    too_late BOOLEAN NOT NULL, -- whether, earlier in the round, another seat took the last goods, or delivered the order for which this seat had the goods
);

INSERT INTO int_caravan_voided_trades
WITH voided AS (
    SELECT voided.match_id, voided.seq, voided.round, voided.step, voided.seat, arrival.village, voided.reason
    FROM (FROM stg_caravan_action_voided SEMI JOIN batch USING (match_id) WHERE action = 'trade') AS voided
    ASOF JOIN (FROM fct_caravan_village_visits SEMI JOIN batch USING (match_id)) AS arrival
        ON arrival.match_id = voided.match_id AND arrival.seat = voided.seat AND voided.seq > arrival.seq
),
collected AS (
    FROM stg_caravan_collected SEMI JOIN batch USING (match_id)
),
delivered AS (
    FROM stg_caravan_delivered SEMI JOIN batch USING (match_id)
),
missed AS ( -- the last trade in the same village and round before the void trade
    SELECT voided.match_id, voided.seq, voided.round, voided.village, voided.seat, max(taken.seq) AS taken
    FROM voided
    JOIN (
        SELECT match_id, seq, round, village FROM collected UNION ALL SELECT match_id, seq, round, village FROM delivered
    ) AS taken
        ON taken.match_id = voided.match_id AND taken.round = voided.round AND taken.village = voided.village
        AND taken.seq < voided.seq
    WHERE voided.reason = 'nothing_here'
    GROUP BY ALL
),
goods_missed AS ( -- void trades where the seat could still have collected the goods taken, C-III.collect
    SELECT missed.match_id, missed.seq
    FROM missed
    JOIN collected AS goods ON goods.match_id = missed.match_id AND goods.seq = missed.taken
    ANTI JOIN collected
        ON collected.match_id = missed.match_id AND collected.round = missed.round
        AND collected.village = missed.village AND collected.seat = missed.seat AND collected.seq < missed.seq
),
flow AS (
    SELECT
        match_id, seq, seat, CAST(resource = 'salt' AS INTEGER) AS salt, CAST(resource = 'barley' AS INTEGER) AS barley,
        CAST(resource = 'tea' AS INTEGER) AS tea, CAST(resource = 'jade' AS INTEGER) AS jade,
        CAST(resource = 'gold' AS INTEGER) AS gold
    FROM collected
    UNION ALL
    SELECT match_id, seq, seat, -spent_salt, -spent_barley, -spent_tea, -spent_jade, -spent_gold
    FROM delivered
),
orders_missed AS ( -- void trades where the seat had the goods for an order that another seat delivered
    SELECT missed.match_id, missed.seq
    FROM missed
    JOIN delivered AS served
        ON served.match_id = missed.match_id AND served.seq = missed.taken AND served.seat <> missed.seat
    JOIN flow ON flow.match_id = missed.match_id AND flow.seat = missed.seat AND flow.seq < missed.seq
    GROUP BY missed.match_id, missed.seq
    HAVING sum(salt) >= any_value(order_demand_salt) AND sum(barley) >= any_value(order_demand_barley)
        AND sum(tea) >= any_value(order_demand_tea) AND sum(jade) >= any_value(order_demand_jade)
        AND sum(gold) >= any_value(order_demand_gold)
)
SELECT voided.*, late.seq IS NOT NULL
FROM voided
LEFT JOIN (FROM orders_missed UNION ALL FROM goods_missed) AS late
    ON late.match_id = voided.match_id AND late.seq = voided.seq
ORDER BY voided.match_id, voided.seq;
