"""Findings of The Climbers' figures for two small frames each: in the first a row leads, in the second none does."""

from typing import Final

from tests.dashboards.games.findings import (
    Case,
    decisive,
    differences,
    of_courses,
    of_players,
    rows,
    with_metric,
)

CASES: Final = {
    "levels": Case(
        *rows("level_reached", {"player": ["a", "b", "c"]}, [6.0, 4.0, 2.0]),
        (
            "On average, a ends highest: on level 6.0 (95% CI 5.9–6.1). On average, c ends lowest: on level 2.0 (95%"
            " CI 1.9–2.1)."
        ),
        (
            "On average, a ends on level 6.0 (95% CI 4.0–8.0; lead not significant). On average, c ends on level 2.0"
            " (95% CI 0.0–4.0; lowest, not significant)."
        ),
    ),
    "levels-gained": Case(
        *of_players("levels_gained", "kind", ("own", "others"), (6.0, 4.0)),
        (
            "a gains the most levels in its own turns: 6.0 a match (95% CI 5.9–6.1). a gains the most levels after"
            " the turns of others: 6.0 a match (95% CI 5.9–6.1)."
        ),
        (
            "a gains 6.0 levels a match in its own turns (95% CI 4.0–8.0; lead not significant). a gains 6.0 levels"
            " a match after the turns of others (95% CI 4.0–8.0; lead not significant)."
        ),
    ),
    "ladders": Case(
        *of_players("ladders", "kind", ("left", "levels"), (1.5, 0.5)),
        (
            "a has the most ladders left at the end: 1.50 of 2 (95% CI 1.47–1.53). a gains the most by ladders: 1.50"
            " levels a match (95% CI 1.47–1.53)."
        ),
        (
            "a has 1.50 of 2 ladders left at the end (95% CI 1.00–2.00; lead not significant). a gains 1.50 levels a"
            " match by ladders (95% CI 1.00–2.00; lead not significant)."
        ),
    ),
    "blocks": Case(
        *of_players("blocks", "kind", ("moved", "raised"), (6.0, 4.0)),
        (
            "a moves the most blocks: 6.0 a match (95% CI 5.9–6.1). a sets the most blocks higher than before: 6.0 a"
            " match (95% CI 5.9–6.1)."
        ),
        (
            "a moves 6.0 blocks a match (95% CI 4.0–8.0; lead not significant). a sets 6.0 blocks a match higher"
            " than before (95% CI 4.0–8.0; lead not significant)."
        ),
    ),
    "discs": Case(
        *with_metric(rows("disc_share", {"player": ["a", "b"]}, [0.6, 0.4], played=50), "disc_hindered", [1.0, 0.5]),
        (
            "a lays its disc most often: in 60.0% of its 50 matches (95% CI 58.8–61.2). A disc of a hinders the most"
            " opponents: 1.00 on average (95% CI 0.98–1.02)."
        ),
        (
            "a lays its disc in 60.0% of its 50 matches (95% CI 40.0–80.0; lead not significant). A disc of a"
            " hinders 1.00 opponents on average (95% CI 0.67–1.33; lead not significant)."
        ),
    ),
    "hindered": Case(
        *of_players("hindrances", "kind", ("blocks", "discs", "hindering"), (6.0, 4.0)),
        (
            "a loses a step to others' blocks most often: 6.00 times a match (95% CI 5.88–6.12). a loses a step to"
            " others' discs most often: 6.00 times a match (95% CI 5.88–6.12). a hinders others most often: 6.00"
            " times a match (95% CI 5.88–6.12)."
        ),
        (
            "a loses a step to others' blocks 6.00 times a match (95% CI 4.00–8.00; lead not significant). a loses a"
            " step to others' discs 6.00 times a match (95% CI 4.00–8.00; lead not significant). a hinders others"
            " 6.00 times a match (95% CI 4.00–8.00; lead not significant)."
        ),
    ),
    "hindered-by": Case(
        *rows("hindered_by", {"player": ["a", "b"], "other": ["b", "a"]}, [6.0, 4.0]),
        ("b hinders a most often: 6.00 times a match at the same table (95% CI 5.88–6.12)."),
        ("b hinders a 6.00 times a match at the same table (95% CI 4.00–8.00; lead not significant)."),
    ),
    "more-of": Case(
        *differences("steps_own", "hindered"),
        (
            "Significant difference between winners and losers in 2 of 2 respects (corrected). Winners minus losers,"
            " per player and match: steps own +3.0 (95% CI +2.9 to +3.1), hindered −2.0."
        ),
        (
            "No significant difference between winners and losers in any of 2 respects (corrected). The clearest"
            " sign: steps own, winners minus losers +3.0 (95% CI +2.0 to +4.0)."
        ),
    ),
    "levels-stood": Case(
        *rows("level_share", {"level": [1, 2]}, [0.6, 0.4], levels_stood=20),
        (
            "Climbers are most often on level 1: 60.0% of 40 positions after turns (95% CI 58.8–61.2). No climber"
            " was higher than level 2."
        ),
        (
            "Of 40 positions after turns, 60.0% are on level 1 (95% CI 40.0–80.0; lead not significant). No climber"
            " was higher than level 2."
        ),
    ),
    "ways-to-win": Case(
        *rows("way_share", {"players": [3, 4], "ending": ["earlier", "earlier"]}, [0.4, 0.3], matches=2, of_matches=10),
        (
            "With 3 players, the winner of 40.0% of 10 matches (95% CI 39.2–40.8) shares the highest level and got"
            " there first. With 4 players, the winner of 30.0% of 10 matches (95% CI 29.2–30.8) shares the highest"
            " level and got there first."
        ),
        (
            "With 3 players, the winner of 40.0% of 10 matches (95% CI 26.7–53.3) shares the highest level and got"
            " there first. With 4 players, the winner of 30.0% of 10 matches (95% CI 16.7–43.3) shares the highest"
            " level and got there first."
        ),
    ),
    "turns-taken": Case(
        *rows("turns_taken", {"players": [2, 3]}, [24.0, 30.0], matches=12),
        (
            "A match of 2 players takes 24.0 turns (95% CI 23.4–24.6), counting those of all players. A match of 3"
            " players takes 30.0 turns (95% CI 29.4–30.6)."
        ),
        (
            "A match of 2 players takes 24.0 turns (95% CI 14.0–34.0), counting those of all players. A match of 3"
            " players takes 30.0 turns (95% CI 20.0–40.0)."
        ),
    ),
    "decisive-turn": decisive("turn"),
    "from-last": Case(
        *rows("from_last_share", {"player": ["a", "b", "c"]}, [0.5, 0.3, 0.2], wins=10, comebacks=[5, 3, 2]),
        (
            "a comes back most often: in 50.0% of its 10 wins (95% CI 49.0–51.0). c comes back least often: in 20.0%"
            " of its 10 wins (95% CI 19.0–21.0). A comeback: a winner was last after some turn in the second half of"
            " the match."
        ),
        (
            "Of a's 10 wins, 50.0% were comebacks (95% CI 33.3–66.7; lead not significant). Of c's 10 wins, 20.0%"
            " were comebacks (95% CI 3.3–36.7; lowest, not significant). A comeback: a winner was last after some"
            " turn in the second half of the match."
        ),
    ),
    "in-a-match": Case(
        *of_courses("happens", ("lead_changes", "rises", "ladders", "blocks_moved", "hindrances")),
        (
            "In a match of 4 players the lead changes 10.0 times (95% CI 9.7–10.3). On average, climbers rise 11.0"
            " times, 12.0 ladders are spent, 13.0 blocks are moved, and a step is taken away 14.0 times."
        ),
        (
            "In a match of 4 players the lead changes 10.0 times (95% CI 5.3–14.7). On average, climbers rise 11.0"
            " times, 12.0 ladders are spent, 13.0 blocks are moved, and a step is taken away 14.0 times."
        ),
    ),
}
