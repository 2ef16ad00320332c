-- fct_summit_moves: one row per movement of a pawn: by a die or card, taking or taken along, sliding, or chased by the Yeti (match_id, seq, piece).
CREATE TABLE fct_summit_moves (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the throw
    turn INTEGER, -- number of the turn, over all seats
    seat INTEGER NOT NULL, -- owner of the pawn
    piece ENUM('C', 'S0', 'S1', 'S2', 'S3') NOT NULL, -- C is the climber, the others are Sherpas
    kind ENUM('forward', 'back', 'went_on', 'taken_along', 'slid', 'chased') NOT NULL, -- forward, back: by a die or card; went_on: moved on by the number of Sherpas met; taken_along: one of the Sherpas met
    cause ENUM('die', 'card', 'landslide', 'avalanche', 'yeti_arrived', 'climber_left', 'slid') NOT NULL, -- die or card used, kind of slide, or why the Yeti chased it
    number INTEGER, -- value of the die or card, if moved forward or back
    from_field INTEGER NOT NULL, -- field before; 0 is the base camp
    to_field INTEGER NOT NULL, -- field after
    fields INTEGER NOT NULL, -- fields gained; negative if lost
);

INSERT INTO fct_summit_moves
WITH turns AS (
    SELECT match_id, seq, no FROM stg_summit_turn_started SEMI JOIN batch USING (match_id)
),
numbers AS ( -- die or card used: the event just before a move, or two events before a take-along
    SELECT match_id, seq, 'die' AS cause, face AS number FROM stg_summit_die_taken SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT match_id, seq, 'card', value FROM stg_summit_supply_played SEMI JOIN batch USING (match_id)
),
along AS ( -- the first mover is the one that took others along, S-6.along
    SELECT match_id, seq, round, seat, piece, min(nth) AS nth, from_field, to_field
    FROM (
        SELECT
            match_id, seq, round, seat, from_field, to_field, unnest(movers) AS piece,
            unnest(range(1, len(movers) + 1)) AS nth
        FROM stg_summit_take_along
        SEMI JOIN batch USING (match_id)
    )
    GROUP BY ALL
),
gone AS (
    SELECT match_id, seq, round, seat, piece::VARCHAR AS piece, CASE WHEN dir = 'back' THEN 'back' ELSE 'forward' END AS kind,
        seq - 1 AS chosen, from_field, to_field
    FROM stg_summit_pawn_moved
    SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT
        match_id, seq, round, seat, piece, CASE WHEN nth = 1 THEN 'went_on' ELSE 'taken_along' END, seq - 2, from_field,
        to_field
    FROM along
),
every AS (
    SELECT
        gone.match_id, gone.seq, round, seat, piece, kind, coalesce(numbers.cause, 'die') AS cause,
        CASE WHEN kind IN ('forward', 'back') THEN number END AS number, from_field, to_field
    FROM gone
    LEFT JOIN numbers ON numbers.match_id = gone.match_id AND numbers.seq = gone.chosen
    UNION ALL
    SELECT match_id, seq, round, seat, piece::VARCHAR, 'slid', kind::VARCHAR, NULL, from_field, to_field
    FROM stg_summit_slid
    SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT match_id, seq, round, seat, piece::VARCHAR, 'chased', cause::VARCHAR, NULL, from_field, to_field
    FROM stg_summit_yeti_chased
    SEMI JOIN batch USING (match_id)
)
SELECT
    every.match_id, every.seq, every.round, turns.no, every.seat, every.piece, every.kind, every.cause, every.number,
    every.from_field, every.to_field, every.to_field - every.from_field
FROM every
ASOF LEFT JOIN turns ON turns.match_id = every.match_id AND every.seq > turns.seq
ORDER BY every.match_id, every.seq, every.piece;
