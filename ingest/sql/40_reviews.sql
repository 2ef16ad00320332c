-- dim_reviews: one row per reviewed match: finished, clean, and of a game with a model (match_id).
CREATE TABLE dim_reviews (
    match_id INTEGER NOT NULL,
    model VARCHAR NOT NULL, -- SHA-256 of the win-probability model used; with a newer model the match is reviewed again
    calibration_error DOUBLE NOT NULL, -- calibration error of the model: the gap between predicted and observed win rates
    not_valued VARCHAR, -- reason why there are no win probabilities (a failed check or an error); NULL if there are some
    decided_round INTEGER, -- in a match with one winner, round of the decision after which the winner's win probability stayed at one half or more
    lowest DOUBLE, -- lowest win probability of the winner in the second half of the decisions
    lowest_round INTEGER, -- last round with the win probability in column lowest
    lowest_ply INTEGER, -- last ply with the win probability in column lowest
    rival DOUBLE, -- highest win probability of another seat in the second half of the decisions
    rival_seat INTEGER, -- seat with the win probability in column rival
    rival_round INTEGER, -- last round with the win probability in column rival
    rival_ply INTEGER, -- last ply with the win probability in column rival
);

-- fct_values: one row per decision and seat of a reviewed match (match_id, seq, seat).
CREATE TABLE fct_values (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL, -- place in the log of the last event caused by the decision
    seat INTEGER NOT NULL,
    chance DOUBLE NOT NULL, -- win probability after the decision, to four decimals; sums to one over all seats; after the last decision, the outcome
    model VARCHAR NOT NULL, -- SHA-256 of the model
);

-- fct_moments: one row per key moment of a reviewed match: one of the largest changes in win probability, or largest costs, above the model's error (match_id, number).
CREATE TABLE fct_moments (
    match_id INTEGER NOT NULL,
    number INTEGER NOT NULL, -- from 1, in order of play
    since INTEGER NOT NULL, -- place in the log of the last event before the moment
    seq INTEGER NOT NULL, -- place in the log of the moment's last event
    ply INTEGER NOT NULL, -- ply of the moment's last event
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL, -- seat whose win probability changed most; if the cost is larger, the seat that decided
    by_seat INTEGER, -- seat that caused the change; NULL for dice or several seats
    cause VARCHAR NOT NULL, -- from the seat's point of view: dice, own move, a rival's move, own plan, a rival's plan, or a trade
    swing DOUBLE NOT NULL, -- change in the seat's win probability
    cost DOUBLE NOT NULL, -- expected cost of the decision to by_seat, in win probability; 0 if unknown or none
    text VARCHAR NOT NULL, -- description in one sentence
);

-- fct_causes: one row per round, seat and cause of a reviewed match, for games that attribute changes within a round (match_id, round, seat, cause).
CREATE TABLE fct_causes (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    cause VARCHAR NOT NULL, -- as in fct_moments, or drift, which is attributed to no seat
    amount DOUBLE NOT NULL, -- change in the seat's win probability; with its initial probability, a seat's amounts sum to its outcome
);

-- fct_playouts: one row per decision and seat in the last two rounds of an opened match: results of rollouts from there (match_id, seq, seat).
CREATE TABLE fct_playouts (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL, -- place in the log of the last event caused by the decision
    seat INTEGER NOT NULL,
    chance DOUBLE NOT NULL, -- share of rollouts won; while information is hidden (e.g. unrevealed plans), the share before that
    samples INTEGER NOT NULL, -- number of rollouts
);

-- fct_confirmations: one row per better decision suggested by the model and checked by rollouts on request (match_id, digest).
CREATE TABLE fct_confirmations (
    match_id INTEGER NOT NULL,
    digest VARCHAR NOT NULL, -- SHA-256 of the log, decision, alternative, stand-ins for unavailable players, and model
    seq INTEGER NOT NULL, -- place of the decision in the log
    seat INTEGER NOT NULL, -- seat that decided
    is_confirmed BOOLEAN NOT NULL, -- whether the alternative did better in rollouts
    pairs INTEGER NOT NULL, -- size of the sample that measures the gain; 0 if an earlier sample already rejected the alternative
    gain DOUBLE, -- mean gain in the seat's win probability in that sample
    low DOUBLE, -- lower end of its 95% interval
    high DOUBLE, -- upper end of its 95% interval
    text VARCHAR NOT NULL, -- description in one sentence
);

-- fct_seat_causes: one row per seat and cause of a reviewed match: fct_causes summed over all rounds (match_id, seat, cause).
CREATE TABLE fct_seat_causes (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    cause VARCHAR NOT NULL, -- as in fct_causes
    amount DOUBLE NOT NULL, -- change in the seat's win probability over the whole match
);
