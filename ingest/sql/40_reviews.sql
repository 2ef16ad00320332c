-- dim_reviews: one row per match that was reviewed: a finished one whose verdict is clean, of a game with a model (match_id).
CREATE TABLE dim_reviews (
    match_id INTEGER NOT NULL,
    model VARCHAR NOT NULL, -- SHA-256 of the model of the chances of winning that it was reviewed with; once another ships, it waits to be reviewed again
    calibration_error DOUBLE NOT NULL, -- of the model: how far chances and shares of wins were apart where it was checked
    not_valued VARCHAR, -- why the model says nothing about the match: what of it was not checked, or how reviewing it failed; none if it is valued
    decided_round INTEGER, -- of a match that one seat won: the round of the decision from which on its chance was never again below one half
    lowest DOUBLE, -- the lowest chance of that seat in the second half of the decisions
    lowest_round INTEGER, -- the round in which it had that chance, the last time
    lowest_ply INTEGER, -- the ply after which
    rival DOUBLE, -- the highest chance of another seat in the second half of the decisions
    rival_seat INTEGER, -- whose chance that was
    rival_round INTEGER, -- the round in which it had that chance, the last time
    rival_ply INTEGER, -- the ply after which
);

-- fct_values: one row per decision of a valued match, and seat (match_id, seq, seat).
CREATE TABLE fct_values (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL, -- place in its log of the last event that came of the decision
    seat INTEGER NOT NULL,
    chance DOUBLE NOT NULL, -- of winning, after it, with four decimals; those of a decision sum to one, the last are the outcome
    model VARCHAR NOT NULL, -- SHA-256 of the model
);

-- fct_moments: one row per key moment of a valued match: a swing, or what a decision cost, above the error of the model, among the largest (match_id, number).
CREATE TABLE fct_moments (
    match_id INTEGER NOT NULL,
    number INTEGER NOT NULL, -- from 1, in the order in which they happened
    since INTEGER NOT NULL, -- place of the event in its log after which it begins
    seq INTEGER NOT NULL, -- place of the event with which it is complete
    ply INTEGER NOT NULL, -- of that event
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL, -- whose chances it changed most; whose decision it was, if cost is more than that
    by_seat INTEGER, -- whose doing it was; none for the dice, or what no single seat did
    cause VARCHAR NOT NULL, -- what it was to the seat: dice, own move, a rival's move, own plan, a rival's plan, or a trade
    swing DOUBLE NOT NULL, -- what it changed for the seat, in chances of winning
    cost DOUBLE NOT NULL, -- what the decision cost by_seat as it could be judged when it was made, in chances of winning; 0 where that is not known, or nothing
    text VARCHAR NOT NULL, -- a sentence about it
);

-- fct_causes: one row per round of a valued match, seat and cause, where a game tells causes apart within a round (match_id, round, seat, cause).
CREATE TABLE fct_causes (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    cause VARCHAR NOT NULL, -- as in fct_moments, or drift: what nobody brought about
    amount DOUBLE NOT NULL, -- what it changed for the seat, in chances of winning; those of a seat, and its chances at first, sum to its outcome
);

-- fct_playouts: one row per decision of the last two rounds of a match that somebody opened, and seat: its players went on from there many times (match_id, seq, seat).
CREATE TABLE fct_playouts (
    match_id INTEGER NOT NULL,
    seq INTEGER NOT NULL, -- place in its log of the last event that came of the decision
    seat INTEGER NOT NULL,
    chance DOUBLE NOT NULL, -- its share of the wins; while something is hidden, as plans that are not revealed, that from before
    samples INTEGER NOT NULL, -- how many times
);

-- fct_confirmations: one row per better decision that the model found in a match and that was played out because somebody asked (match_id, digest).
CREATE TABLE fct_confirmations (
    match_id INTEGER NOT NULL,
    digest VARCHAR NOT NULL, -- SHA-256 of the log, the decision, its alternative, who plays for seats that cannot be asked, and the model
    seq INTEGER NOT NULL, -- place in its log of the decision
    seat INTEGER NOT NULL, -- whose decision it was
    is_confirmed BOOLEAN NOT NULL, -- whether the alternative was better when played out
    pairs INTEGER NOT NULL, -- in the sample that says by how much; 0 if the sample before it spoke against the alternative
    gain DOUBLE, -- mean over that sample, in chances of winning of the seat
    low DOUBLE, -- lower end of its 95% interval
    high DOUBLE, -- upper end of its 95% interval
    text VARCHAR NOT NULL, -- a sentence about it
);

-- fct_seat_causes: one row per seat of a valued match and cause, where a game tells causes apart within a round: fct_causes over all rounds (match_id, seat, cause).
CREATE TABLE fct_seat_causes (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    cause VARCHAR NOT NULL, -- as in fct_causes
    amount DOUBLE NOT NULL, -- what it changed for the seat in the whole match, in chances of winning
);
