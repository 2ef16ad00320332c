-- fct_climbers_courses: one row per finished match of climbers: how it developed (match_id).
CREATE TABLE fct_climbers_courses (
    match_id INTEGER NOT NULL,
    turns INTEGER NOT NULL, -- number of turns
    steps INTEGER NOT NULL, -- steps of all climbers
    rises INTEGER NOT NULL, -- steps that led up
    ladders INTEGER NOT NULL, -- ladders used
    blocks_moved INTEGER NOT NULL, -- blocks moved
    discs INTEGER NOT NULL, -- discs placed
    hindrances INTEGER NOT NULL, -- number of rows in fct_climbers_hindrances
    highest INTEGER NOT NULL, -- level of the winner; 0 if no climber left the table
    lead_changes INTEGER NOT NULL, -- number of turns after which the winners, if the match had ended then, differ from the previous ones
    decisive_round INTEGER, -- turn from which the actual winners would have won, had the match ended after that or any later turn
    comeback BOOLEAN NOT NULL, -- whether a winner would have been last if the match had ended after a turn in its second half, except the last turn
    margin INTEGER NOT NULL, -- levels from the winner to the next-highest climber; 0 if level
    tie_break BOOLEAN NOT NULL, -- whether the only winner was on the same level as another climber, but reached it first
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
rounds AS ( -- sets of seats as bit masks
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
