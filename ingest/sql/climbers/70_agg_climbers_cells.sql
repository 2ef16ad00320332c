-- agg_climbers_cells: one row per cohort, turn, square and level: arrivals and stays of climbers (cohort, round, x, y, level).
CREATE TABLE agg_climbers_cells (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    round INTEGER NOT NULL, -- number of the turn
    x INTEGER NOT NULL, -- column of the square, relative to the middle of the two triple blocks in the opening
    y INTEGER NOT NULL, -- row of the square, relative to the middle of the two triple blocks in the opening
    level INTEGER NOT NULL, -- height above the table
    arrivals INTEGER NOT NULL, -- steps to the square
    stands INTEGER NOT NULL, -- climbers on the square after the turn
);

INSERT INTO agg_climbers_cells
WITH seats AS (
    FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL
),
middles AS ( -- the triples are blocks 33 and 34, L-1.blocks, L-5.core
    SELECT
        match_id, (min(pose_x) + max(pose_x + pose_dx)) // 2 AS middle_x, (min(pose_y) + max(pose_y + pose_dy)) // 2 AS middle_y
    FROM stg_climbers_block_placed
    SEMI JOIN batch USING (match_id)
    WHERE block >= 33
    GROUP BY match_id
),
counted AS (
    SELECT match_id, seat, round, to_x AS x, to_y AS y, to_level AS level, 1 AS arrivals, 0 AS stands
    FROM fct_climbers_climbs
    SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT match_id, seat, round, x, y, level, 0, 1
    FROM fct_climbers_standings
    SEMI JOIN batch USING (match_id)
    WHERE x IS NOT NULL AND y IS NOT NULL
)
SELECT
    cohort, round, x - middle_x AS x, y - middle_y AS y, level, sum(arrivals) AS arrivals, sum(stands) AS stands
FROM counted
JOIN seats USING (match_id, seat)
JOIN middles USING (match_id)
GROUP BY ALL;
