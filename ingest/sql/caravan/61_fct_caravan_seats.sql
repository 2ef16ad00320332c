-- fct_caravan_seats: one row per seat of a finished match of caravan: totals of its actions, and its result (match_id, seat).
CREATE TABLE fct_caravan_seats (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    moves INTEGER NOT NULL, -- moves along a road
    rests INTEGER NOT NULL, -- rests
    collected INTEGER NOT NULL, -- cubes collected
    collected_salt INTEGER NOT NULL, -- salt collected
    collected_barley INTEGER NOT NULL, -- barley collected
    collected_tea INTEGER NOT NULL, -- tea collected
    collected_jade INTEGER NOT NULL, -- jade collected
    collected_gold INTEGER NOT NULL, -- gold collected
    market_collected INTEGER NOT NULL, -- cubes collected at a market
    delivered INTEGER NOT NULL, -- orders delivered
    goods_spent INTEGER NOT NULL, -- cubes spent on deliveries
    goods_left INTEGER NOT NULL, -- cubes left at the end
    barter_yaks INTEGER NOT NULL, -- yaks on bartered discs
    inventory_yaks INTEGER NOT NULL, -- yaks on inventory markers
    inventory_markers INTEGER NOT NULL, -- inventory markers won
    barters INTEGER NOT NULL, -- deliveries rewarded with barter
    offerings INTEGER NOT NULL, -- deliveries rewarded with an offering
    delegation_rewards INTEGER NOT NULL, -- deliveries rewarded with delegations
    pair_barter_offering INTEGER NOT NULL, -- deliveries rewarded with barter and offering
    pair_barter_delegation INTEGER NOT NULL, -- deliveries rewarded with barter and delegation
    pair_offering_delegation INTEGER NOT NULL, -- deliveries rewarded with offering and delegation
    single_rewards INTEGER NOT NULL, -- deliveries with fewer than two rewards
    stupas INTEGER NOT NULL, -- stupas placed, for an offering or an inventory
    delegations_sent INTEGER NOT NULL, -- delegations sent, for a delivery or an inventory
    voided INTEGER NOT NULL, -- void actions
    voided_no_road INTEGER NOT NULL, -- void actions: no such road
    voided_yeti INTEGER NOT NULL, -- void actions: stopped by the Yeti
    voided_storm_unfinished INTEGER NOT NULL, -- void actions: no later action to leave the snowstorm
    voided_on_storm INTEGER NOT NULL, -- void actions: in the snowstorm
    voided_nothing_here INTEGER NOT NULL, -- void actions: nothing to trade
    voided_already_collected INTEGER NOT NULL, -- void actions: already collected there this round
    voided_goods_missing INTEGER NOT NULL, -- void actions: goods for the order missing
    voided_declined INTEGER NOT NULL, -- void actions: trade declined
    too_late INTEGER NOT NULL, -- void trades that would have been possible if another seat had not traded there earlier in the round
    yeti_placed INTEGER NOT NULL, -- Yetis placed
    snowstorm_placed INTEGER NOT NULL, -- snowstorms placed
    market_placed INTEGER NOT NULL, -- markets placed
    tokens_passed INTEGER NOT NULL, -- rounds in which the seat passed instead of placing a token
    stopped_by_yeti INTEGER NOT NULL, -- actions of other seats made void by its Yeti
    slowed_by_storm INTEGER NOT NULL, -- actions of other seats that only entered its snowstorm, or were void because of it
    market_gains INTEGER NOT NULL, -- cubes that the seat took at its own market
    market_given INTEGER NOT NULL, -- cubes that other seats took at its market
    religious INTEGER, -- final religious influence
    political INTEGER, -- final political influence, as recounted after the first elimination
    economic INTEGER, -- final economic influence, in yaks
    eliminated_by VARCHAR, -- religious or political; NULL if not eliminated
    tie_break VARCHAR, -- tie-break used for the elimination; NULL if none
);

