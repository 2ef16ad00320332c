-- fct_climbers_climbs: one row per step of a climber (match_id, seq).
CREATE TABLE fct_climbers_climbs (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the turn
    seat INTEGER NOT NULL, -- owner of the climber
    phase ENUM('A', 'B', 'C', 'D', 'others') NOT NULL, -- A, C: before and after the block move in its own turn; others: after another seat's turn
    from_x INTEGER, -- column of the square it left; NULL for the table
    from_y INTEGER, -- row of the square it left; NULL for the table
    to_x INTEGER NOT NULL, -- column of the square it entered
    to_y INTEGER NOT NULL, -- row of the square it entered
    from_level INTEGER NOT NULL, -- height above the table before
    to_level INTEGER NOT NULL, -- height above the table after
    rise INTEGER NOT NULL, -- levels gained
    ladder ENUM('none', 'short', 'long') NOT NULL, -- ladder used
    reached INTEGER, -- number of the rise within the match, from 1; NULL if it did not rise
);

INSERT INTO fct_climbers_climbs
WITH stepped AS (
    FROM stg_climbers_climber_stepped SEMI JOIN batch USING (match_id)
),
spent AS ( -- a step, its ladder and its rise are in the same ply
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
