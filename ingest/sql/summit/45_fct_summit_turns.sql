-- fct_summit_turns: one row per turn, with the choice made and the dice available (match_id, seq).
CREATE TABLE fct_summit_turns (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL, -- place of its first event in the log
    round INTEGER NOT NULL, -- number of the throw that the seat chose from
    turn INTEGER NOT NULL, -- number of the turn, over all seats
    seat INTEGER NOT NULL,
    rerolled BOOLEAN NOT NULL, -- whether all dice were rerolled instead of taking the last one
    choice ENUM('die', 'card', 'forfeit'), -- forfeit: a die by which no pawn could move; NULL if bad weather ended the match before the choice
    number INTEGER, -- value of the die or card
    piece ENUM('C', 'S0', 'S1', 'S2', 'S3'), -- pawn moved
    dice INTEGER NOT NULL, -- number of dice to choose from
    pips INTEGER NOT NULL, -- sum of these dice
);

INSERT INTO fct_summit_turns
WITH turns AS (
    SELECT match_id, seq, round, no, seat FROM stg_summit_turn_started SEMI JOIN batch USING (match_id)
),
choices AS (
    SELECT match_id, seq, round, 'die' AS choice, face AS number, 1 AS dice
    FROM stg_summit_die_taken
    SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT match_id, seq, round, 'card', value, 0 FROM stg_summit_supply_played SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT match_id, seq, round, 'forfeit', face, 1 FROM stg_summit_forfeited SEMI JOIN batch USING (match_id)
),
thrown AS (
    SELECT match_id, round, max(dice) AS dice, max(pips) AS pips
    FROM fct_summit_throws
    SEMI JOIN batch USING (match_id)
    GROUP BY match_id, round
),
chosen AS (
    SELECT
        turns.seq, of_throw.*
    FROM (
        SELECT
            choices.match_id, choices.seq AS chosen, round, choice, number,
            thrown.dice - coalesce(sum(choices.dice) OVER earlier, 0) AS dice,
            thrown.pips - coalesce(sum(choices.dice * number) OVER earlier, 0) AS pips
        FROM choices
        LEFT JOIN thrown USING (match_id, round)
        WINDOW earlier AS (
            PARTITION BY match_id, round ORDER BY choices.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
    ) AS of_throw
    ASOF JOIN turns ON turns.match_id = of_throw.match_id AND of_throw.chosen > turns.seq
    QUALIFY row_number() OVER (PARTITION BY of_throw.match_id, turns.seq ORDER BY chosen) = 1
),
moved AS (
    SELECT match_id, seq - 1 AS chosen, piece FROM stg_summit_pawn_moved SEMI JOIN batch USING (match_id)
),
rolled AS (
    SELECT turns.match_id, turns.seq, max(throws.round) AS round, bool_or(throws.cause = 'reroll') AS rerolled
    FROM (FROM fct_summit_throws SEMI JOIN batch USING (match_id)) AS throws
    ASOF JOIN turns ON turns.match_id = throws.match_id AND throws.seq > turns.seq
    GROUP BY ALL
)
SELECT
    turns.match_id,
    turns.seq,
    coalesce(chosen.round, rolled.round, turns.round),
    turns.no,
    turns.seat,
    coalesce(rolled.rerolled, false),
    chosen.choice,
    chosen.number,
    moved.piece,
    coalesce(chosen.dice, 0),
    coalesce(chosen.pips, 0)
FROM turns
LEFT JOIN chosen USING (match_id, seq)
LEFT JOIN rolled USING (match_id, seq)
LEFT JOIN moved ON moved.match_id = turns.match_id AND moved.chosen = chosen.chosen
ORDER BY turns.match_id, turns.seq;