INSERT INTO fct_caravan_seats
WITH seats AS (
    SELECT match_id, seat
    FROM dim_seats
    SEMI JOIN batch USING (match_id)
    JOIN (FROM dim_matches SEMI JOIN batch USING (match_id) WHERE status = 'finished' AND game = 'caravan') USING (match_id)
),
moved AS (
    SELECT match_id, seat, count(*) AS moves FROM stg_caravan_moved SEMI JOIN batch USING (match_id) GROUP BY ALL
),
rested AS (
    SELECT match_id, seat, count(*) AS rests FROM stg_caravan_rested SEMI JOIN batch USING (match_id) GROUP BY ALL
),
collected AS (
    SELECT
        match_id, seat, count(*) AS collected,
        count(*) FILTER (resource = 'salt') AS collected_salt,
        count(*) FILTER (resource = 'barley') AS collected_barley,
        count(*) FILTER (resource = 'tea') AS collected_tea,
        count(*) FILTER (resource = 'jade') AS collected_jade,
        count(*) FILTER (resource = 'gold') AS collected_gold,
        count(*) FILTER (market) AS market_collected
    FROM stg_caravan_collected
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
delivered AS (
    SELECT
        match_id, seat, count(*) AS delivered, sum(goods) AS goods_spent,
        sum(yaks) FILTER (barter) AS barter_yaks,
        count(*) FILTER (barter) AS barters,
        count(*) FILTER (offering) AS offerings,
        count(*) FILTER (delegation) AS delegation_rewards,
        count(*) FILTER (barter AND offering) AS pair_barter_offering,
        count(*) FILTER (barter AND delegation) AS pair_barter_delegation,
        count(*) FILTER (offering AND delegation) AS pair_offering_delegation,
        count(*) FILTER (barter::INTEGER + offering::INTEGER + delegation::INTEGER < 2) AS single_rewards
    FROM fct_caravan_deliveries
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
counted AS (
    SELECT match_id, seat, count(*) AS inventory_markers, sum(yaks) AS inventory_yaks
    FROM stg_caravan_inventory_marker_taken
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
placed AS (
    SELECT match_id, seat, sum(stupas) AS stupas, sum(delegations) AS delegations_sent
    FROM int_caravan_influence_changes
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
voided AS (
    SELECT
        match_id, seat, count(*) AS voided,
        count(*) FILTER (reason = 'no_road') AS voided_no_road,
        count(*) FILTER (reason = 'yeti') AS voided_yeti,
        count(*) FILTER (reason = 'storm_unfinished') AS voided_storm_unfinished,
        count(*) FILTER (reason = 'on_storm') AS voided_on_storm,
        count(*) FILTER (reason = 'nothing_here') AS voided_nothing_here,
        count(*) FILTER (reason = 'already_collected') AS voided_already_collected,
        count(*) FILTER (reason = 'goods_missing') AS voided_goods_missing,
        count(*) FILTER (reason = 'declined') AS voided_declined
    FROM stg_caravan_action_voided
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
late AS (
    SELECT match_id, seat, count(*) AS too_late
    FROM int_caravan_voided_trades
    SEMI JOIN batch USING (match_id)
    WHERE too_late
    GROUP BY ALL
),
tokens AS (
    FROM stg_caravan_token_placed SEMI JOIN batch USING (match_id)
),
tokens_placed AS (
    SELECT
        match_id, seat,
        count(*) FILTER (token = 'yeti') AS yeti_placed,
        count(*) FILTER (token = 'snowstorm') AS snowstorm_placed,
        count(*) FILTER (token = 'market') AS market_placed
    FROM tokens
    GROUP BY ALL
),
passed AS (
    SELECT match_id, seat, count(*) AS tokens_passed
    FROM stg_caravan_token_passed
    SEMI JOIN batch USING (match_id)
    GROUP BY ALL
),
met AS ( -- tokens met: each kind is placed at most once a round, so its owner is known, C-Ib.once
    SELECT match_id, round, seat, 'yeti' AS token, 1 AS actions
    FROM stg_caravan_action_voided
    SEMI JOIN batch USING (match_id)
    WHERE reason = 'yeti'
    UNION ALL
    SELECT match_id, round, seat, 'snowstorm', 1
    FROM stg_caravan_action_voided
    SEMI JOIN batch USING (match_id)
    WHERE reason IN ('storm_unfinished', 'on_storm')
    UNION ALL
    SELECT match_id, round, seat, 'snowstorm', 1
    FROM stg_caravan_storm_entered
    SEMI JOIN batch USING (match_id)
    UNION ALL
    SELECT match_id, round, seat, 'market', 1
    FROM stg_caravan_collected
    SEMI JOIN batch USING (match_id)
    WHERE market
),
effects AS (
    SELECT
        tokens.match_id, tokens.seat,
        sum(actions) FILTER (met.token = 'yeti' AND met.seat <> tokens.seat) AS stopped_by_yeti,
        sum(actions) FILTER (met.token = 'snowstorm' AND met.seat <> tokens.seat) AS slowed_by_storm,
        sum(actions) FILTER (met.token = 'market' AND met.seat = tokens.seat) AS market_gains,
        sum(actions) FILTER (met.token = 'market' AND met.seat <> tokens.seat) AS market_given
    FROM met
    JOIN tokens ON tokens.match_id = met.match_id AND tokens.round = met.round AND tokens.token = met.token
    GROUP BY ALL
)
SELECT
    match_id,
    seat,
    coalesce(moves, 0),
    coalesce(rests, 0),
    coalesce(collected, 0),
    coalesce(collected_salt, 0),
    coalesce(collected_barley, 0),
    coalesce(collected_tea, 0),
    coalesce(collected_jade, 0),
    coalesce(collected_gold, 0),
    coalesce(market_collected, 0),
    coalesce(delivered, 0),
    coalesce(goods_spent, 0),
    coalesce(collected, 0) - coalesce(goods_spent, 0),
    coalesce(barter_yaks, 0),
    coalesce(inventory_yaks, 0),
    coalesce(inventory_markers, 0),
    coalesce(barters, 0),
    coalesce(offerings, 0),
    coalesce(delegation_rewards, 0),
    coalesce(pair_barter_offering, 0),
    coalesce(pair_barter_delegation, 0),
    coalesce(pair_offering_delegation, 0),
    coalesce(single_rewards, 0),
    coalesce(stupas, 0),
    coalesce(delegations_sent, 0),
    coalesce(voided, 0),
    coalesce(voided_no_road, 0),
    coalesce(voided_yeti, 0),
    coalesce(voided_storm_unfinished, 0),
    coalesce(voided_on_storm, 0),
    coalesce(voided_nothing_here, 0),
    coalesce(voided_already_collected, 0),
    coalesce(voided_goods_missing, 0),
    coalesce(voided_declined, 0),
    coalesce(too_late, 0),
    coalesce(yeti_placed, 0),
    coalesce(snowstorm_placed, 0),
    coalesce(market_placed, 0),
    coalesce(tokens_passed, 0),
    coalesce(stopped_by_yeti, 0),
    coalesce(slowed_by_storm, 0),
    coalesce(market_gains, 0),
    coalesce(market_given, 0),
    CAST(scores -> seats.seat ->> 'religious' AS INTEGER),
    CAST(scores -> seats.seat ->> 'political' AS INTEGER),
    CAST(scores -> seats.seat ->> 'economic' AS INTEGER),
    gone.influence,
    gone.tie_break
FROM seats
JOIN (FROM stg_match_ended SEMI JOIN batch USING (match_id)) AS ended USING (match_id)
LEFT JOIN (FROM fct_caravan_eliminations SEMI JOIN batch USING (match_id)) AS gone USING (match_id, seat)
LEFT JOIN moved USING (match_id, seat)
LEFT JOIN rested USING (match_id, seat)
LEFT JOIN collected USING (match_id, seat)
LEFT JOIN delivered USING (match_id, seat)
LEFT JOIN counted USING (match_id, seat)
LEFT JOIN placed USING (match_id, seat)
LEFT JOIN voided USING (match_id, seat)
LEFT JOIN late USING (match_id, seat)
LEFT JOIN tokens_placed USING (match_id, seat)
LEFT JOIN passed USING (match_id, seat)
LEFT JOIN effects USING (match_id, seat)
ORDER BY match_id, seat;
