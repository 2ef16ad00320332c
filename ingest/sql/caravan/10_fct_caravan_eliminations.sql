-- fct_caravan_eliminations: one row per seat eliminated in the final scoring (match_id, seat).
CREATE TABLE fct_caravan_eliminations (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    influence VARCHAR NOT NULL, -- religious or political: the influence it had least of
    value INTEGER NOT NULL, -- its amount of that influence
    tie_break VARCHAR, -- tie-break used; NULL if none
    step INTEGER NOT NULL, -- order of elimination, from 1
    margin INTEGER, -- amount by which the next-lowest remaining seat had more; 0 in a tie
);

INSERT INTO fct_caravan_eliminations
WITH gone AS (
    SELECT match_id, seq, seat, influence, value, tie_break, row_number() OVER (PARTITION BY match_id ORDER BY seq) AS step
    FROM stg_caravan_eliminated
    SEMI JOIN batch USING (match_id)
),
counted AS ( -- political influence as recounted, C-scoring.four
    SELECT match_id, 'religious' AS influence, unnest(religious) AS value, unnest(range(len(religious))) AS seat
    FROM stg_caravan_influence_scored
    SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT match_id, 'political', unnest(political), unnest(range(len(political)))
    FROM stg_caravan_politics_recounted
    SEMI JOIN batch USING (match_id)
),
others AS (
    SELECT gone.match_id, gone.step, min(counted.value) AS least
    FROM gone
    JOIN counted
        ON counted.match_id = gone.match_id AND counted.influence = gone.influence AND counted.seat <> gone.seat
    ANTI JOIN gone AS earlier
        ON earlier.match_id = gone.match_id AND earlier.seat = counted.seat AND earlier.step < gone.step
    GROUP BY ALL
)
SELECT gone.match_id, gone.seat, gone.influence, gone.value, gone.tie_break, gone.step, others.least - gone.value
FROM gone
LEFT JOIN others ON others.match_id = gone.match_id AND others.step = gone.step
ORDER BY gone.match_id, gone.step;
