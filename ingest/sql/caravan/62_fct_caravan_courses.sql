-- fct_caravan_courses: one row per finished match of caravan: how it developed (match_id).
CREATE TABLE fct_caravan_courses (
    match_id INTEGER NOT NULL,
    lead_changes INTEGER NOT NULL, -- number of rounds after which the winners, if the match had ended then, differ from the previous ones
    decisive_round INTEGER, -- round from which the actual winners would have won, had the match ended after that or any later round
    comeback BOOLEAN NOT NULL, -- whether a winner would have been eliminated if the match had ended after a round from 6 on
    contested_villages INTEGER NOT NULL, -- number of contested villages, summed over rounds, see int_caravan_contests
    region_flips INTEGER NOT NULL, -- number of changes of regions' leaders, see int_caravan_region_flips
    margin INTEGER, -- the winner's yaks minus the most yaks of another seat that was not eliminated; 0 for a shared win; NULL if all other seats were eliminated
);

INSERT INTO fct_caravan_courses
WITH finished AS (
    SELECT match_id FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'caravan'
),
rounds AS ( -- sets of seats as bit masks
    SELECT
        match_id, round,
        sum(1 << seat) FILTER (wins) AS wins,
        sum(1 << seat) FILTER (won) AS won,
        coalesce(bool_or(won AND eliminated_by IS NOT NULL AND round >= 6), false) AS comeback
    FROM (
        SELECT match_id, round, seat, wins, standings.eliminated_by, won
        FROM fct_caravan_standings AS standings
        SEMI JOIN batch USING (match_id)
        JOIN dim_seats USING (match_id, seat)
    )
    GROUP BY match_id, round
),
leads AS (
    SELECT
        match_id,
        count(*) FILTER (wins <> before) AS changes,
        coalesce(max(round) FILTER (wins IS DISTINCT FROM won), 0) AS last_other,
        max(round) AS last_round,
        bool_or(comeback) AS comeback
    FROM (SELECT *, lag(wins IGNORE NULLS) OVER (PARTITION BY match_id ORDER BY round) AS before FROM rounds)
    GROUP BY match_id
),
contests AS (
    SELECT match_id, count(*) AS villages
    FROM (SELECT DISTINCT match_id, round, village FROM int_caravan_contests SEMI JOIN batch USING (match_id))
    GROUP BY match_id
),
finals AS (
    SELECT
        match_id,
        count(*) FILTER (won) AS winners,
        max(economic) FILTER (won) AS best,
        max(economic) FILTER (NOT won AND eliminated_by IS NULL) AS next
    FROM fct_caravan_seats
    SEMI JOIN batch USING (match_id)
    JOIN dim_seats USING (match_id, seat)
    GROUP BY match_id
),
flips AS (
    SELECT match_id, count(*) AS flips
    FROM int_caravan_region_flips
    SEMI JOIN batch USING (match_id)
    GROUP BY match_id
)
SELECT
    match_id,
    coalesce(leads.changes, 0),
    CASE WHEN last_other < last_round THEN last_other + 1 END,
    coalesce(leads.comeback, false),
    coalesce(contests.villages, 0),
    coalesce(flips.flips, 0),
    CASE WHEN winners > 1 AND best IS NOT NULL THEN 0 ELSE best - next END
FROM finished
JOIN finals USING (match_id)
LEFT JOIN leads USING (match_id)
LEFT JOIN contests USING (match_id)
LEFT JOIN flips USING (match_id)
ORDER BY match_id;
