-- fct_climbers_standings: one row per seat and turn of a finished match: the ranking if the match had ended after that turn (match_id, round, seat).
CREATE TABLE fct_climbers_standings (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the turn
    seat INTEGER NOT NULL,
    x INTEGER, -- column of its climber's square; NULL on the table
    y INTEGER, -- row of its climber's square; NULL on the table
    level INTEGER NOT NULL, -- height above the table
    reached INTEGER NOT NULL, -- number of the rise that brought the climber to its level; 0 on the table
    ladders INTEGER NOT NULL, -- ladders left
    place INTEGER NOT NULL, -- rank from 1; climbers on the table share a place
    wins BOOLEAN NOT NULL, -- whether the seat would win, alone or shared
);

-- Computes the same as `standing` in himalaya_core/climbers/scoring.py.
INSERT INTO fct_climbers_standings
WITH finished AS (
    SELECT match_id FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'climbers'
),
rounds AS (
    SELECT match_id, round FROM stg_climbers_turn_started SEMI JOIN finished USING (match_id)
    UNION
    SELECT match_id, round FROM stg_match_ended SEMI JOIN finished USING (match_id)
),
changes AS ( -- a shifted climber stays on its level, L-3.shift
    SELECT match_id, seq, round, seat, to_x AS x, to_y AS y, to_level AS level, reached, (ladder <> 'none')::INTEGER AS spent
    FROM fct_climbers_climbs
    SEMI JOIN finished USING (match_id)
    UNION ALL
    SELECT match_id, seq, round, player, to_cell_x, to_cell_y, NULL, NULL, 0
    FROM stg_climbers_climber_shifted
    SEMI JOIN finished USING (match_id)
),
by_round AS (
    SELECT
        match_id, round, seat, arg_max(x, seq) AS x, arg_max(y, seq) AS y, arg_max(level, seq) AS level,
        arg_max(reached, seq) AS reached, coalesce(sum(spent), 0) AS spent
    FROM changes
    GROUP BY match_id, round, seat
),
standing AS ( -- two ladders per seat, L-5.pieces
    SELECT
        match_id, round, seat,
        last_value(x IGNORE NULLS) OVER so_far AS x,
        last_value(y IGNORE NULLS) OVER so_far AS y,
        coalesce(last_value(level IGNORE NULLS) OVER so_far, 0) AS level,
        coalesce(last_value(reached IGNORE NULLS) OVER so_far, 0) AS reached,
        2 - coalesce(sum(spent) OVER so_far, 0) AS ladders
    FROM (
        SELECT match_id, round, seat FROM rounds JOIN (FROM dim_seats SEMI JOIN batch USING (match_id)) USING (match_id)
    )
    LEFT JOIN by_round USING (match_id, round, seat)
    WINDOW so_far AS (
        PARTITION BY match_id, seat ORDER BY round ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
),
placed AS ( -- L-9.tie, L-9.table
    SELECT *, rank() OVER (PARTITION BY match_id, round ORDER BY level DESC, reached) AS place
    FROM standing
)
SELECT match_id, round, seat, x, y, level, reached, ladders, place, place = 1
FROM placed
ORDER BY match_id, round, seat;
