-- fct_summit_standings: one row per seat and throw of a finished match: the ranking if the match had ended before the next throw (match_id, round, seat).
CREATE TABLE fct_summit_standings (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the throw
    seat INTEGER NOT NULL,
    climber INTEGER NOT NULL, -- field of its climber
    sherpas INTEGER NOT NULL, -- sum of the fields of its Sherpas
    place INTEGER NOT NULL, -- rank from 1, shared by equal seats
    wins BOOLEAN NOT NULL, -- whether the seat would win, alone or shared
);

-- Computes the same as `standing` in himalaya_core/summit/scoring.py.
INSERT INTO fct_summit_standings
WITH finished AS (
    SELECT match_id FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'summit'
),
rounds AS (
    SELECT match_id, round FROM fct_summit_throws SEMI JOIN finished USING (match_id)
    UNION
    SELECT match_id, round FROM stg_match_ended SEMI JOIN finished USING (match_id)
),
changes AS (
    SELECT match_id, round, seat, 0 AS climber, 0 AS sherpas
    FROM rounds
    JOIN (FROM dim_seats SEMI JOIN batch USING (match_id)) USING (match_id)
    UNION ALL
    SELECT
        match_id, round, seat, CASE WHEN piece = 'C' THEN fields ELSE 0 END, CASE WHEN piece = 'C' THEN 0 ELSE fields END
    FROM fct_summit_moves
    SEMI JOIN finished USING (match_id)
),
standing AS ( -- the Sherpas start on the first four fields, S-4.pawns
    SELECT
        match_id, round, seat, sum(sum(climber)) OVER so_far AS climber, 10 + sum(sum(sherpas)) OVER so_far AS sherpas
    FROM changes
    GROUP BY match_id, round, seat
    WINDOW so_far AS (PARTITION BY match_id, seat ORDER BY round)
),
placed AS ( -- S-10.weather, S-10.tie
    SELECT
        match_id, round, seat, climber, sherpas,
        rank() OVER (
            PARTITION BY match_id, round ORDER BY climber DESC, CASE WHEN climber = 0 THEN sherpas ELSE 0 END DESC
        ) AS place
    FROM standing
    SEMI JOIN rounds USING (match_id, round)
)
SELECT match_id, round, seat, climber, sherpas, place, place = 1
FROM placed
ORDER BY match_id, round, seat;
