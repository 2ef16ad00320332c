-- fct_caravan_deliveries: one row per delivery with its rewards (match_id, seq).
CREATE TABLE fct_caravan_deliveries (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL,
    step INTEGER NOT NULL, -- programmed action 1..6
    seat INTEGER NOT NULL,
    village INTEGER NOT NULL, -- number of the village
    order_id VARCHAR NOT NULL, -- id of the order disc
    yaks INTEGER NOT NULL, -- yaks on the disc, whether bartered or not
    goods INTEGER NOT NULL, -- number of cubes delivered
    barter BOOLEAN NOT NULL, -- whether barter was a reward
    offering BOOLEAN NOT NULL, -- whether an offering was a reward
    delegation BOOLEAN NOT NULL, -- whether delegations were a reward
    delegations INTEGER NOT NULL, -- number of delegations sent
);

INSERT INTO fct_caravan_deliveries
WITH delivered AS (
    SELECT *, list_contains(rewards, 'delegation') AS delegation
    FROM stg_caravan_delivered
    SEMI JOIN batch USING (match_id)
),
sent AS (
    SELECT
        match_id, seq, seat,
        regions_1 + regions_2 + regions_3 + regions_4 + regions_5 + regions_6 + regions_7 + regions_8 AS delegations
    FROM stg_caravan_delegations_sent
    SEMI JOIN batch USING (match_id)
    WHERE cause = 'delegation'
)
SELECT
    delivered.match_id,
    delivered.seq,
    delivered.round,
    delivered.step,
    delivered.seat,
    delivered.village,
    delivered.order_id,
    delivered.order_yaks,
    spent_salt + spent_barley + spent_tea + spent_jade + spent_gold,
    list_contains(delivered.rewards, 'barter'),
    list_contains(delivered.rewards, 'offering'),
    delivered.delegation,
    CASE WHEN delivered.delegation THEN coalesce(sent.delegations, 0) ELSE 0 END
FROM delivered
ASOF LEFT JOIN sent ON sent.match_id = delivered.match_id AND sent.seat = delivered.seat AND delivered.seq < sent.seq
ORDER BY delivered.match_id, delivered.seq;
