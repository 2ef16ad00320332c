-- agg_summit_standings: one row per cohort, throw, figure and value: distribution over seats (cohort, round, figure, value).
CREATE TABLE agg_summit_standings (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    round INTEGER NOT NULL, -- number of the throw
    figure ENUM('climber', 'sherpas') NOT NULL, -- meaning of the value
    value INTEGER NOT NULL, -- value before the next throw, see fct_summit_standings
    seats INTEGER NOT NULL, -- number of seats with exactly this value, for exact quartiles
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
