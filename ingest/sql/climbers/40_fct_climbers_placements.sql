-- fct_climbers_placements: one row per block move (match_id, seq).
CREATE TABLE fct_climbers_placements (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the turn
    seat INTEGER NOT NULL, -- seat that moved it
    block INTEGER NOT NULL, -- number of the block, as in the log
    size ENUM('half', 'cube', 'double', 'triple') NOT NULL, -- size of the block
    turned BOOLEAN NOT NULL, -- whether the block was turned in place (its lowest corner is unchanged)
    from_x INTEGER NOT NULL, -- column of its lowest corner before
    from_y INTEGER NOT NULL, -- row of its lowest corner before
    from_level INTEGER NOT NULL, -- height of its top above the table before
    from_top ENUM('teal', 'purple', 'yellow', 'red', 'pink', 'neutral') NOT NULL, -- colour on top before
    to_x INTEGER NOT NULL, -- column of its lowest corner after
    to_y INTEGER NOT NULL, -- row of its lowest corner after
    to_level INTEGER NOT NULL, -- height of its top above the table after
    to_top ENUM('teal', 'purple', 'yellow', 'red', 'pink', 'neutral') NOT NULL, -- colour on top after
    shifted INTEGER NOT NULL, -- number of climbers shifted to make room
);

INSERT INTO fct_climbers_placements
WITH shifted AS ( -- climbers are shifted just before the block is placed, L-3.shift
    SELECT moved.match_id, moved.seq, count(*) AS climbers
    FROM (SELECT match_id, seq FROM stg_climbers_climber_shifted SEMI JOIN batch USING (match_id)) AS shift
    ASOF JOIN (SELECT match_id, seq FROM stg_climbers_block_moved SEMI JOIN batch USING (match_id)) AS moved
        ON moved.match_id = shift.match_id AND moved.seq > shift.seq
    GROUP BY ALL
)
SELECT
    match_id, seq, round, seat, block,
    CASE WHEN block < 12 THEN 'half' WHEN block < 24 THEN 'cube' WHEN block < 33 THEN 'double' ELSE 'triple' END, -- L-1.blocks
    from_pose_x = to_pose_x AND from_pose_y = to_pose_y,
    from_pose_x,
    from_pose_y,
    from_pose_z + from_pose_dz,
    from_pose_top,
    to_pose_x,
    to_pose_y,
    to_pose_z + to_pose_dz,
    to_pose_top,
    coalesce(climbers, 0)
FROM (FROM stg_climbers_block_moved SEMI JOIN batch USING (match_id))
LEFT JOIN shifted USING (match_id, seq)
ORDER BY match_id, seq;
