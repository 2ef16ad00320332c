-- fct_caravan_influence: one row per seat and completed round (match_id, round, seat).
CREATE TABLE fct_caravan_influence (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    religious INTEGER NOT NULL, -- religious influence at the end of the round, before eliminations
    political INTEGER NOT NULL, -- political influence
    economic INTEGER NOT NULL, -- economic influence, in yaks
    stupas INTEGER NOT NULL, -- stupas on the board
    delegations INTEGER NOT NULL, -- delegations on the board
);

INSERT INTO fct_caravan_influence
SELECT
    played.match_id,
    played.round,
    dim_seats.seat,
    sum(coalesce(changes.religious, 0)) OVER so_far,
    sum(coalesce(changes.political, 0)) OVER so_far,
    sum(coalesce(changes.economic, 0)) OVER so_far,
    sum(coalesce(changes.stupas, 0)) OVER so_far,
    sum(coalesce(changes.delegations, 0)) OVER so_far
FROM (FROM stg_caravan_round_ended SEMI JOIN batch USING (match_id)) AS played
JOIN dim_seats USING (match_id)
LEFT JOIN int_caravan_influence_changes AS changes
    ON changes.match_id = played.match_id AND changes.round = played.round AND changes.seat = dim_seats.seat
WINDOW so_far AS (PARTITION BY played.match_id, dim_seats.seat ORDER BY played.round)
ORDER BY played.match_id, played.round, dim_seats.seat;
