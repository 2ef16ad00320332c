-- fct_climbers_turns: one row per turn of a finished match (match_id, round).
CREATE TABLE fct_climbers_turns (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the turn
    seat INTEGER NOT NULL, -- seat on turn
    block INTEGER, -- number of the block moved; NULL if none
    disc BOOLEAN NOT NULL, -- whether the seat's disc was placed
    steps INTEGER NOT NULL, -- steps of the seat's climber
    steps_others INTEGER NOT NULL, -- steps of other seats' climbers after the turn
    rises INTEGER NOT NULL, -- rises of all climbers
    streak INTEGER NOT NULL, -- turns in a row without a rise, including this one
    levels INTEGER[] NOT NULL, -- levels of all climbers after the turn, by seat
    leader INTEGER, -- seat that would win if the match had ended after the turn; NULL if shared
);

INSERT INTO fct_climbers_turns
WITH finished AS (
    SELECT match_id FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'climbers'
),
turns AS (
    SELECT match_id, round, arg_min(seat, seq) AS seat
    FROM stg_climbers_turn_started
    SEMI JOIN finished USING (match_id)
    GROUP BY ALL
),
moved AS (
    SELECT match_id, round, arg_max(block, seq) AS block
    FROM fct_climbers_placements
    SEMI JOIN finished USING (match_id)
    GROUP BY ALL
),
discs AS (
    SELECT DISTINCT match_id, round, true AS disc FROM fct_climbers_discs SEMI JOIN finished USING (match_id)
),
climbed AS (
    SELECT
        match_id, round, count(*) FILTER (phase <> 'others') AS steps,
        count(*) FILTER (phase = 'others') AS steps_others, count(reached) AS rises
    FROM fct_climbers_climbs
    SEMI JOIN finished USING (match_id)
    GROUP BY ALL
),
ended AS (
    SELECT match_id, round, max(streak) AS streak FROM stg_climbers_turn_ended SEMI JOIN finished USING (match_id) GROUP BY ALL
),
standing AS (
    SELECT
        match_id, round, list(level ORDER BY seat) AS levels,
        CASE WHEN count(*) FILTER (wins) = 1 THEN max(seat) FILTER (wins) END AS leader
    FROM fct_climbers_standings
    SEMI JOIN finished USING (match_id)
    GROUP BY ALL
)
SELECT
    match_id,
    round,
    seat,
    block,
    coalesce(disc, false),
    coalesce(steps, 0),
    coalesce(steps_others, 0),
    coalesce(rises, 0),
    coalesce(streak, 0),
    levels,
    leader
FROM turns
JOIN standing USING (match_id, round)
LEFT JOIN moved USING (match_id, round)
LEFT JOIN discs USING (match_id, round)
LEFT JOIN climbed USING (match_id, round)
LEFT JOIN ended USING (match_id, round)
ORDER BY match_id, round;
