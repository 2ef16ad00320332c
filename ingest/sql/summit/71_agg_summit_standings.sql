-- agg_summit_standings: one row per kind of seat, throw, figure and how much of it such seats then had (cohort, round, figure, value).
CREATE TABLE agg_summit_standings (
    cohort INTEGER NOT NULL, -- the seats of one kind that the row sums up, a row of dim_cohorts
    round INTEGER NOT NULL, -- number of the throw
    figure ENUM('climber', 'sherpas') NOT NULL, -- what the value is of
    value INTEGER NOT NULL, -- before the next throw, as in fct_summit_standings
    seats INTEGER NOT NULL, -- that had just so much: quartiles of these are exact
);

INSERT INTO agg_summit_standings
SELECT cohort, round, CAST(figure AS ENUM('climber', 'sherpas')) AS figure, value, count(*) AS seats
FROM (
    UNPIVOT (
        SELECT cohort, round, climber, sherpas
        FROM (FROM fct_summit_standings SEMI JOIN batch USING (match_id))
        JOIN (SELECT match_id, seat, cohort FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL)
            USING (match_id, seat)
    )
    ON climber, sherpas INTO NAME figure VALUE value
)
GROUP BY cohort, round, figure, value;
