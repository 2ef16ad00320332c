-- agg_climbers_standings: one row per kind of seat, turn, figure and how much of it such seats then had (cohort, round, figure, value).
CREATE TABLE agg_climbers_standings (
    cohort INTEGER NOT NULL, -- the seats of one kind that the row sums up, a row of dim_cohorts
    round INTEGER NOT NULL, -- number of the turn
    figure ENUM('level', 'ladders') NOT NULL, -- what the value is of
    value INTEGER NOT NULL, -- after the turn, as in fct_climbers_standings
    seats INTEGER NOT NULL, -- that had just so much: quartiles of these are exact
);

INSERT INTO agg_climbers_standings
SELECT cohort, round, CAST(figure AS ENUM('level', 'ladders')) AS figure, value, count(*) AS seats
FROM (
    UNPIVOT (
        SELECT cohort, round, level, ladders
        FROM (FROM fct_climbers_standings SEMI JOIN batch USING (match_id))
        JOIN (SELECT match_id, seat, cohort FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL)
            USING (match_id, seat)
    )
    ON level, ladders INTO NAME figure VALUE value
)
GROUP BY cohort, round, figure, value;
