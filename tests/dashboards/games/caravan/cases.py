"""Findings of caravan's figures for two small frames each: in the first a row leads, in the second none does."""

from typing import Final

from tests.dashboards.games.findings import Case, decisive, differences, of_courses, of_players, rows, with_metric

BY_HOW_LITTLE: Final = (
    "a was eliminated on religion 6 times, 1 of them on a tie-break; the median margin was 2 (middle half 1 to 3). a"
    " was eliminated on politics 6 times, 1 of them on a tie-break; the median margin was 2 (middle half 1 to 3)."
)
CASES: Final = {
    "winners-apart": Case(
        *differences("yaks", "void_actions"),
        (
            "Significant difference between winners and losers in 2 of 2 respects (corrected). Winners minus losers,"
            " per player and match: yaks +3.0 (95% CI +2.9 to +3.1), void actions −2.0."
        ),
        (
            "No significant difference between winners and losers in any of 2 respects (corrected). The clearest"
            " sign: yaks, winners minus losers +3.0 (95% CI +2.0 to +4.0)."
        ),
    ),
    "final-influence": Case(
        *of_players("points", "influence", ("religious", "political", "economic"), (6.0, 4.0)),
        (
            "On average, a ends with the most religious influence: 6.0 (95% CI 5.9–6.1). On average, a ends with the"
            " most political influence: 6.0 (95% CI 5.9–6.1). On average, a ends with the most yaks: 6.0 (95% CI"
            " 5.9–6.1)."
        ),
        (
            "On average, a ends with a religious influence of 6.0 (95% CI 4.0–8.0; lead not significant). On"
            " average, a ends with a political influence of 6.0 (95% CI 4.0–8.0; lead not significant). On average,"
            " a ends with 6.0 yaks (95% CI 4.0–8.0; lead not significant)."
        ),
    ),
    "endings": Case(
        *of_players("ending_share", "ending", ("won", "religious", "political"), (0.6, 0.4), seats=3, played=5),
        (
            "At tables of four or more, 6 of 12 losers were eliminated on religion and 6 on politics. a is eliminated"
            " on religion most often: in 60.0% of its 5 matches there (95% CI 58.8–61.2). a is eliminated on politics"
            " most often: in 60.0% of its 5 matches there (95% CI 58.8–61.2)."
        ),
        (
            "At tables of four or more, 6 of 12 losers were eliminated on religion and 6 on politics. a is eliminated"
            " on religion in 60.0% of its 5 matches there (95% CI 40.0–80.0; lead not significant). a is eliminated on"
            " politics in 60.0% of its 5 matches there (95% CI 40.0–80.0; lead not significant)."
        ),
    ),
    "eliminations": Case(
        *of_players(
            "out_share",
            "influence",
            ("religious", "political"),
            (0.6, 0.4),
            eliminations=6,
            margin_lower=1.0,
            margin_median=2.0,
            margin_upper=3.0,
            tied=1,
        ),
        *(BY_HOW_LITTLE, BY_HOW_LITTLE),  # no claim here: `endings` reports how often
    ),
    "tie-breaks": Case(
        *rows(
            "tie_share",
            {"influence": ["religious", "political"], "tie_break": ["none needed", "yaks"]},
            [0.6, 1.0],
            eliminations=5,
        ),
        (
            "Of 5 religious eliminations, 60.0% needed no tie-break (95% CI 58.0–62.0). Every one of 5 political"
            " eliminations needed a tie-break."
        ),
        (
            "Of 5 religious eliminations, 60.0% needed no tie-break (95% CI 26.7–93.3). Every one of 5 political"
            " eliminations needed a tie-break."
        ),
    ),
    "income": Case(
        *of_players("yaks", "source", ("barter", "inventory"), (6.0, 4.0)),
        (
            "a earns the most by barter: 6.0 yaks a match (95% CI 5.9–6.1). a earns the most by inventory: 6.0 yaks"
            " a match (95% CI 5.9–6.1)."
        ),
        (
            "a earns 6.0 yaks a match by barter (95% CI 4.0–8.0; lead not significant). a earns 6.0 yaks a match by"
            " inventory (95% CI 4.0–8.0; lead not significant)."
        ),
    ),
    "goods": Case(
        *of_players("goods", "kind", ("collected", "wasted", "deliveries"), (6.0, 4.0)),
        (
            "a collects the most goods: 6.0 a match (95% CI 5.9–6.1). a wastes the most goods: 6.0 a match (95% CI"
            " 5.9–6.1). a makes the most deliveries: 6.0 a match (95% CI 5.9–6.1)."
        ),
        (
            "a collects 6.0 goods a match (95% CI 4.0–8.0; lead not significant). a wastes 6.0 goods a match (95% CI"
            " 4.0–8.0; lead not significant). a makes 6.0 deliveries a match (95% CI 4.0–8.0; lead not significant)."
        ),
    ),
    "voids": Case(
        *of_players("voids", "reason", ("all", "too_late", "nothing_here"), (6.0, 4.0)),
        (
            "The most actions come to nothing for a: 6.0 a match (95% CI 5.9–6.1). a's commonest reason: came too"
            " late (6.0 a match). a comes too late most often: 6.00 times a match (95% CI 5.88–6.12)."
        ),
        (
            "For a, 6.0 actions a match come to nothing (95% CI 4.0–8.0; lead not significant). a's commonest"
            " reason: came too late (6.0 a match). a comes too late 6.00 times a match (95% CI 4.00–8.00; lead not"
            " significant)."
        ),
    ),
    "orders": Case(
        *with_metric(
            rows("undelivered_share", {"disc": ["01: tea", "02: gold"]}, [0.6, 0.4], offered=10, delivered=30),
            "waiting",
            [5.0, 3.0],
        ),
        (
            "Disc 01: tea stays on the board most often: 60.0% of the 10 times it comes (95% CI 58.8–61.2). Among"
            " delivered discs, 01: tea waits longest: 5.0 rounds (95% CI 4.9–5.1)."
        ),
        (
            "Disc 01: tea is never delivered in 60.0% of the 10 times it comes onto the board (95% CI 40.0–80.0; lead"
            " not significant). Among delivered discs, 01: tea waits 5.0 rounds (95% CI 3.3–6.7; lead not significant)."
        ),
    ),
    "rewards": Case(
        *of_players(
            "pair_share",
            "pair",
            ("barter_offering", "barter_delegation", "offering_delegation"),
            (0.6, 0.4),
            deliveries=1_200,
        ),
        (
            "a takes barter and offering most often: for 60.0% of its 1,200 deliveries (95% CI 58.8–61.2). a takes"
            " barter and delegation most often: for 60.0% of its 1,200 deliveries (95% CI 58.8–61.2). a takes"
            " offering and delegation most often: for 60.0% of its 1,200 deliveries (95% CI 58.8–61.2)."
        ),
        (
            "a takes barter and offering for 60.0% of its 1,200 deliveries (95% CI 40.0–80.0; lead not significant)."
            " a takes barter and delegation for 60.0% of its 1,200 deliveries (95% CI 40.0–80.0; lead"
            " not significant). a takes offering and delegation for 60.0% of its 1,200 deliveries (95% CI 40.0–80.0;"
            " lead not significant)."
        ),
    ),
    "tokens": Case(
        *of_players("token_effect", "effect", ("stopped", "slowed", "gained"), (6.0, 4.0), placed_share=0.5, played=50),
        (
            "A Yeti placed by a stops the most actions of others: 6.00 on average (95% CI 5.88–6.12). A snowstorm"
            " placed by a slows the most actions of others: 6.00 on average (95% CI 5.88–6.12). a gains the most"
            " from a market that it places: 6.00 goods on average (95% CI 5.88–6.12)."
        ),
        (
            "A Yeti placed by a stops 6.00 actions of others on average (95% CI 4.00–8.00; lead not significant). A"
            " snowstorm placed by a slows 6.00 actions of others on average (95% CI 4.00–8.00; lead not"
            " significant). a gains 6.00 goods on average from a market that it places (95% CI 4.00–8.00; lead not"
            " significant)."
        ),
    ),
    "contested": Case(
        *rows("contests_per_match", {"village": [1, 2, 3]}, [6.0, 4.0, 2.0], contests=5, too_late=1),
        (
            "In village 1, players run into a rival most often: 6.00 times a match (95% CI 5.88–6.12). In village 3,"
            " players run into a rival least often: 2.00 times a match (95% CI 1.88–2.12). In all, 3 trades came too"
            " late."
        ),
        (
            "In village 1, players run into a rival 6.00 times a match (95% CI 4.00–8.00; lead not significant). In"
            " village 3, players run into a rival 2.00 times a match (95% CI 0.00–4.00; lowest, not significant). In"
            " all, 3 trades came too late."
        ),
    ),
    "regions": Case(
        *rows("flips_per_match", {"region": [1, 2, 3]}, [6.0, 4.0, 2.0], flips=5),
        (
            "Region 1 changes hands most often: 6.00 times a match (95% CI 5.88–6.12). Region 3 changes hands least"
            " often: 2.00 times a match (95% CI 1.88–2.12)."
        ),
        (
            "Region 1 changes hands 6.00 times a match (95% CI 4.00–8.00; lead not significant). Region 3 changes"
            " hands 2.00 times a match (95% CI 0.00–4.00; lowest, not significant)."
        ),
    ),
    "villages": Case(
        *rows("arrival_share", {"village": [1, 2, 3]}, [0.5, 0.3, 0.2], arrivals=40),
        (
            "Village 1 is visited most: it has 50.0% of 120 arrivals (95% CI 49.0–51.0). Village 3 is visited least:"
            " it has 20.0% of 120 arrivals (95% CI 19.0–21.0)."
        ),
        (
            "Village 1 has 50.0% of 120 arrivals (95% CI 33.3–66.7; lead not significant). Village 3 has 20.0% of"
            " 120 arrivals (95% CI 3.3–36.7; lowest, not significant)."
        ),
    ),
    "roads": Case(
        *rows(
            "journey_share", {"village_a": [1, 1, 2], "village_b": [2, 3, 3]}, [0.5, 0.3, 0.2], road="soil", journeys=40
        ),
        (
            "The soil road 1–2 is the busiest: it carries 50.0% of 120 journeys (95% CI 49.0–51.0). The soil road"
            " 2–3 is the quietest: it carries 20.0% of 120 journeys (95% CI 19.0–21.0)."
        ),
        (
            "The soil road 1–2 carries 50.0% of 120 journeys (95% CI 33.3–66.7; lead not significant). The soil road"
            " 2–3 carries 20.0% of 120 journeys (95% CI 3.3–36.7; lowest, not significant)."
        ),
    ),
    "stupas": Case(
        *rows("stupa_share", {"village": [1, 2, 3]}, [0.5, 0.3, 0.2], level=1, stupas=40, matches=80),
        (
            "Village 1 (level 1) gets a stupa most often: in 50.0% of 80 matches (95% CI 49.0–51.0). Village 3"
            " (level 1) gets a stupa least often: in 20.0% of 80 matches (95% CI 19.0–21.0)."
        ),
        (
            "Village 1 (level 1) gets a stupa in 50.0% of 80 matches (95% CI 33.3–66.7; lead not significant)."
            " Village 3 (level 1) gets a stupa in 20.0% of 80 matches (95% CI 3.3–36.7; lowest, not significant)."
        ),
    ),
    "delegations": Case(
        *rows("delegations_per_match", {"region": [1, 2, 3]}, [6.0, 4.0, 2.0], delegations=5),
        (
            "Region 1 receives the most delegations: 6.0 a match (95% CI 5.9–6.1). Region 3 receives the fewest"
            " delegations: 2.0 a match (95% CI 1.9–2.1)."
        ),
        (
            "Region 1 receives 6.0 delegations a match (95% CI 4.0–8.0; lead not significant). Region 3 receives 2.0"
            " delegations a match (95% CI 0.0–4.0; lowest, not significant)."
        ),
    ),
    "decisive-round": decisive("round"),
    "comebacks": Case(
        *rows("comeback_share", {"player": ["a", "b", "c"]}, [0.5, 0.3, 0.2], wins=10, comebacks=[5, 3, 2]),
        (
            "a comes back most often: in 50.0% of its 10 wins (95% CI 49.0–51.0). c comes back least often: in 20.0%"
            " of its 10 wins (95% CI 19.0–21.0). A comeback: a winner would have been eliminated, had the match been"
            " scored after some round from 6 on. Counts wins at tables of four or more."
        ),
        (
            "Of a's 10 wins, 50.0% were comebacks (95% CI 33.3–66.7; lead not significant). Of c's 10 wins, 20.0%"
            " were comebacks (95% CI 3.3–36.7; lowest, not significant). A comeback: a winner would have been"
            " eliminated, had the match been scored after some round from 6 on. Counts wins at tables of four or more."
        ),
    ),
    "courses": Case(
        *of_courses("per_match", ("lead_changes", "contested_villages", "region_flips")),
        (
            "In a match of 4 players the lead changes 10.0 times (95% CI 9.8–10.2). On average, there are 11.0"
            " contests over a village, and a region changes hands 12.0 times."
        ),
        (
            "In a match of 4 players the lead changes 10.0 times (95% CI 6.0–14.0). On average, there are 11.0"
            " contests over a village, and a region changes hands 12.0 times."
        ),
    ),
    "plan-costs": Case(
        *of_players("cause_change", "cause", ("own plan", "dice"), (0.05, -0.02)),
        (
            "Own plans bring a most: +5.0 points a match (95% CI +4.9 to +5.1). Own plans bring b least: −2.0 points"
            " a match (95% CI −2.1 to −1.9). What all causes change for a player sums to its share of wins less its"
            " chances at first."
        ),
        (
            "Own plans bring a +5.0 points a match (95% CI +3.3 to +6.7; lead not significant). Own plans bring b"
            " −2.0 points a match (95% CI −3.7 to −0.3; lowest, not significant). What all causes change for a"
            " player sums to its share of wins less its chances at first."
        ),
    ),
}
