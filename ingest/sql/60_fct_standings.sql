-- fct_standings: one row per seat and round of a finished match: how it would end, scored then (match_id, round, seat).
CREATE TABLE fct_standings (
    match_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    eliminated_by VARCHAR, -- religious or political, by the rules of the final scoring; none while nobody has influence
    wins BOOLEAN NOT NULL, -- alone or shared; nobody while nobody has influence
);

-- As `final` in himalaya_core/caravan/scoring.py, of which each step is named beside it.
INSERT INTO fct_standings
WITH supply (players, out_religious, out_political) AS ( -- SUPPLY in himalaya_core/caravan/pieces.py
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
standing AS ( -- `later`: how many seats act after this one in the round, C-scoring.turn-order
    SELECT
        max(religious + political + economic) OVER (PARTITION BY match_id, round) > 0 AS counts,
        match_id, round, seat, religious, political, economic, stupas, delegations, religious_out, political_out,
        players - 1 - (seat - first + players) % players AS later
    FROM fct_influence
    SEMI JOIN batch USING (match_id)
    JOIN finished USING (match_id)
    JOIN (FROM stg_caravan_round_started SEMI JOIN batch USING (match_id)) AS started USING (match_id, round)
),
first_out AS ( -- C-scoring.religious-out
    SELECT match_id, round, arg_min(seat, ((religious * 1000::BIGINT + stupas) * 100000 + economic) * 10 + later) AS seat
    FROM standing
    WHERE religious_out > 0
    GROUP BY match_id, round
),
on_board AS ( -- the delegations of the seats that stay in, region by region, C-scoring.four
    SELECT
        match_id, round,
        CASE WHEN first_out.seat = 0 THEN 0 ELSE seat_0 END AS seat_0,
        CASE WHEN first_out.seat = 1 THEN 0 ELSE seat_1 END AS seat_1,
        CASE WHEN first_out.seat = 2 THEN 0 ELSE seat_2 END AS seat_2,
        CASE WHEN first_out.seat = 3 THEN 0 ELSE seat_3 END AS seat_3,
        CASE WHEN first_out.seat = 4 THEN 0 ELSE seat_4 END AS seat_4,
        CASE WHEN first_out.seat = 5 THEN 0 ELSE seat_5 END AS seat_5
    FROM (
        SELECT
            match_id, seat_0, seat_1, seat_2, seat_3, seat_4, seat_5,
            unnest(range(round, lead(round, 1, rounds + 1) OVER (PARTITION BY match_id, region ORDER BY round))) AS round
        FROM int_delegations
        SEMI JOIN batch USING (match_id)
        JOIN finished USING (match_id)
    )
    JOIN first_out USING (match_id, round)
),
led AS ( -- C-scoring.political
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
    FROM on_board
),
recounted AS (
    SELECT match_id, round, seat, count(*) AS political
    FROM led
    WHERE seat IS NOT NULL
    GROUP BY match_id, round, seat
),
staying AS (
    SELECT
        match_id, round, seat, religious, economic, delegations, political_out, later,
        coalesce(recounted.political, 0) AS political
    FROM standing
    ANTI JOIN first_out USING (match_id, round, seat)
    LEFT JOIN recounted USING (match_id, round, seat)
    WHERE religious_out > 0
),
later_out AS ( -- C-scoring.political-out
    SELECT match_id, round, unnest(lowest[1:political_out]) AS seat
    FROM (
        SELECT
            match_id, round, any_value(political_out) AS political_out,
            arg_min(seat, ((political * 1000::BIGINT + delegations) * 100000 + economic) * 10 + later, 2) AS lowest
        FROM staying
        GROUP BY match_id, round
    )
),
ranked AS ( -- C-scoring.last
    SELECT match_id, round, seat, (economic * 1000::BIGINT + political) * 1000 + religious AS figures
    FROM staying
    ANTI JOIN later_out USING (match_id, round, seat)
    UNION ALL
    SELECT -- C-scoring.three
        match_id, round, seat,
        (((economic * 1000::BIGINT + political) * 1000 + religious)
            + CASE WHEN is_most_religious + is_most_political + is_most_economic >= 2 THEN 1000000000000000 ELSE 0 END)
    FROM (
        SELECT
            *,
            CAST(religious = religious_top[1] AND religious_top[1] > religious_top[2] AS INTEGER) AS is_most_religious,
            CAST(political = political_top[1] AND political_top[1] > political_top[2] AS INTEGER) AS is_most_political,
            CAST(economic = economic_top[1] AND economic_top[1] > economic_top[2] AS INTEGER) AS is_most_economic
        FROM standing
        JOIN (
            SELECT
                match_id, round, max(religious, 2) AS religious_top, max(political, 2) AS political_top,
                max(economic, 2) AS economic_top
            FROM standing
            WHERE religious_out = 0
            GROUP BY match_id, round
        ) USING (match_id, round)
    )
),
best AS (
    SELECT match_id, round, max(figures) AS figures
    FROM ranked
    GROUP BY match_id, round
)
SELECT
    standing.match_id, standing.round, standing.seat,
    CASE
        WHEN NOT counts THEN NULL
        WHEN first_out.seat IS NOT NULL THEN 'religious'
        WHEN later_out.seat IS NOT NULL THEN 'political'
    END,
    counts AND winners.seat IS NOT NULL
FROM standing
LEFT JOIN first_out USING (match_id, round, seat)
LEFT JOIN later_out USING (match_id, round, seat)
LEFT JOIN (FROM ranked SEMI JOIN best USING (match_id, round, figures)) AS winners USING (match_id, round, seat)
ORDER BY standing.match_id, standing.round, standing.seat;
