-- fct_climbers_discs: one row per blocking disc placed (match_id, seq).
CREATE TABLE fct_climbers_discs (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the turn
    seat INTEGER NOT NULL, -- owner of the disc
    block INTEGER NOT NULL, -- number of the blocked block
    x INTEGER NOT NULL, -- column of the disc's square
    y INTEGER NOT NULL, -- row of the disc's square
    level INTEGER, -- height above the table
    removed INTEGER, -- number of the turn in which the disc was removed; NULL if it never was
);

INSERT INTO fct_climbers_discs
WITH laid AS (
    FROM stg_climbers_disc_placed SEMI JOIN batch USING (match_id)
),
poses AS (
    SELECT match_id, seq, block, pose_z + pose_dz AS height FROM stg_climbers_block_placed SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT match_id, seq, block, to_pose_z + to_pose_dz FROM stg_climbers_block_moved SEMI JOIN batch USING (match_id)
),
removed AS (
    SELECT match_id, seat, max(round) AS round FROM stg_climbers_disc_removed SEMI JOIN batch USING (match_id) GROUP BY ALL
)
SELECT
    laid.match_id, laid.seq, laid.round, laid.seat, laid.block, laid.cell_x, laid.cell_y, poses.height, removed.round
FROM laid
ASOF LEFT JOIN poses ON poses.match_id = laid.match_id AND poses.block = laid.block AND laid.seq > poses.seq
LEFT JOIN removed ON removed.match_id = laid.match_id AND removed.seat = laid.seat
ORDER BY laid.match_id, laid.seq;
