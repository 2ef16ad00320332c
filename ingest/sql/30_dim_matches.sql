-- dim_matches: one row per match (match_id).
CREATE TABLE dim_matches (
    match_id INTEGER NOT NULL,
    match VARCHAR NOT NULL, -- name in the log, unique
    game VARCHAR NOT NULL, -- name of the game
    rules_version VARCHAR NOT NULL, -- version of the rules it was played by
    tournament VARCHAR, -- as the log names it, else as it was given with the logs
    pairing INTEGER, -- number of the pairing in its tournament
    luck VARCHAR, -- the seed: matches with the same seed meet the same dice
    players INTEGER NOT NULL, -- number of seats
    line_up VARCHAR NOT NULL, -- the players in seat order
    board_id VARCHAR NOT NULL, -- name of the board
    board_sha256 VARCHAR NOT NULL, -- SHA-256 of the data of the board
    options JSON NOT NULL, -- options of the match
    status VARCHAR NOT NULL, -- finished, abandoned, unfinished (no last line), or branch: tried out from a position of another match
    rounds INTEGER NOT NULL, -- the last round
    plies INTEGER NOT NULL, -- the last ply
    events INTEGER NOT NULL, -- lines of the log
    winner VARCHAR, -- the players who won
    winner_seats INTEGER[], -- and where they sat
    margin INTEGER, -- by how much a finished match was won; none where its game has no such figure
    margin_unit VARCHAR, -- what the margin counts
    nearest VARCHAR, -- the least that had to go otherwise in a finished match for another to win, in a word of its game
    gap INTEGER, -- how little of it
    gap_unit VARCHAR, -- what the gap counts
    closeness DOUBLE, -- the gap over that of an average match of its game: 0 is the closest
    file VARCHAR NOT NULL, -- where the log was found
    verdict VARCHAR NOT NULL, -- of the rules: clean, waiting (not judged yet), or unjudged: its rules or its board are not installed
    luck_verdict VARCHAR, -- whether its dice are those of its seed: follows, differs, or none if it names no seed; none if not judged
    contents VARCHAR, -- digest of its events, players, versions, settings, rules, options, board and seed: the same in every copy of a match; none unless finished
    is_copy BOOLEAN NOT NULL, -- whether a match of the same contents was there when it was loaded: of copies, a filter counts one
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
        ELSE 'branch' -- which no figure, standing or model counts
    END AS status,
    raw_matches.rounds,
    raw_matches.plies,
    raw_matches.events,
    seats.winner,
    seats.winner_seats,
    NULL, -- margins and closeness follow once the tables of the game have their rows
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    raw_matches.file,
    raw_matches.verdict,
    raw_matches.luck_verdict,
    NULL, -- contents follow for finished matches, then copies are marked
    false
FROM raw_matches
SEMI JOIN batch USING (match_id)
JOIN stg_match_started AS started USING (match_id)
JOIN seats USING (match_id)
LEFT JOIN stg_match_ended AS ended USING (match_id)
ORDER BY raw_matches.match_id;
