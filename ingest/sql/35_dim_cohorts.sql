-- dim_cohorts: one row per cohort: seats of finished matches that are equal in all columns of this table (cohort).
CREATE TABLE dim_cohorts (
    cohort INTEGER NOT NULL, -- id of a cohort in dim_cohorts
    game VARCHAR NOT NULL, -- name of the game
    board_id VARCHAR NOT NULL, -- name of the board
    board_sha256 VARCHAR NOT NULL, -- SHA-256 of the board document
    tournament VARCHAR, -- name of the tournament; NULL for a single match
    players INTEGER NOT NULL, -- number of seats at the table
    options JSON NOT NULL, -- options of the match
    verdict VARCHAR NOT NULL,
    seat INTEGER NOT NULL, -- seat at the table, from 0
    player VARCHAR NOT NULL, -- name of the player, a program or a person
    version VARCHAR NOT NULL, -- version of the player
    params JSON NOT NULL,
    place INTEGER, -- rank from 1; NULL before the end
    won BOOLEAN NOT NULL,
    ending VARCHAR, -- game-specific word for the result, more precise than won or lost
    copy VARCHAR, -- name of the match if it is a copy, so that copies form separate cohorts; NULL otherwise
);

INSERT INTO dim_cohorts
WITH kinds AS (
    SELECT
        game, board_id, board_sha256, tournament, dim_matches.players, options, verdict, seat, player, version,
        params, place, won, ending, CASE WHEN is_copy THEN match END AS copy, min((match_id, seat)) AS appeared
    FROM (FROM dim_seats SEMI JOIN batch USING (match_id)) AS dim_seats
    JOIN (FROM dim_matches SEMI JOIN batch USING (match_id)) AS dim_matches USING (match_id)
    WHERE status = 'finished'
    GROUP BY ALL
)
SELECT
    (SELECT coalesce(max(cohort), 0) FROM dim_cohorts) + row_number() OVER (ORDER BY appeared),
    game, board_id, board_sha256, tournament, players, options, verdict, seat, player, version, params,
    place, won, ending, copy
FROM kinds
ANTI JOIN dim_cohorts AS known
    ON known.game = kinds.game AND known.board_id = kinds.board_id AND known.board_sha256 = kinds.board_sha256
    AND known.tournament IS NOT DISTINCT FROM kinds.tournament AND known.players = kinds.players
    AND known.options = kinds.options AND known.verdict = kinds.verdict
    AND known.seat = kinds.seat AND known.player = kinds.player
    AND known.version = kinds.version AND known.params = kinds.params
    AND known.place IS NOT DISTINCT FROM kinds.place AND known.won = kinds.won
    AND known.ending IS NOT DISTINCT FROM kinds.ending AND known.copy IS NOT DISTINCT FROM kinds.copy
ORDER BY appeared;

UPDATE dim_seats SET cohort = kind.cohort
FROM dim_cohorts AS kind, (FROM dim_matches SEMI JOIN batch USING (match_id)) AS match
WHERE match.match_id = dim_seats.match_id AND match.status = 'finished'
    AND match.game = kind.game AND match.board_id = kind.board_id AND match.board_sha256 = kind.board_sha256
    AND match.tournament IS NOT DISTINCT FROM kind.tournament AND match.players = kind.players
    AND match.options = kind.options AND match.verdict = kind.verdict
    AND dim_seats.seat = kind.seat AND dim_seats.player = kind.player
    AND dim_seats.version = kind.version AND dim_seats.params = kind.params
    AND dim_seats.place IS NOT DISTINCT FROM kind.place AND dim_seats.won = kind.won
    AND dim_seats.ending IS NOT DISTINCT FROM kind.ending
    AND CASE WHEN match.is_copy THEN kind.copy = match.match ELSE kind.copy IS NULL END;
