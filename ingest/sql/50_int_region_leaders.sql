-- int_region_leaders: one row per region and round in which delegations reached it (match_id, region, round).
CREATE TABLE int_region_leaders (
    match_id INTEGER NOT NULL,
    region INTEGER NOT NULL,
    round INTEGER NOT NULL,
    leader INTEGER, -- the seat with strictly most delegations there from this round on; none in a tie
);

INSERT INTO int_region_leaders
SELECT
    match_id, region, round,
    CASE
        WHEN seat_0 > greatest(seat_1, seat_2, seat_3, seat_4, seat_5) THEN 0
        WHEN seat_1 > greatest(seat_0, seat_2, seat_3, seat_4, seat_5) THEN 1
        WHEN seat_2 > greatest(seat_0, seat_1, seat_3, seat_4, seat_5) THEN 2
        WHEN seat_3 > greatest(seat_0, seat_1, seat_2, seat_4, seat_5) THEN 3
        WHEN seat_4 > greatest(seat_0, seat_1, seat_2, seat_3, seat_5) THEN 4
        WHEN seat_5 > greatest(seat_0, seat_1, seat_2, seat_3, seat_4) THEN 5
    END
FROM int_delegations
SEMI JOIN batch USING (match_id)
ORDER BY match_id, region, round;
