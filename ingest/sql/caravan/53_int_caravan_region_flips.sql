-- int_caravan_region_flips: one row per change of a region's leader (match_id, region, round).
CREATE TABLE int_caravan_region_flips (
    match_id INTEGER NOT NULL,
    region INTEGER NOT NULL, -- number of the region
    round INTEGER NOT NULL, -- round that ended with a new leader
    seat INTEGER NOT NULL, -- new leader
    former INTEGER NOT NULL, -- previous leader, whether or not there was a tie in between
);

INSERT INTO int_caravan_region_flips
SELECT match_id, region, round, leader, former
FROM (
    SELECT match_id, region, round, leader, lag(leader) OVER (PARTITION BY match_id, region ORDER BY round) AS former
    FROM int_caravan_region_leaders
    SEMI JOIN batch USING (match_id)
    WHERE leader IS NOT NULL
)
WHERE former <> leader
ORDER BY match_id, region, round;
