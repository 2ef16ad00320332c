-- agg_climbers_standings: one row per cohort, turn, figure and value: distribution over seats (cohort, round, figure, value).
CREATE TABLE agg_climbers_standings (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    round INTEGER NOT NULL, -- number of the turn
    figure ENUM('level', 'ladders') NOT NULL, -- meaning of the value
    value INTEGER NOT NULL, -- value after the turn, see fct_climbers_standings
    seats INTEGER NOT NULL, -- number of seats with exactly this value, for exact quartiles
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
