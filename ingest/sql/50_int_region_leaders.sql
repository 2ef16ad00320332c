-- int_region_leaders: one row per region and round in which delegations reached it (match_id, region, round).
CREATE TABLE int_region_leaders (
    match_id INTEGER NOT NULL,
    region INTEGER NOT NULL,
    round INTEGER NOT NULL,
    leader INTEGER, -- the seat with strictly most delegations there from this round on; none in a tie
);

INSERT INTO int_region_leaders
WITH regional AS (
    SELECT
        match_id, round, seat, unnest(range(1, 9)) AS region,
        unnest([regions_1, regions_2, regions_3, regions_4, regions_5, regions_6, regions_7, regions_8]) AS delegations
    FROM stg_caravan_delegations_sent
    SEMI JOIN batch USING (match_id)
),
sent AS (
    SELECT match_id, region, round, seat, sum(delegations) AS delegations
    FROM regional
    WHERE delegations > 0
    GROUP BY ALL
),
moments AS (
    SELECT DISTINCT match_id, region, round FROM sent
),
totals AS (
    SELECT moments.match_id, moments.region, moments.round, sent.seat, sum(sent.delegations) AS delegations
    FROM moments
    JOIN sent ON sent.match_id = moments.match_id AND sent.region = moments.region AND sent.round <= moments.round
    GROUP BY ALL
),
most AS (
    SELECT match_id, region, round, arg_max(seat, delegations) AS seat, max(delegations, 2) AS top
    FROM totals
    GROUP BY ALL
)
SELECT match_id, region, round, CASE WHEN len(top) = 1 OR top[1] > top[2] THEN seat END
FROM most
ORDER BY match_id, region, round;
