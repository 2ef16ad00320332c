-- fct_climbers_seats: one row per seat of a finished match of climbers: totals of its actions, and its result (match_id, seat).
CREATE TABLE fct_climbers_seats (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    colour ENUM('teal', 'purple', 'yellow', 'red', 'pink', 'neutral'), -- colour of the climber
    level INTEGER NOT NULL, -- level reached: levels_own + levels_others
    turns INTEGER NOT NULL, -- number of turns
    steps_own INTEGER NOT NULL, -- steps in its own turns
    steps_others INTEGER NOT NULL, -- steps after other seats' turns
    rises INTEGER NOT NULL, -- steps that led up
    levels_own INTEGER NOT NULL, -- levels gained in its own turns
    levels_others INTEGER NOT NULL, -- levels gained after other seats' turns
    levels_by_ladder INTEGER NOT NULL, -- levels gained with ladders
    ladders_left INTEGER NOT NULL, -- ladders left, of two
    blocks_moved INTEGER NOT NULL, -- blocks moved
    blocks_turned INTEGER NOT NULL, -- blocks turned in place
    disc_used BOOLEAN NOT NULL, -- whether it placed its disc
    hindered INTEGER NOT NULL, -- times another seat's block or disc took away a possible step: hindered_by_blocks + hindered_by_discs
    hindered_by_blocks INTEGER NOT NULL, -- times another seat's block took away a possible step
    hindered_by_discs INTEGER NOT NULL, -- times another seat's disc took away a possible step
    hindered_by INTEGER[] NOT NULL, -- the number hindered as a list, by the seat that took away the step
    hindering INTEGER NOT NULL, -- times its own block or disc took away a possible step of another seat, counted per seat
    shifted INTEGER NOT NULL, -- times another seat shifted its climber to make room for a block
);

INSERT INTO fct_climbers_seats
WITH seats AS (
    SELECT match_id, seat
    FROM dim_seats
    SEMI JOIN batch USING (match_id)
    JOIN (FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'climbers') USING (match_id)
),
colours AS (
    SELECT match_id, player AS seat, min(colour) AS colour
    FROM stg_climbers_colour_assigned
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
final AS (
    SELECT match_id, seat, arg_max(level, round) AS level, arg_max(ladders, round) AS ladders
    FROM fct_climbers_standings
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
turns AS (
    SELECT match_id, seat, count(*) AS turns FROM fct_climbers_turns SEMI JOIN batch USING (match_id) GROUP BY ALL
),
climbed AS (
    SELECT
        match_id, seat,
        count(*) FILTER (phase <> 'others') AS steps_own,
        count(*) FILTER (phase = 'others') AS steps_others,
        count(reached) AS rises,
        sum(rise) FILTER (phase <> 'others') AS levels_own,
        sum(rise) FILTER (phase = 'others') AS levels_others,
        sum(rise) FILTER (ladder <> 'none') AS levels_by_ladder
    FROM fct_climbers_climbs
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
moved AS (
    SELECT match_id, seat, count(*) AS blocks, count(*) FILTER (turned) AS turned
    FROM fct_climbers_placements
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
laid AS (
    SELECT DISTINCT match_id, seat, true AS disc FROM fct_climbers_discs SEMI JOIN batch USING (match_id)
),
lost AS (
    SELECT match_id, seat, by_seat, count(*) AS times, count(*) FILTER (means = 'block') AS by_block
    FROM fct_climbers_hindrances
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
hindered AS (
    SELECT match_id, seat, sum(times) AS times, sum(by_block) AS by_block FROM lost GROUP BY ALL
),
hindering AS (
    SELECT match_id, by_seat AS seat, sum(times) AS times FROM lost GROUP BY ALL
),
by_whom AS (
    SELECT match_id, seat, list(coalesce(times, 0)::INTEGER ORDER BY by_seat) AS times
    FROM seats
    JOIN (SELECT match_id, seat AS by_seat FROM seats) USING (match_id)
    LEFT JOIN lost USING (match_id, seat, by_seat)
    GROUP BY ALL
),
aside AS (
    SELECT match_id, player AS seat, count(*) AS times
    FROM stg_climbers_climber_shifted
    SEMI JOIN batch USING (match_id)
    WHERE player <> seat
    GROUP BY match_id, player
)
SELECT
    match_id,
    seat,
    colour,
    coalesce(final.level, 0),
    coalesce(turns, 0),
    coalesce(steps_own, 0),
    coalesce(steps_others, 0),
    coalesce(rises, 0),
    coalesce(levels_own, 0),
    coalesce(levels_others, 0),
    coalesce(levels_by_ladder, 0),
    coalesce(final.ladders, 2), -- L-5.pieces
    coalesce(blocks, 0),
    coalesce(turned, 0),
    coalesce(disc, false),
    coalesce(hindered.times, 0),
    coalesce(hindered.by_block, 0),
    coalesce(hindered.times - hindered.by_block, 0),
    by_whom.times,
    coalesce(hindering.times, 0),
    coalesce(aside.times, 0)
FROM seats
JOIN by_whom USING (match_id, seat)
LEFT JOIN colours USING (match_id, seat)
LEFT JOIN final USING (match_id, seat)
LEFT JOIN turns USING (match_id, seat)
LEFT JOIN climbed USING (match_id, seat)
LEFT JOIN moved USING (match_id, seat)
LEFT JOIN laid USING (match_id, seat)
LEFT JOIN hindered USING (match_id, seat)
LEFT JOIN hindering USING (match_id, seat)
LEFT JOIN aside USING (match_id, seat)
ORDER BY match_id, seat;
