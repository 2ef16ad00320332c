-- agg_caravan_influence: one row per cohort, round and amount of influence: distribution over seats (cohort, round, influence, value).
CREATE TABLE agg_caravan_influence (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    round INTEGER NOT NULL,
    influence ENUM('religious', 'political', 'economic') NOT NULL,
    value INTEGER NOT NULL, -- amount at the end of the round, see fct_caravan_influence
    seats INTEGER NOT NULL, -- number of seats with exactly this value, for exact quartiles
);

INSERT INTO agg_caravan_influence
SELECT
    cohort, round, CAST(influence AS ENUM('religious', 'political', 'economic')) AS influence, value, count(*) AS seats
FROM (
    UNPIVOT (
        SELECT cohort, round, fct_caravan_influence.religious, fct_caravan_influence.political, fct_caravan_influence.economic
        FROM (FROM fct_caravan_influence SEMI JOIN batch USING (match_id)) AS fct_caravan_influence
        JOIN (FROM dim_seats SEMI JOIN batch USING (match_id) WHERE cohort IS NOT NULL) AS dim_seats
            USING (match_id, seat)
    )
    ON religious, political, economic INTO NAME influence VALUE value
)
GROUP BY cohort, round, influence, value;
