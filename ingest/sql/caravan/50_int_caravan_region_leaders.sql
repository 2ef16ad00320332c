-- int_caravan_region_leaders: one row per region and round in which delegations were sent there (match_id, region, round).
CREATE TABLE int_caravan_region_leaders (
    match_id INTEGER NOT NULL,
    region INTEGER NOT NULL, -- number of the region
    round INTEGER NOT NULL,
    leader INTEGER, -- seat with strictly most delegations there after this round; NULL in a tie
    seat_0 INTEGER NOT NULL, -- delegations of seat 0 there after this round
    seat_1 INTEGER NOT NULL, -- delegations of seat 1 there after this round
    seat_2 INTEGER NOT NULL, -- delegations of seat 2 there after this round
    seat_3 INTEGER NOT NULL, -- delegations of seat 3 there after this round
    seat_4 INTEGER NOT NULL, -- delegations of seat 4 there after this round
    seat_5 INTEGER NOT NULL, -- delegations of seat 5 there after this round
);

INSERT INTO int_caravan_region_leaders
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
),
there AS (
    SELECT
        match_id, region, round, sum(seat_0) OVER so_far AS seat_0, sum(seat_1) OVER so_far AS seat_1,
        sum(seat_2) OVER so_far AS seat_2, sum(seat_3) OVER so_far AS seat_3, sum(seat_4) OVER so_far AS seat_4,
        sum(seat_5) OVER so_far AS seat_5
    FROM sent
    WINDOW so_far AS (PARTITION BY match_id, region ORDER BY round)
)
SELECT
    match_id, region, round,
    CASE
        WHEN seat_0 > greatest(seat_1, seat_2, seat_3, seat_4, seat_5) THEN 0
        WHEN seat_1 > greatest(seat_0, seat_2, seat_3, seat_4, seat_5) THEN 1
        WHEN seat_2 > greatest(seat_0, seat_1, seat_3, seat_4, seat_5) THEN 2
        WHEN seat_3 > greatest(seat_0, seat_1, seat_2, seat_4, seat_5) THEN 3
        WHEN seat_4 > greatest(seat_0, seat_1, seat_2, seat_3, seat_5) THEN 4
        WHEN seat_5 > greatest(seat_0, seat_1, seat_2, seat_3, seat_4) THEN 5
    END,
    seat_0, seat_1, seat_2, seat_3, seat_4, seat_5
FROM there
ORDER BY match_id, region, round;
