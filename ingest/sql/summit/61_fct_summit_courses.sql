-- fct_summit_courses: one row per finished match of summit: how it developed (match_id).
CREATE TABLE fct_summit_courses (
    match_id INTEGER NOT NULL,
    ending ENUM('summit', 'bad_weather') NOT NULL, -- how it ended
    throws INTEGER NOT NULL,
    rerolls INTEGER NOT NULL, -- throws instead of taking the last die
    turns INTEGER NOT NULL, -- number of turns
    forfeits INTEGER NOT NULL, -- turns with a die by which no pawn could move
    take_alongs INTEGER NOT NULL, -- take-alongs
    slides INTEGER NOT NULL, -- slides of Sherpas
    chases INTEGER NOT NULL, -- Sherpas chased by the Yeti
    lead_changes INTEGER NOT NULL, -- number of throws after which the winners, if the match had ended before the next throw, differ from the previous ones
    decisive_round INTEGER, -- throw from which the actual winners would have won, had the match ended after that or any later throw
    comeback BOOLEAN NOT NULL, -- whether a winner would have been last if the match had ended after a throw in its second half, except the last throw
    margin INTEGER NOT NULL, -- fields from the winner's climber to the next-highest of another seat; 0 for a shared win
);

INSERT INTO fct_summit_courses
WITH finished AS (
    SELECT match_id FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'summit'
),
standings AS (
    SELECT match_id, round, seat, climber, place, wins, won, max(round) OVER (PARTITION BY match_id) AS rounds
    FROM (FROM fct_summit_standings SEMI JOIN batch USING (match_id))
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
    SELECT match_id, max(climber) FILTER (place = 1) - max(climber) FILTER (place > 1) AS margin
    FROM standings
    WHERE round = rounds
    GROUP BY match_id
    HAVING count(*) FILTER (place = 1) = 1
),
throws AS (
    SELECT match_id, count(*) AS throws, count(*) FILTER (cause = 'reroll') AS rerolls, bool_or(bad_weather) AS bad
    FROM fct_summit_throws
    SEMI JOIN batch USING (match_id)
    GROUP BY match_id
),
turns AS (
    SELECT match_id, count(*) AS turns, count(*) FILTER (choice = 'forfeit') AS forfeits
    FROM fct_summit_turns
    SEMI JOIN batch USING (match_id)
    GROUP BY match_id
),
moved AS (
    SELECT
        match_id, count(*) FILTER (kind = 'went_on') AS take_alongs, count(*) FILTER (kind = 'slid') AS slides,
        count(*) FILTER (kind = 'chased') AS chases
    FROM fct_summit_moves
    SEMI JOIN batch USING (match_id)
    GROUP BY match_id
)
SELECT
    match_id,
    CASE WHEN bad THEN 'bad_weather' ELSE 'summit' END,
    coalesce(throws, 0),
    coalesce(rerolls, 0),
    coalesce(turns, 0),
    coalesce(forfeits, 0),
    coalesce(take_alongs, 0),
    coalesce(slides, 0),
    coalesce(chases, 0),
    coalesce(changes, 0),
    CASE WHEN last_other < last_round THEN last_other + 1 END,
    coalesce(comeback, false),
    coalesce(margin, 0)
FROM finished
LEFT JOIN leads USING (match_id)
LEFT JOIN margins USING (match_id)
LEFT JOIN throws USING (match_id)
LEFT JOIN turns USING (match_id)
LEFT JOIN moved USING (match_id)
ORDER BY match_id;
