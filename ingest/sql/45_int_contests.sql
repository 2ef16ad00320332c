-- int_contests: one row per seat, round and village that it went for as another did (match_id, round, village, seat).
CREATE TABLE int_contests (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    village INTEGER NOT NULL, -- where two seats or more traded, lacked the goods for the order, or came too late
    seat INTEGER NOT NULL,
);

INSERT INTO int_contests
WITH tries AS (
    SELECT DISTINCT match_id, round, village, seat
    FROM (FROM fct_trades SEMI JOIN batch USING (match_id))
    WHERE result <> 'voided' OR reason = 'goods_missing' OR too_late
)
FROM tries
QUALIFY count(*) OVER (PARTITION BY match_id, round, village) > 1
ORDER BY match_id, round, village, seat;
