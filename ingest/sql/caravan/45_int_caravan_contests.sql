-- int_caravan_contests: one row per seat, round and village that it contested with another seat (match_id, round, village, seat).
CREATE TABLE int_caravan_contests (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    village INTEGER NOT NULL, -- village where two or more seats traded, lacked the goods for the order, or came too late
    seat INTEGER NOT NULL,
);

INSERT INTO int_caravan_contests
SELECT match_id, round, village, unnest([seat FOR seat IN range(6) IF tried & (1 << seat) > 0])
FROM ( -- `tried` is a bit mask of seats
    SELECT match_id, round, village, bit_or(1 << seat) AS tried
    FROM (FROM fct_caravan_trades SEMI JOIN batch USING (match_id))
    WHERE result <> 'voided' OR reason = 'goods_missing' OR too_late
    GROUP BY match_id, round, village
    HAVING min(seat) < max(seat)
)
ORDER BY match_id, round, village;
