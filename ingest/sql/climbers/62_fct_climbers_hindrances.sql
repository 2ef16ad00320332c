-- fct_climbers_hindrances: one row per seat of a finished match that lost a possible step to another seat's block or disc (match_id, seq, seat).
CREATE TABLE fct_climbers_hindrances (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL, -- place in the log of the block move or disc
    round INTEGER NOT NULL, -- number of the turn
    seat INTEGER NOT NULL, -- seat that lost a possible step
    by_seat INTEGER NOT NULL, -- seat that moved the block or placed the disc
    means ENUM('block', 'disc') NOT NULL, -- whether the step was lost to a block or a disc
    steps INTEGER NOT NULL, -- number of blocks that the climber could step on before, but not after
);

-- Computes the same as `steps` in himalaya_core/climbers/climbing.py, but the bare table and each top, even a divided one, count as one place.
INSERT INTO fct_climbers_hindrances
WITH finished AS (
    SELECT match_id FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'climbers'
),
lying AS ( -- positions of blocks, each valid from event `since` until event `until`
    SELECT *, coalesce(lead(since) OVER (PARTITION BY match_id, block ORDER BY since), 2147483647) AS until
    FROM (
        SELECT
            match_id, 0 AS since, block, pose_x AS x, pose_y AS y, pose_z + pose_dz AS height, pose_dx AS dx,
            pose_dy AS dy, pose_top AS top
        FROM stg_climbers_block_placed
        SEMI JOIN finished USING (match_id)
        UNION ALL
        SELECT
            match_id, seq, block, to_pose_x, to_pose_y, to_pose_z + to_pose_dz, to_pose_dx, to_pose_dy, to_pose_top
        FROM stg_climbers_block_moved
        SEMI JOIN finished USING (match_id)
    )
),
squares AS (
    SELECT match_id, since, until, block, x, y + unnest(range(dy))::INTEGER AS y, height, top
    FROM (SELECT * REPLACE (x + unnest(range(dx))::INTEGER AS x) FROM lying)
),
changes AS (
    SELECT *, coalesce(lead(since) OVER (PARTITION BY match_id, x, y ORDER BY since), 2147483647) AS until
    FROM (
        SELECT match_id, x, y, since FROM squares
        UNION
        SELECT match_id, x, y, until FROM squares WHERE until < 2147483647
    )
),
tops AS ( -- the topmost block of each square, L-2.heights
    SELECT
        match_id, x, y, changes.since, max(changes.until) AS until, arg_max(block, height) AS block,
        max(height) AS height, arg_max(top, height) AS top
    FROM changes
    JOIN squares USING (match_id, x, y)
    WHERE squares.since <= changes.since AND squares.until > changes.since
    GROUP BY match_id, x, y, changes.since
),
discs AS (
    SELECT laid.match_id, laid.block, laid.seq AS since, coalesce(min(gone.seq), 2147483647) AS until
    FROM (FROM stg_climbers_disc_placed SEMI JOIN finished USING (match_id)) AS laid
    LEFT JOIN (FROM stg_climbers_disc_removed SEMI JOIN finished USING (match_id)) AS gone
        ON gone.match_id = laid.match_id AND gone.seat = laid.seat AND gone.seq > laid.seq
    GROUP BY ALL
),
acts AS (
    SELECT match_id, seq, round, seat AS by_seat, 'block' AS means
    FROM stg_climbers_block_moved
    SEMI JOIN finished USING (match_id)
    UNION ALL
    SELECT match_id, seq, round, seat, 'disc' FROM stg_climbers_disc_placed SEMI JOIN finished USING (match_id)
),
seats AS (
    SELECT match_id, player AS seat, min(colour) AS colour
    FROM stg_climbers_colour_assigned
    SEMI JOIN finished USING (match_id)
    GROUP BY ALL
),
moments AS ( -- each seat just before and just after each block move or disc placement
    SELECT match_id, seq, by_seat, seat, colour, seq + unnest([-1, 0]) AS moment
    FROM acts
    JOIN seats USING (match_id)
),
places AS (
    SELECT match_id, seat, seq, to_x AS x, to_y AS y FROM fct_climbers_climbs SEMI JOIN finished USING (match_id)
    UNION ALL
    SELECT match_id, player, seq, to_cell_x, to_cell_y FROM stg_climbers_climber_shifted SEMI JOIN finished USING (match_id)
),
spent AS (
    SELECT
        match_id, seat, min(seq) FILTER (kind = 'short') AS short, min(seq) FILTER (kind = 'long') AS long
    FROM stg_climbers_ladder_spent
    SEMI JOIN finished USING (match_id)
    GROUP BY ALL
),
standing AS (
    SELECT
        moments.*, tops.block, coalesce(tops.height, 0) AS height, places.x IS NULL AS on_table,
        coalesce(spent.short > moments.moment, true) AS short, coalesce(spent.long > moments.moment, true) AS long
    FROM moments
    ASOF LEFT JOIN places
        ON places.match_id = moments.match_id AND places.seat = moments.seat AND moments.moment >= places.seq
    LEFT JOIN tops
        ON tops.match_id = moments.match_id AND tops.x = places.x AND tops.y = places.y
        AND tops.since <= moments.moment AND tops.until > moments.moment
    LEFT JOIN spent ON spent.match_id = moments.match_id AND spent.seat = moments.seat
),
beside AS (
    SELECT * FROM (VALUES (1, 0), (-1, 0), (0, 1), (0, -1)) AS way (dx, dy)
),
edge AS ( -- squares next to the table and low enough to step on from there, L-4.table, L-4.edge
    SELECT DISTINCT standing.match_id, standing.seq, standing.moment, tops.block, tops.height, tops.top
    FROM (SELECT DISTINCT match_id, seq, moment FROM standing WHERE on_table) AS standing
    JOIN tops USING (match_id)
    CROSS JOIN beside
    LEFT JOIN tops AS next
        ON next.match_id = standing.match_id AND next.x = tops.x + dx AND next.y = tops.y + dy
        AND next.since <= standing.moment AND next.until > standing.moment
    WHERE tops.since <= standing.moment AND tops.until > standing.moment AND tops.height <= 4 AND next.block IS NULL
),
near AS (
    SELECT standing.*, edge.block AS to_block, edge.height AS to_height, edge.top
    FROM standing
    JOIN edge USING (match_id, seq, moment)
    WHERE on_table
    UNION
    SELECT standing.*, next.block, next.height, next.top
    FROM standing
    JOIN tops AS own ON own.match_id = standing.match_id AND own.block = standing.block
    CROSS JOIN beside
    JOIN tops AS next ON next.match_id = standing.match_id AND next.x = own.x + dx AND next.y = own.y + dy
    WHERE own.since <= standing.moment AND own.until > standing.moment AND next.since <= standing.moment
        AND next.until > standing.moment AND next.block <> standing.block
),
enterable AS ( -- L-4.level, L-4.ladder, L-4.colour
    SELECT match_id, seq, moment, seat, to_block AS block
    FROM near
    WHERE seat <> by_seat AND (top = colour OR top = 'neutral') AND to_height >= height
        AND (to_height <= height + 1 OR (to_height <= height + 4 AND long) OR (to_height = height + 2 AND short))
),
full_tops AS ( -- tops with a climber on every square, L-4.capacity
    SELECT match_id, seq, moment, block
    FROM (SELECT match_id, seq, moment, block, count(*) AS climbers FROM standing WHERE block IS NOT NULL GROUP BY ALL)
    JOIN tops USING (match_id, block)
    WHERE tops.since <= moment AND tops.until > moment
    GROUP BY match_id, seq, moment, block, climbers
    HAVING count(*) <= climbers
),
blocked AS ( -- L-4.disc
    SELECT enterable.match_id, seq, moment, block
    FROM enterable
    JOIN discs USING (match_id, block)
    WHERE discs.since <= moment AND discs.until > moment
),
steps AS (
    FROM enterable ANTI JOIN full_tops USING (match_id, seq, moment, block) ANTI JOIN blocked USING (match_id, seq, moment, block)
),
lost AS (
    SELECT match_id, seq, seat, count(*) AS steps
    FROM (SELECT match_id, seq, seat, block FROM steps WHERE moment < seq)
    ANTI JOIN (SELECT match_id, seq, seat, block FROM steps WHERE moment = seq) USING (match_id, seq, seat, block)
    GROUP BY match_id, seq, seat
)
SELECT match_id, seq, round, seat, by_seat, means, steps
FROM lost
JOIN acts USING (match_id, seq)
ORDER BY match_id, seq, seat;
