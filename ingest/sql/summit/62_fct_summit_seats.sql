-- fct_summit_seats: one row per seat of a finished match of summit: totals of its actions, and its result (match_id, seat).
CREATE TABLE fct_summit_seats (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    turns INTEGER NOT NULL, -- number of turns
    throws INTEGER NOT NULL, -- throws by this seat
    rerolls INTEGER NOT NULL, -- rerolls by this seat
    dice INTEGER NOT NULL, -- dice taken, including forfeited ones
    forfeits INTEGER NOT NULL, -- dice taken by which no pawn could move
    pips INTEGER NOT NULL, -- sum of the dice taken: 3.5 dice + dice_luck + dice_left + dice_choice
    dice_luck DOUBLE NOT NULL, -- mean of all dice of the throw minus 3.5, summed over the dice taken
    dice_left DOUBLE NOT NULL, -- mean of the dice left to choose from minus the mean of all dice of the throw, summed over the dice taken
    dice_choice DOUBLE NOT NULL, -- value taken minus the mean of the dice left to choose from, summed over the dice taken
    cards_played INTEGER NOT NULL, -- supply cards played
    card_pips INTEGER NOT NULL, -- sum of the values moved by cards
    cards_taken_back INTEGER NOT NULL, -- supply cards taken back
    cards_declined INTEGER NOT NULL, -- times the seat could have taken a card back, but did not
    unused_pips INTEGER NOT NULL, -- pips of dice and cards that moved no pawn: half of each move back, pips beyond the summit, and forfeited dice
    climber INTEGER NOT NULL, -- final field of its climber, which is its highest
    arrived BOOLEAN NOT NULL, -- whether its climber reached the summit
    climber_moves INTEGER NOT NULL, -- turns that moved the climber
    sherpas INTEGER NOT NULL, -- sum of the final fields of its Sherpas: 10 + fields_forward - fields_back + fields_along - fields_slid - fields_chased
    forward_moves INTEGER NOT NULL, -- moves of Sherpas forward by a die or card
    fields_forward INTEGER NOT NULL, -- fields gained by moves of Sherpas forward
    back_moves INTEGER NOT NULL, -- moves of Sherpas back by a die or card
    fields_back INTEGER NOT NULL, -- fields lost by moves of Sherpas back
    take_alongs INTEGER NOT NULL, -- take-alongs
    taken_along INTEGER NOT NULL, -- own Sherpas taken along
    fields_along INTEGER NOT NULL, -- fields gained in take-alongs, by own Sherpas that took others along or were taken along
    slides INTEGER NOT NULL, -- slides of Sherpas
    fields_slid INTEGER NOT NULL, -- fields lost by slides
    chases INTEGER NOT NULL, -- Sherpas chased by the Yeti
    fields_chased INTEGER NOT NULL, -- fields lost by chases
    chases_yeti_arrived INTEGER NOT NULL, -- chases because the Yeti arrived
    chases_climber_left INTEGER NOT NULL, -- chases because the climber left
    chases_slid INTEGER NOT NULL, -- chases because the Sherpa slid to the Yeti
);

