-- fct_caravan_standings: one row per seat and round of a finished match: the result if the match had ended after that round (match_id, round, seat).
CREATE TABLE fct_caravan_standings (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    eliminated_by VARCHAR, -- religious or political, by the rules of the final scoring; NULL if not eliminated or while no seat has influence
    wins BOOLEAN NOT NULL, -- whether the seat would win, alone or shared; false while no seat has influence
);

-- Computes the same as `final` in himalaya_core/caravan/scoring.py; each step names its rule.
INSERT INTO fct_caravan_standings
WITH supply (players, out_religious, out_political) AS ( -- same values as SUPPLY in himalaya_core/caravan/pieces.py
    VALUES (3, 0, 0), (4, 1, 1), (5, 1, 1), (6, 1, 2)
),
finished AS (
    SELECT match_id, dim_matches.players, rounds, coalesce(out_religious, 0) AS religious_out,
        coalesce(out_political, 0) AS political_out
    FROM dim_matches
    SEMI JOIN batch USING (match_id)
    LEFT JOIN supply USING (players)
    WHERE status = 'finished'
),
standing AS ( -- `later`: number of seats that act after this one in the round, C-scoring.turn-order
    SELECT
        match_id, round, seat, religious, political, economic, stupas, delegations, religious_out, political_out,
        players - 1 - (seat - first + players) % players AS later
    FROM fct_caravan_influence
    SEMI JOIN batch USING (match_id)
    JOIN finished USING (match_id)
    JOIN (FROM stg_caravan_round_started SEMI JOIN batch USING (match_id)) AS started USING (match_id, round)
),
rounds AS ( -- C-scoring.religious-out
    SELECT
        match_id, round,
        bool_or(religious + political + economic > 0) AS counts,
        arg_min(seat, ((religious * 1000::BIGINT + stupas) * 100000 + economic) * 10 + later)
            FILTER (religious_out > 0) AS first_out
    FROM standing
    GROUP BY match_id, round
),
freed AS ( -- delegations in regions that the eliminated seat led or that were tied, without that seat's own, C-scoring.four
    SELECT
        match_id, round,
        CASE WHEN first_out = 0 THEN 0 ELSE seat_0 END AS seat_0,
        CASE WHEN first_out = 1 THEN 0 ELSE seat_1 END AS seat_1,
        CASE WHEN first_out = 2 THEN 0 ELSE seat_2 END AS seat_2,
        CASE WHEN first_out = 3 THEN 0 ELSE seat_3 END AS seat_3,
        CASE WHEN first_out = 4 THEN 0 ELSE seat_4 END AS seat_4,
        CASE WHEN first_out = 5 THEN 0 ELSE seat_5 END AS seat_5
    FROM (
        SELECT
            match_id, leader, seat_0, seat_1, seat_2, seat_3, seat_4, seat_5,
            unnest(range(round, lead(round, 1, rounds + 1) OVER (PARTITION BY match_id, region ORDER BY round))) AS round
        FROM int_caravan_region_leaders
        SEMI JOIN batch USING (match_id)
        JOIN finished USING (match_id)
    )
    JOIN rounds USING (match_id, round)
    WHERE leader IS NULL OR leader = first_out
),
gained AS ( -- C-scoring.political
    SELECT match_id, round, seat, count(*) AS regions
    FROM (
        SELECT
            match_id, round,
            CASE
                WHEN seat_0 > greatest(seat_1, seat_2, seat_3, seat_4, seat_5) THEN 0
                WHEN seat_1 > greatest(seat_0, seat_2, seat_3, seat_4, seat_5) THEN 1
                WHEN seat_2 > greatest(seat_0, seat_1, seat_3, seat_4, seat_5) THEN 2
                WHEN seat_3 > greatest(seat_0, seat_1, seat_2, seat_4, seat_5) THEN 3
                WHEN seat_4 > greatest(seat_0, seat_1, seat_2, seat_3, seat_5) THEN 4
                WHEN seat_5 > greatest(seat_0, seat_1, seat_2, seat_3, seat_4) THEN 5
            END AS seat
        FROM freed
    )
    WHERE seat IS NOT NULL
    GROUP BY match_id, round, seat
),
staying AS ( -- sort keys for the next elimination, C-scoring.political-out, and for the win, C-scoring.last
    SELECT
        match_id, round, seat, political_out,
        ((recounted * 1000::BIGINT + delegations) * 100000 + economic) * 10 + later AS to_stay,
        (economic * 1000::BIGINT + recounted) * 1000 + religious AS to_win
    FROM (
        SELECT standing.*, political + coalesce(regions, 0) AS recounted
        FROM standing
        JOIN rounds USING (match_id, round)
        LEFT JOIN gained USING (match_id, round, seat)
        WHERE seat <> first_out
    )
),
politics AS (
    SELECT match_id, round, arg_min(seat, to_stay, 2)[1:any_value(political_out)] AS later_out
    FROM staying
    GROUP BY match_id, round
),
majorities AS ( -- C-scoring.three
    SELECT
        match_id, round, seat,
        (economic * 1000::BIGINT + political) * 1000 + religious + CASE
            WHEN CAST(religious = religious_top[1] AND religious_top[1] > religious_top[2] AS INTEGER)
                + CAST(political = political_top[1] AND political_top[1] > political_top[2] AS INTEGER)
                + CAST(economic = economic_top[1] AND economic_top[1] > economic_top[2] AS INTEGER) >= 2
            THEN 1000000000000000 ELSE 0
        END AS to_win
    FROM standing
    JOIN (
        SELECT
            match_id, round, max(religious, 2) AS religious_top, max(political, 2) AS political_top,
            max(economic, 2) AS economic_top
        FROM standing
        WHERE religious_out = 0
        GROUP BY match_id, round
    ) USING (match_id, round)
),
last_ones AS (
    SELECT match_id, round, seat, to_win
    FROM staying
    JOIN politics USING (match_id, round)
    WHERE NOT list_contains(later_out, seat)
    UNION ALL
    FROM majorities
),
winners AS (
    SELECT match_id, round, bit_or(1 << seat) AS seats
    FROM last_ones
    SEMI JOIN (SELECT match_id, round, max(to_win) AS to_win FROM last_ones GROUP BY match_id, round)
        USING (match_id, round, to_win)
    GROUP BY match_id, round
)
SELECT
    match_id, round, seat,
    CASE
        WHEN NOT counts THEN NULL
        WHEN seat = first_out THEN 'religious'
        WHEN list_contains(later_out, seat) THEN 'political'
    END,
    counts AND coalesce(winners.seats & (1 << seat) > 0, false)
FROM standing
JOIN rounds USING (match_id, round)
LEFT JOIN winners USING (match_id, round)
LEFT JOIN politics USING (match_id, round)
ORDER BY match_id, round, seat;
