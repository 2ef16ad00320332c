-- int_caravan_influence_changes: one row per round and seat with a change in influence (match_id, round, seat).
CREATE TABLE int_caravan_influence_changes (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    religious INTEGER NOT NULL, -- change in religious influence this round
    political INTEGER NOT NULL, -- change in political influence this round
    economic INTEGER NOT NULL, -- change in economic influence this round, in yaks
    stupas INTEGER NOT NULL, -- stupas placed this round
    delegations INTEGER NOT NULL, -- delegations sent this round
);

INSERT INTO int_caravan_influence_changes
WITH turnover AS (
    SELECT match_id, round, leader, lag(leader) OVER (PARTITION BY match_id, region ORDER BY round) AS former
    FROM int_caravan_region_leaders
    SEMI JOIN batch USING (match_id)
),
changes AS (
    SELECT match_id, round, seat, level AS religious, 0 AS political, 0 AS economic, 1 AS stupas, 0 AS delegations
    FROM stg_caravan_stupa_placed
    UNION ALL
    SELECT
        match_id, round, seat, 0, 0, 0, 0,
        regions_1 + regions_2 + regions_3 + regions_4 + regions_5 + regions_6 + regions_7 + regions_8
    FROM stg_caravan_delegations_sent
    UNION ALL
    SELECT match_id, round, leader, 0, 1, 0, 0, 0
    FROM turnover
    WHERE leader IS NOT NULL AND leader IS DISTINCT FROM former
    UNION ALL
    SELECT match_id, round, former, 0, -1, 0, 0, 0
    FROM turnover
    WHERE former IS NOT NULL AND leader IS DISTINCT FROM former
    UNION ALL
    SELECT match_id, round, seat, 0, 0, yaks, 0, 0
    FROM stg_caravan_bartered
    UNION ALL
    SELECT match_id, round, seat, 0, 0, yaks, 0, 0
    FROM stg_caravan_inventory_marker_taken
)
SELECT match_id, round, seat, sum(religious), sum(political), sum(economic), sum(stupas), sum(delegations)
FROM changes
SEMI JOIN batch USING (match_id)
GROUP BY match_id, round, seat
ORDER BY match_id, round, seat;
