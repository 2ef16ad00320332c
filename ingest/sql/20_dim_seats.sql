-- dim_seats: one row per seat of a match (match_id, seat).
CREATE TABLE dim_seats (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player VARCHAR NOT NULL, -- strategy or person
    version VARCHAR NOT NULL, -- of the player
    params JSON NOT NULL, -- of the player
    source_sha256 VARCHAR, -- what the player was made of, as the log names it or else the manifest of its tournament
    label VARCHAR NOT NULL, -- to show: the tribe or colour
    place INTEGER, -- the rank, from 1; seats with equal figures share it; none before the end
    won BOOLEAN NOT NULL, -- alone or shared
    ending VARCHAR, -- how it ended for the seat, in a word of its game, where won or lost does not say it, such as what it was eliminated by
    player_verdict VARCHAR, -- whether the player, asked again, chooses what the log says: repeats, differs, or not asked: it could not be; none if nobody has asked yet
    cohort INTEGER, -- of dim_cohorts, once the match is finished
);

INSERT INTO dim_seats
WITH sat AS (
    SELECT
        match_id,
        unnest(from_json(seats, '[{"seat":"INTEGER","player":"VARCHAR","version":"VARCHAR","params":"JSON","label":"VARCHAR","source_sha256":"VARCHAR"}]')) AS info
    FROM stg_match_started
    SEMI JOIN batch USING (match_id)
),
groups AS (
    SELECT match_id, ranking, unnest(range(1, len(ranking) + 1)) AS nth
    FROM stg_match_ended
    SEMI JOIN batch USING (match_id)
),
ranked AS (
    SELECT match_id, unnest(ranking[nth]) AS seat, 1 + len(flatten(ranking[1:nth - 1])) AS place
    FROM groups
),
endings AS (
    FROM ({seat_endings}) SEMI JOIN batch USING (match_id)
)
SELECT
    sat.match_id,
    info.seat,
    info.player,
    info.version,
    info.params,
    coalesce(info.source_sha256, CAST(raw_matches.player_sources AS MAP(VARCHAR, VARCHAR))[info.player]),
    info.label,
    ranked.place,
    coalesce(ranked.place = 1, false),
    endings.ending,
    string_split(raw_matches.player_verdicts, ',')[info.seat + 1],
    NULL
FROM sat
JOIN raw_matches ON raw_matches.match_id = sat.match_id
LEFT JOIN ranked ON ranked.match_id = sat.match_id AND ranked.seat = info.seat
LEFT JOIN endings ON endings.match_id = sat.match_id AND endings.seat = info.seat
ORDER BY sat.match_id, info.seat;
