-- dim_matches: one row per match (match_id).
CREATE TABLE dim_matches (
    match_id INTEGER NOT NULL,
    match VARCHAR NOT NULL, -- name in the log, unique
    game VARCHAR NOT NULL, -- name of the game
    rules_version VARCHAR NOT NULL, -- version of the rules
    tournament VARCHAR, -- from the log, or else as given when loading
    pairing INTEGER, -- number of the pairing in its tournament
    luck VARCHAR, -- the seed; matches with the same seed have the same dice
    players INTEGER NOT NULL, -- number of seats
    line_up VARCHAR NOT NULL, -- the players in seat order
    board_id VARCHAR NOT NULL, -- name of the board
    board_sha256 VARCHAR NOT NULL, -- SHA-256 of the board document
    options JSON NOT NULL, -- options of the match
    status VARCHAR NOT NULL, -- finished, abandoned, unfinished (no last line), or branch (played on from a position of another match)
    rounds INTEGER NOT NULL, -- number of the last round
    plies INTEGER NOT NULL, -- number of the last ply
    events INTEGER NOT NULL, -- lines of the log
    winner VARCHAR, -- names of the winners
    winner_seats INTEGER[], -- seats of the winners
    margin INTEGER, -- winning margin of a finished match; NULL if the game defines none
    margin_unit VARCHAR, -- unit of the margin
    nearest VARCHAR, -- smallest change that would have made another seat win, as a word of the game
    gap INTEGER, -- size of that change
    gap_unit VARCHAR, -- unit of the gap
    closeness DOUBLE, -- gap divided by the average gap of the game; 0 is the closest
    file VARCHAR NOT NULL, -- file with the log
    verdict VARCHAR NOT NULL, -- result of checking the rules: clean, waiting (not checked yet), or unjudged (rules or board not installed)
    luck_verdict VARCHAR, -- result of the seed check: follows, differs, or none if the log names no seed; NULL if not checked
    contents VARCHAR, -- digest of events, players, versions, settings, rules, options, board and seed, equal in all copies of a match; NULL unless finished
    is_copy BOOLEAN NOT NULL, -- whether a match with the same contents was loaded before; filters can leave copies out
);

INSERT INTO dim_matches
WITH seats AS (
    SELECT
        match_id,
        count(*) AS players,
        string_agg(player, ', ' ORDER BY seat) AS line_up,
        string_agg(player, ', ' ORDER BY seat) FILTER (won) AS winner,
        list(seat ORDER BY seat) FILTER (won) AS winner_seats
    FROM dim_seats
    SEMI JOIN batch USING (match_id)
    GROUP BY match_id
)
SELECT
    raw_matches.match_id,
    raw_matches.match,
    started.game,
    started.rules_version,
    coalesce(started.tournament, raw_matches.tournament),
    started.pairing,
    started.luck,
    seats.players,
    seats.line_up,
    started.board_id,
    started.board_sha256,
    started.options,
    CASE
        WHEN started.branch_match IS NULL THEN coalesce(CAST(ended.reason AS VARCHAR), 'unfinished')
        ELSE 'branch' -- branches are left out of figures, standings and models
    END AS status,
    raw_matches.rounds,
    raw_matches.plies,
    raw_matches.events,
    seats.winner,
    seats.winner_seats,
    NULL, -- margins and closeness are set after the tables of the game are filled
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    raw_matches.file,
    raw_matches.verdict,
    raw_matches.luck_verdict,
    NULL, -- set later for finished matches, before copies are marked
    false
FROM raw_matches
SEMI JOIN batch USING (match_id)
JOIN stg_match_started AS started USING (match_id)
JOIN seats USING (match_id)
LEFT JOIN stg_match_ended AS ended USING (match_id)
ORDER BY raw_matches.match_id;