INSERT INTO fct_summit_seats
WITH seats AS (
    SELECT match_id, seat
    FROM dim_seats
    SEMI JOIN batch USING (match_id)
    JOIN (FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'summit') USING (match_id)
),
thrown AS (
    SELECT match_id, seat, count(*) AS throws, count(*) FILTER (cause = 'reroll') AS rerolls
    FROM fct_summit_throws
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
chosen AS ( -- means in units of 1/840, so that sums of means of 1 to 8 dice are exact
    SELECT
        match_id, seat, count(*) AS turns,
        count(*) FILTER (choice = 'card') AS cards_played,
        sum(number) FILTER (choice = 'card') AS card_pips,
        count(*) FILTER (choice <> 'card') AS dice,
        count(*) FILTER (choice = 'forfeit') AS forfeits,
        sum(number) FILTER (choice = 'forfeit') AS forfeited_pips,
        sum(number) FILTER (choice <> 'card') AS pips,
        sum(thrown_mean - 2940) FILTER (choice <> 'card') AS luck,
        sum(left_mean - thrown_mean) FILTER (choice <> 'card') AS left_over,
        sum(840 * number - left_mean) FILTER (choice <> 'card') AS choice
    FROM (
        SELECT
            turns.match_id, turns.seat, turns.choice, turns.number,
            coalesce(840 * turns.pips // nullif(turns.dice, 0), 0) AS left_mean,
            coalesce(840 * throws.pips // nullif(throws.dice, 0), 0) AS thrown_mean
        FROM (FROM fct_summit_turns SEMI JOIN batch USING (match_id)) AS turns
        LEFT JOIN (
            SELECT match_id, round, max(dice) AS dice, max(pips) AS pips
            FROM fct_summit_throws
            SEMI JOIN batch USING (match_id)
            GROUP BY match_id, round
        ) AS throws USING (match_id, round)
    )
    GROUP BY ALL
),
supplied AS (
    SELECT
        match_id, seat, count(*) FILTER (what = 'taken_back') AS cards_taken_back,
        count(*) FILTER (what = 'declined') AS cards_declined
    FROM fct_summit_supply
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
moved AS (
    SELECT
        match_id, seat,
        sum(number - abs(fields)) FILTER (kind IN ('forward', 'back')) AS unused_pips,
        sum(fields) FILTER (piece = 'C') AS climber,
        count(*) FILTER (piece = 'C') AS climber_moves,
        sum(fields) FILTER (piece <> 'C') AS sherpas,
        count(*) FILTER (piece <> 'C' AND kind = 'forward') AS forward_moves,
        sum(fields) FILTER (piece <> 'C' AND kind = 'forward') AS fields_forward,
        count(*) FILTER (kind = 'back') AS back_moves,
        -sum(fields) FILTER (kind = 'back') AS fields_back,
        count(*) FILTER (kind = 'went_on') AS take_alongs,
        count(*) FILTER (kind = 'taken_along') AS taken_along,
        sum(fields) FILTER (kind IN ('went_on', 'taken_along')) AS fields_along,
        count(*) FILTER (kind = 'slid') AS slides,
        -sum(fields) FILTER (kind = 'slid') AS fields_slid,
        count(*) FILTER (kind = 'chased') AS chases,
        -sum(fields) FILTER (kind = 'chased') AS fields_chased,
        count(*) FILTER (kind = 'chased' AND cause = 'yeti_arrived') AS chases_yeti_arrived,
        count(*) FILTER (kind = 'chased' AND cause = 'climber_left') AS chases_climber_left,
        count(*) FILTER (kind = 'chased' AND cause = 'slid') AS chases_slid
    FROM fct_summit_moves
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
weather AS (
    SELECT match_id, bool_or(bad_weather) AS bad FROM fct_summit_throws SEMI JOIN batch USING (match_id) GROUP BY ALL
)
SELECT
    match_id,
    seat,
    coalesce(turns, 0),
    coalesce(throws, 0),
    coalesce(rerolls, 0),
    coalesce(dice, 0),
    coalesce(forfeits, 0),
    coalesce(pips, 0),
    coalesce(luck, 0) / 840::DOUBLE,
    coalesce(left_over, 0) / 840::DOUBLE,
    coalesce(choice, 0) / 840::DOUBLE,
    coalesce(cards_played, 0),
    coalesce(card_pips, 0),
    coalesce(cards_taken_back, 0),
    coalesce(cards_declined, 0),
    coalesce(unused_pips, 0) + coalesce(forfeited_pips, 0),
    coalesce(climber, 0),
    won AND NOT coalesce(bad, false),
    coalesce(climber_moves, 0),
    10 + coalesce(sherpas, 0), -- S-4.pawns
    coalesce(forward_moves, 0),
    coalesce(fields_forward, 0),
    coalesce(back_moves, 0),
    coalesce(fields_back, 0),
    coalesce(take_alongs, 0),
    coalesce(taken_along, 0),
    coalesce(fields_along, 0),
    coalesce(slides, 0),
    coalesce(fields_slid, 0),
    coalesce(chases, 0),
    coalesce(fields_chased, 0),
    coalesce(chases_yeti_arrived, 0),
    coalesce(chases_climber_left, 0),
    coalesce(chases_slid, 0)
FROM seats
JOIN (FROM dim_seats SEMI JOIN batch USING (match_id)) USING (match_id, seat)
LEFT JOIN thrown USING (match_id, seat)
LEFT JOIN chosen USING (match_id, seat)
LEFT JOIN supplied USING (match_id, seat)
LEFT JOIN moved USING (match_id, seat)
LEFT JOIN weather USING (match_id)
ORDER BY match_id, seat;
