-- int_delegations: one row per region and round in which delegations reached it (match_id, region, round).
CREATE TABLE int_delegations (
    match_id INTEGER NOT NULL,
    region INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seat_0 INTEGER NOT NULL, -- this and the next: how many each seat has there from this round on
    seat_1 INTEGER NOT NULL,
    seat_2 INTEGER NOT NULL,
    seat_3 INTEGER NOT NULL,
    seat_4 INTEGER NOT NULL,
    seat_5 INTEGER NOT NULL,
);

INSERT INTO int_delegations
WITH regional AS (
    SELECT
        match_id, round, seat, unnest(range(1, 9)) AS region,
        unnest([regions_1, regions_2, regions_3, regions_4, regions_5, regions_6, regions_7, regions_8]) AS delegations
    FROM stg_caravan_delegations_sent
    SEMI JOIN batch USING (match_id)
),
sent AS (
    SELECT
        match_id, region, round,
        coalesce(sum(delegations) FILTER (seat = 0), 0) AS seat_0,
        coalesce(sum(delegations) FILTER (seat = 1), 0) AS seat_1,
        coalesce(sum(delegations) FILTER (seat = 2), 0) AS seat_2,
        coalesce(sum(delegations) FILTER (seat = 3), 0) AS seat_3,
        coalesce(sum(delegations) FILTER (seat = 4), 0) AS seat_4,
        coalesce(sum(delegations) FILTER (seat = 5), 0) AS seat_5
    FROM regional
    WHERE delegations > 0
    GROUP BY match_id, region, round
)
SELECT
    match_id, region, round, sum(seat_0) OVER so_far, sum(seat_1) OVER so_far, sum(seat_2) OVER so_far,
    sum(seat_3) OVER so_far, sum(seat_4) OVER so_far, sum(seat_5) OVER so_far
FROM sent
WINDOW so_far AS (PARTITION BY match_id, region ORDER BY round)
ORDER BY match_id, region, round;
