-- fct_climbers_placements: one row per block that was moved or turned (match_id, seq).
CREATE TABLE fct_climbers_placements (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the turn
    seat INTEGER NOT NULL, -- who moved it
    block INTEGER NOT NULL, -- its number, as in the log
    size ENUM('half', 'cube', 'double', 'triple') NOT NULL, -- size of the block
    turned BOOLEAN NOT NULL, -- its lowest corner stays where it was
    from_x INTEGER NOT NULL, -- this and the next: square of its lowest corner
    from_y INTEGER NOT NULL, -- row of the square that it leaves
    from_level INTEGER NOT NULL, -- height of its top above the table
    from_top ENUM('teal', 'purple', 'yellow', 'red', 'pink', 'neutral') NOT NULL, -- colour on top
    to_x INTEGER NOT NULL, -- this and what follows: how it lies then
    to_y INTEGER NOT NULL, -- row of the square that it goes to
    to_level INTEGER NOT NULL, -- level that it goes to
    to_top ENUM('teal', 'purple', 'yellow', 'red', 'pink', 'neutral') NOT NULL, -- colour on top then
    shifted INTEGER NOT NULL, -- climbers that were set on other squares to make room
);

INSERT INTO fct_climbers_placements
WITH shifted AS ( -- climbers are set aside right before the block is laid, L-3.shift
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
