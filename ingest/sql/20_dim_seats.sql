-- dim_seats: one row per seat of a match (match_id, seat).
CREATE TABLE dim_seats (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player VARCHAR NOT NULL, -- strategy or person
    version VARCHAR NOT NULL, -- of the player
    params JSON NOT NULL, -- of the player
    label VARCHAR NOT NULL, -- to show: the tribe or colour
    place INTEGER, -- the rank, from 1; seats with equal figures share it; none before the end
    won BOOLEAN NOT NULL, -- alone or shared
    religious INTEGER, -- this and what follows but for the cohort, of a game with these influences: final influence
    political INTEGER, -- final influence, counted anew after the first elimination
    economic INTEGER, -- final influence: yaks
    eliminated_by VARCHAR, -- religious or political
    tie_break VARCHAR, -- what decided the elimination between equals
    cohort INTEGER, -- of dim_cohorts, once the match is finished
);

INSERT INTO dim_seats
WITH sat AS (
    SELECT
        match_id,
        unnest(from_json(seats, '[{"seat":"INTEGER","player":"VARCHAR","version":"VARCHAR","params":"JSON","label":"VARCHAR"}]')) AS info
    FROM stg_match_started
    SEMI JOIN batch USING (match_id)
),
groups AS (
    SELECT match_id, ranking, scores, unnest(range(1, len(ranking) + 1)) AS nth
    FROM stg_match_ended
    SEMI JOIN batch USING (match_id)
),
ranked AS (
    SELECT match_id, scores, unnest(ranking[nth]) AS seat, 1 + len(flatten(ranking[1:nth - 1])) AS place
    FROM groups
)
SELECT
    sat.match_id,
    info.seat,
    info.player,
    info.version,
    info.params,
    info.label,
    ranked.place,
    coalesce(ranked.place = 1, false),
    CAST(ranked.scores -> info.seat ->> 'religious' AS INTEGER),
    CAST(ranked.scores -> info.seat ->> 'political' AS INTEGER),
    CAST(ranked.scores -> info.seat ->> 'economic' AS INTEGER),
    fct_eliminations.influence,
    fct_eliminations.tie_break,
    NULL
FROM sat
LEFT JOIN ranked ON ranked.match_id = sat.match_id AND ranked.seat = info.seat
LEFT JOIN fct_eliminations ON fct_eliminations.match_id = sat.match_id AND fct_eliminations.seat = info.seat
ORDER BY sat.match_id, info.seat;
