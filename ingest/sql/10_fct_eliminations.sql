-- fct_eliminations: one row per seat that left the final scoring (match_id, seat).
CREATE TABLE fct_eliminations (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    influence VARCHAR NOT NULL, -- religious or political: what it had least of
    value INTEGER NOT NULL, -- how much of it
    tie_break VARCHAR, -- what decided between equals, if any
    step INTEGER NOT NULL, -- 1 for the first to leave
);

INSERT INTO fct_eliminations
SELECT match_id, seat, influence, value, tie_break, row_number() OVER (PARTITION BY match_id ORDER BY seq)
FROM stg_caravan_eliminated
SEMI JOIN batch USING (match_id)
ORDER BY match_id, seq;
