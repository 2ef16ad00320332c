-- fct_climbers_climbs: one row per step of a climber (match_id, seq).
CREATE TABLE fct_climbers_climbs (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the turn
    seat INTEGER NOT NULL, -- whose climber
    phase ENUM('A', 'B', 'C', 'D', 'others') NOT NULL, -- A, C: before and after the block in its own turn; others: after the turn of another
    from_x INTEGER, -- this and the next: the square it stood on; none from the table
    from_y INTEGER, -- row of the square that it leaves
    to_x INTEGER NOT NULL,
    to_y INTEGER NOT NULL, -- row of the square that it goes to
    from_level INTEGER NOT NULL, -- height above the table
    to_level INTEGER NOT NULL, -- level that it goes to
    rise INTEGER NOT NULL, -- levels gained
    ladder ENUM('none', 'short', 'long') NOT NULL, -- spent for it
    reached INTEGER, -- which of all rises of the match it is, from 1; none if it did not rise
);

INSERT INTO fct_climbers_climbs
WITH stepped AS (
    FROM stg_climbers_climber_stepped SEMI JOIN batch USING (match_id)
),
spent AS ( -- what a step cost and led to comes with it, all of one ply
    SELECT match_id, ply, seat, max(kind) AS ladder FROM stg_climbers_ladder_spent SEMI JOIN batch USING (match_id) GROUP BY ALL
),
rose AS (
    SELECT match_id, ply, seat, max(no) AS no FROM stg_climbers_level_reached SEMI JOIN batch USING (match_id) GROUP BY ALL
)
SELECT
    match_id, seq, round, seat, phase, from_x, from_y, to_x, to_y, from_level, to_level, to_level - from_level,
    coalesce(ladder, 'none'), no
FROM stepped
LEFT JOIN spent USING (match_id, ply, seat)
LEFT JOIN rose USING (match_id, ply, seat)
ORDER BY match_id, seq;
