-- fct_climbers_courses: one row per finished match of climbers: its course (match_id).
CREATE TABLE fct_climbers_courses (
    match_id INTEGER NOT NULL,
    turns INTEGER NOT NULL, -- how many turns were taken
    steps INTEGER NOT NULL, -- of all climbers
    rises INTEGER NOT NULL, -- steps that led up
    ladders INTEGER NOT NULL, -- spent
    blocks_moved INTEGER NOT NULL, -- blocks moved
    discs INTEGER NOT NULL, -- laid
    hindrances INTEGER NOT NULL, -- rows of fct_climbers_hindrances
    highest INTEGER NOT NULL, -- the level of the winner; 0 if nobody left the table
    lead_changes INTEGER NOT NULL, -- turns after which others would have won than before
    decisive_round INTEGER, -- number of the turn from which on the seats that won would have won, had it ended after any
    comeback BOOLEAN NOT NULL, -- a winner would have come last, had it ended after a turn before the last in the second half
    margin INTEGER NOT NULL, -- levels from the winner to the next-highest climber; 0 if as high
    tie_break BOOLEAN NOT NULL, -- another was as high as the only winner, and came there later
);

INSERT INTO fct_climbers_courses
WITH finished AS (
    SELECT match_id FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'climbers'
),
standings AS (
    SELECT match_id, round, seat, level, place, wins, won, max(round) OVER (PARTITION BY match_id) AS rounds
    FROM (FROM fct_climbers_standings SEMI JOIN batch USING (match_id))
    JOIN (SELECT match_id, seat, won FROM dim_seats SEMI JOIN batch USING (match_id)) USING (match_id, seat)
),
rounds AS ( -- seats as the bits of a number
    SELECT
        match_id, round, sum(1 << seat) FILTER (wins) AS wins, sum(1 << seat) FILTER (won) AS won,
        bool_or(won AND last AND round < rounds AND 2 * round >= rounds) AS comeback
    FROM (SELECT *, place > 1 AND place = max(place) OVER (PARTITION BY match_id, round) AS last FROM standings)
    GROUP BY match_id, round
),
leads AS (
    SELECT
        match_id, count(*) FILTER (wins <> before) AS changes,
        coalesce(max(round) FILTER (wins IS DISTINCT FROM won), 0) AS last_other, max(round) AS last_round,
        bool_or(comeback) AS comeback
    FROM (SELECT *, lag(wins) OVER (PARTITION BY match_id ORDER BY round) AS before FROM rounds)
    GROUP BY match_id
),
margins AS (
    SELECT
        match_id, max(level) AS highest, count(*) FILTER (place = 1) = 1 AS alone,
        max(level) - max(level) FILTER (place > 1) AS margin
    FROM standings
    WHERE round = rounds
    GROUP BY match_id
),
turns AS (
    SELECT match_id, count(*) AS turns FROM fct_climbers_turns SEMI JOIN batch USING (match_id) GROUP BY match_id
),
climbed AS (
    SELECT match_id, count(*) AS steps, count(reached) AS rises, count(*) FILTER (ladder <> 'none') AS ladders
    FROM fct_climbers_climbs
    SEMI JOIN batch USING (match_id)
    GROUP BY match_id
),
moved AS (
    SELECT match_id, count(*) AS blocks FROM fct_climbers_placements SEMI JOIN batch USING (match_id) GROUP BY match_id
),
laid AS (
    SELECT match_id, count(*) AS discs FROM fct_climbers_discs SEMI JOIN batch USING (match_id) GROUP BY match_id
),
lost AS (
    SELECT match_id, count(*) AS steps_lost FROM fct_climbers_hindrances SEMI JOIN batch USING (match_id) GROUP BY match_id
)
SELECT
    match_id,
    coalesce(turns, 0),
    coalesce(steps, 0),
    coalesce(rises, 0),
    coalesce(ladders, 0),
    coalesce(blocks, 0),
    coalesce(discs, 0),
    coalesce(steps_lost, 0),
    coalesce(highest, 0),
    coalesce(changes, 0),
    CASE WHEN last_other < last_round THEN last_other + 1 END,
    coalesce(comeback, false),
    coalesce(margin, 0),
    coalesce(alone AND margin = 0, false)
FROM finished
LEFT JOIN leads USING (match_id)
LEFT JOIN margins USING (match_id)
LEFT JOIN turns USING (match_id)
LEFT JOIN climbed USING (match_id)
LEFT JOIN moved USING (match_id)
LEFT JOIN laid USING (match_id)
LEFT JOIN lost USING (match_id)
ORDER BY match_id;
