-- fct_summit_throws: one row per throw of all dice, with the card and moves after it (match_id, seq).
CREATE TABLE fct_summit_throws (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    round INTEGER NOT NULL, -- number of the throw
    turn INTEGER, -- number of the turn, over all seats
    seat INTEGER NOT NULL, -- seat that threw; all seats take from the same dice
    cause ENUM('start', 'pool_empty', 'reroll') NOT NULL, -- start, pool_empty (no dice left) or reroll
    dice INTEGER NOT NULL, -- number of dice
    ones INTEGER NOT NULL, -- dice that showed 1
    twos INTEGER NOT NULL, -- dice that showed 2
    threes INTEGER NOT NULL, -- dice that showed 3
    fours INTEGER NOT NULL, -- dice that showed 4
    fives INTEGER NOT NULL, -- dice that showed 5
    sixes INTEGER NOT NULL, -- dice that showed 6
    pips INTEGER NOT NULL, -- sum of all dice
    luck DOUBLE NOT NULL, -- pips minus 3.5 per die
    yeti_card INTEGER, -- value of the Yeti card drawn after the throw; NULL at the start and for bad weather
    yeti_field INTEGER, -- field of the Yeti after that card
    chased INTEGER NOT NULL, -- number of Sherpas chased by the Yeti on arrival
    bad_weather BOOLEAN NOT NULL, -- whether the card was bad weather
    taken INTEGER NOT NULL, -- dice taken by seats, including forfeited ones
    taken_pips INTEGER NOT NULL, -- sum of the dice taken
);

INSERT INTO fct_summit_throws
WITH thrown AS (
    SELECT match_id, seq, round, thrower, cause, faces, list_sum(faces) AS pips
    FROM stg_summit_dice_rolled
    SEMI JOIN batch USING (match_id)
),
turns AS (
    SELECT match_id, seq, no FROM stg_summit_turn_started SEMI JOIN batch USING (match_id)
),
drawn AS ( -- a card is drawn after each throw except the first, S-5.throw
    SELECT match_id, round, max(card) AS card, max(field) AS field, max(chased) AS chased, bool_or(bad) AS bad
    FROM (
        SELECT match_id, round, card, NULL::INTEGER AS field, 0 AS chased, false AS bad
        FROM stg_summit_yeti_card_drawn
        SEMI JOIN batch USING (match_id)
        UNION ALL
        SELECT match_id, round, NULL, to_field, 0, false FROM stg_summit_yeti_moved SEMI JOIN batch USING (match_id)
        UNION ALL
        SELECT match_id, round, NULL, NULL, count(*), false
        FROM stg_summit_yeti_chased
        SEMI JOIN batch USING (match_id)
        WHERE cause = 'yeti_arrived'
        GROUP BY match_id, round
        UNION ALL
        SELECT match_id, round, NULL, NULL, 0, true FROM stg_summit_bad_weather SEMI JOIN batch USING (match_id)
    )
    GROUP BY match_id, round
),
taken AS (
    SELECT match_id, round, count(*) AS dice, sum(face) AS pips
    FROM (
        SELECT match_id, round, face FROM stg_summit_die_taken SEMI JOIN batch USING (match_id)
        UNION ALL
        SELECT match_id, round, face FROM stg_summit_forfeited SEMI JOIN batch USING (match_id)
    )
    GROUP BY match_id, round
)
SELECT
    thrown.match_id,
    thrown.seq,
    thrown.round,
    turns.no,
    thrown.thrower,
    thrown.cause,
    len(thrown.faces),
    len(list_filter(thrown.faces, lambda face: face = 1)),
    len(list_filter(thrown.faces, lambda face: face = 2)),
    len(list_filter(thrown.faces, lambda face: face = 3)),
    len(list_filter(thrown.faces, lambda face: face = 4)),
    len(list_filter(thrown.faces, lambda face: face = 5)),
    len(list_filter(thrown.faces, lambda face: face = 6)),
    coalesce(thrown.pips, 0),
    coalesce(thrown.pips, 0) - 3.5::DOUBLE * len(thrown.faces),
    drawn.card,
    drawn.field,
    coalesce(drawn.chased, 0),
    coalesce(drawn.bad, false),
    coalesce(taken.dice, 0),
    coalesce(taken.pips, 0)
FROM thrown
ASOF LEFT JOIN turns ON turns.match_id = thrown.match_id AND thrown.seq > turns.seq
LEFT JOIN drawn ON drawn.match_id = thrown.match_id AND drawn.round = thrown.round
LEFT JOIN taken ON taken.match_id = thrown.match_id AND taken.round = thrown.round
ORDER BY thrown.match_id, thrown.seq;
