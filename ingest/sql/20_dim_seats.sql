-- dim_seats: one row per seat of a match (match_id, seat).
CREATE TABLE dim_seats (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player VARCHAR NOT NULL, -- name of the player, a program or a person
    spelling VARCHAR, -- name as in the log, if it differs from its normal form (NFC, single spaces, trimmed)
    version VARCHAR NOT NULL, -- version of the player
    params JSON NOT NULL, -- parameters of the player
    source_sha256 VARCHAR, -- source digest of the player, from the log or else from the manifest of the tournament
    label VARCHAR NOT NULL, -- name of the seat: tribe or colour
    place INTEGER, -- rank from 1, shared by equal seats; NULL before the end
    won BOOLEAN NOT NULL, -- whether it won, alone or shared
    ending VARCHAR, -- game-specific word for the result, more precise than won or lost, e.g. the influence that eliminated the seat
    player_verdict VARCHAR, -- whether the player reproduces its decisions: repeats, differs, or not asked (not possible); NULL if not checked
    cohort INTEGER, -- id in dim_cohorts, once the match is finished
);

INSERT INTO dim_seats
WITH named AS (
    SELECT
        match_id,
        unnest(from_json(seats, '[{"seat":"INTEGER","player":"VARCHAR","version":"VARCHAR","params":"JSON","label":"VARCHAR","source_sha256":"VARCHAR"}]')) AS info
    FROM stg_match_started
    SEMI JOIN batch USING (match_id)
),
normal AS ( -- normalizes names like himalaya_core.names.normalize_name
    SELECT
        match_id,
        info,
        trim(regexp_replace(nfc_normalize(info.player), '[\s\v\x{1c}-\x{1f}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+', ' ', 'g')) AS normal
    FROM named
),
sat AS ( -- escapes invisible characters like himalaya_core.names.visible
    SELECT
        match_id,
        info,
        normal,
        list_transform([normal, info.label], lambda name: CASE
            WHEN regexp_full_match(name, '[ -~]*') THEN name
            ELSE array_to_string(list_transform(string_split(name, ''), lambda letter, place: CASE
                WHEN letter IN (chr(8204), chr(8205)) AND unicode(name[place - 1]) > 127 THEN letter
                WHEN regexp_matches(letter, '[\x{00}-\x{1F}\x{7F}-\x{9F}\x{AD}\x{34F}\x{61C}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180E}\x{200B}-\x{200F}\x{2028}-\x{202E}\x{2060}-\x{206F}\x{3164}\x{FEFF}\x{FFA0}\x{FFF9}-\x{FFFB}\x{E0000}-\x{E0FFF}]')
                    THEN printf('⟨U+%04X⟩', unicode(letter))
                ELSE letter
            END), '')
        END) AS shown
    FROM normal
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
    sat.shown[1],
    CASE WHEN info.player <> sat.normal THEN info.player END,
    info.version,
    info.params,
    coalesce(info.source_sha256, CAST(raw_matches.player_sources AS MAP(VARCHAR, VARCHAR))[info.player]),
    sat.shown[2],
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
