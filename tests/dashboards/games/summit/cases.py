"""Findings of summit's figures for two small frames each: in the first a row leads, in the second none does."""

from typing import Final

from tests.dashboards.games.findings import Case, decisive, differences, of_courses, of_players, rows

CASES: Final = {
    "outcomes": Case(
        *of_players("outcome_share", "outcome", ("won_summit", "won_bad_weather"), (0.6, 0.4), seats=3, played=5),
        (
            "a wins on the summit most often: in 60.0% of its 5 matches (95% CI 58.8–61.2). a wins in bad weather"
            " most often: in 60.0% of its 5 matches (95% CI 58.8–61.2)."
        ),
        (
            "a wins on the summit in 60.0% of its 5 matches (95% CI 40.0–80.0; lead not significant). a wins in bad"
            " weather in 60.0% of its 5 matches (95% CI 40.0–80.0; lead not significant)."
        ),
    ),
    "heights": Case(
        *of_players("height", "figure", ("climber", "sherpas"), (6.0, 4.0)),
        (
            "On average, a's climber ends highest: on field 6.0 (95% CI 5.9–6.1). On average, a's Sherpas end"
            " highest: on 6.0 fields in total (95% CI 5.9–6.1)."
        ),
        (
            "On average, a's climber ends on field 6.0 (95% CI 4.0–8.0; lead not significant). On average, a's"
            " Sherpas end on 6.0 fields in total (95% CI 4.0–8.0; lead not significant)."
        ),
    ),
    "dice": Case(
        *of_players("dice_pips", "part", ("choice", "luck"), (6.0, -0.01)),
        (
            "a gains the most by its own choice of dice: +6.0 pips a match (95% CI +5.9 to +6.1). a gains the most"
            " by the luck of the throws: +6.0 pips a match (95% CI +5.9 to +6.1)."
        ),
        (
            "a gains +6.0 pips a match by its own choice of dice (95% CI +4.0 to +8.0; lead not significant). a"
            " gains +6.0 pips a match by the luck of the throws (95% CI +4.0 to +8.0; lead not significant)."
        ),
    ),
    "winners": Case(
        *differences("dice_luck", "slides"),
        (
            "Significant difference between winners and losers in 2 of 2 respects (corrected). Winners minus losers,"
            " per player and match: dice luck +3.0 (95% CI +2.9 to +3.1), slides −2.0."
        ),
        (
            "No significant difference between winners and losers in any of 2 respects (corrected). The clearest"
            " sign: dice luck, winners minus losers +3.0 (95% CI +2.0 to +4.0)."
        ),
    ),
    "turns": Case(
        *of_players("turn_share", "choice", ("climber", "back", "forfeit"), (0.6, 0.4), turns=10),
        (
            "a moves its climber most often: in 60.0% of its turns (95% CI 58.8–61.2). a moves Sherpas back most"
            " often: in 60.0% of its turns (95% CI 58.8–61.2). In 10 turns no die fitted."
        ),
        (
            "a moves its climber in 60.0% of its turns (95% CI 40.0–80.0; lead not significant). a moves Sherpas"
            " back in 60.0% of its turns (95% CI 40.0–80.0; lead not significant). In 10 turns no die fitted."
        ),
    ),
    "falls": Case(
        *of_players("falls", "fall", ("all", "slide", "yeti_arrived"), (6.0, 4.0)),
        (
            "a's Sherpas are sent back most often: 6.00 times a match (95% CI 5.88–6.12). a's Sherpas slide down"
            " most often: 6.00 times a match (95% CI 5.88–6.12). The Yeti comes upon a's Sherpas most often: 6.00"
            " times a match (95% CI 5.88–6.12)."
        ),
        (
            "a's Sherpas are sent back 6.00 times a match (95% CI 4.00–8.00; lead not significant). a's Sherpas"
            " slide down 6.00 times a match (95% CI 4.00–8.00; lead not significant). The Yeti comes upon a's"
            " Sherpas 6.00 times a match (95% CI 4.00–8.00; lead not significant)."
        ),
    ),
    "climbed": Case(
        *of_players("fields_climbed", "kind", ("climber", "along"), (6.0, 4.0)),
        (
            "a's climber climbs most: 6.0 fields a match (95% CI 5.9–6.1). a's Sherpas gain the most by going along:"
            " 6.0 fields a match (95% CI 5.9–6.1)."
        ),
        (
            "a's climber climbs 6.0 fields a match (95% CI 4.0–8.0; lead not significant). a's Sherpas gain 6.0"
            " fields a match by going along (95% CI 4.0–8.0; lead not significant)."
        ),
    ),
    "cards": Case(
        *of_players("cards", "kind", ("played", "taken_back"), (6.0, 4.0)),
        (
            "a plays the most supply cards: 6.00 a match (95% CI 5.88–6.12). a takes the most of them back: 6.00 a"
            " match (95% CI 5.88–6.12)."
        ),
        (
            "a plays 6.00 supply cards a match (95% CI 4.00–8.00; lead not significant). a takes 6.00 supply cards"
            " back a match (95% CI 4.00–8.00; lead not significant)."
        ),
    ),
    "fields": Case(
        *rows("visit_share", {"field": [1, 2, 3]}, [0.5, 0.3, 0.2], terrain="open", visits=40),
        (
            "Field 1 (open) is visited most: it has 50.0% of 120 arrivals (95% CI 49.0–51.0). Field 3 (open) is"
            " visited least: it has 20.0% of 120 arrivals (95% CI 19.0–21.0)."
        ),
        (
            "Field 1 (open) has 50.0% of 120 arrivals (95% CI 33.3–66.7; lead not significant). Field 3 (open) has"
            " 20.0% of 120 arrivals (95% CI 3.3–36.7; lowest, not significant)."
        ),
    ),
    "lost-sherpas": Case(
        *rows("lost_per_match", {"field": [1, 2, 3]}, [6.0, 4.0, 2.0], terrain="open", lost=3, slid=2, chased=1),
        (
            "The most Sherpas are sent back from field 1 (open): 6.00 a match (95% CI 5.88–6.12). In all, 6 Sherpas"
            " slid and the Yeti chased 3 Sherpas."
        ),
        (
            "From field 1 (open), 6.00 Sherpas are sent back a match (95% CI 4.00–8.00; lead not significant). In"
            " all, 6 Sherpas slid and the Yeti chased 3 Sherpas."
        ),
    ),
    "weather": Case(
        *rows("weather_share", {"players": [2, 4]}, [0.5, 0.3], ending="summit", matches=20, of_matches=40),
        (
            "With 2 players, a climber reaches the summit in 50.0% of 40 matches (95% CI 49.0–51.0). With 4 players,"
            " a climber reaches the summit in 30.0% of 40 matches (95% CI 29.0–31.0). Bad weather ends the others."
        ),
        (
            "With 2 players, a climber reaches the summit in 50.0% of 40 matches (95% CI 33.3–66.7). With 4 players,"
            " a climber reaches the summit in 30.0% of 40 matches (95% CI 13.3–46.7). Bad weather ends the others."
        ),
    ),
    "throws": Case(
        *rows("throws_taken", {"ending": ["summit", "bad_weather"]}, [12.0, 14.0], players=4, matches=20),
        (
            "A match of 4 players that ends with a climber on the summit takes 12.0 throws (95% CI 11.7–12.3). A"
            " match of 4 players that ends by bad weather takes 14.0 throws (95% CI 13.7–14.3)."
        ),
        (
            "A match of 4 players that ends with a climber on the summit takes 12.0 throws (95% CI 7.3–16.7). A"
            " match of 4 players that ends by bad weather takes 14.0 throws (95% CI 9.3–18.7)."
        ),
    ),
    "decisive-throw": decisive("throw"),
    "from-behind": Case(
        *rows("behind_share", {"player": ["a", "b", "c"]}, [0.5, 0.3, 0.2], wins=10, comebacks=[5, 3, 2]),
        (
            "a comes back most often: in 50.0% of its 10 wins (95% CI 49.0–51.0). c comes back least often: in 20.0%"
            " of its 10 wins (95% CI 19.0–21.0). A comeback: a winner was last before some throw in the second half"
            " of the match."
        ),
        (
            "Of a's 10 wins, 50.0% were comebacks (95% CI 33.3–66.7; lead not significant). Of c's 10 wins, 20.0%"
            " were comebacks (95% CI 3.3–36.7; lowest, not significant). A comeback: a winner was last before some"
            " throw in the second half of the match."
        ),
    ),
    "happenings": Case(
        *of_courses("times_per_match", ("lead_changes", "take_alongs", "slides", "chases")),
        (
            "In a match of 4 players the lead changes 10.0 times (95% CI 9.7–10.3). On average, Sherpas go along"
            " 11.0 times, slide 12.0 times and are chased by the Yeti 13.0 times."
        ),
        (
            "In a match of 4 players the lead changes 10.0 times (95% CI 5.7–14.3). On average, Sherpas go along"
            " 11.0 times, slide 12.0 times and are chased by the Yeti 13.0 times."
        ),
    ),
}
