"""The figures of summit: why a player wins, where its pawns go, when matches are decided."""

from typing import Final

from dashboards.games.figure import BY_OUTCOME, BY_ROUND, Figure, Row, by_ending, interval, of_wins
from dashboards.games.shared.winners_vs_losers import winner_finding
from dashboards.games.summit import actions as deeds
from dashboards.games.summit import drawings, traffic
from dashboards.games.summit import outcomes as endings
from dashboards.games.summit import progress as courses

__all__ = ["FIGURES"]

OF_PLAYER: Final = {"played": "Seats", "groups": "Lucks"}


def _quartiles(name: str) -> dict[str, str]:
    return {f"{name}_lower": "Lower quartile", f"{name}_median": "Median", f"{name}_upper": "Upper quartile"}


def _of_outcome(row: Row) -> dict[str, str]:
    result, _, ending = row["outcome"].partition("_")
    return {"result": result, "ending": ending}


FIGURES: Final = (
    Figure(
        "outcomes",
        "How each player's matches ended",
        "why",
        endings.outcomes,
        {
            "player": "Player",
            "outcome": "Outcome",
            "seats": "Seats",
            "played": "Of",
            "groups": "Lucks",
            **interval("outcome_share", "Share"),
        },
        endings.outcome_finding,
        BY_OUTCOME,
        narrows=_of_outcome,
        draw=drawings.DRAW_OUTCOMES,
    ),
    Figure(
        "heights",
        "How high climbers and Sherpas came",
        "why",
        endings.heights,
        {
            "figure": "Pawns",
            "player": "Player",
            "seats": "Seats",
            "groups": "Lucks",
            **interval("height", "Mean"),
            **_quartiles("height"),
        },
        endings.height_finding,
        draw=drawings.DRAW_HEIGHTS,
    ),
    Figure(
        "dice",
        "Luck of the dice against choice",
        "why",
        deeds.dice,
        {"player": "Player", "part": "Part", **OF_PLAYER, **interval("dice_pips", "Pips a match")},
        deeds.dice_finding,
        draw=drawings.DRAW_DICE,
    ),
    Figure(
        "winners",
        "What winners have more of than losers",
        "why",
        deeds.winners,
        {
            "kind": "What",
            "won_mean": "Winners",
            "lost_mean": "Losers",
            "groups": "Lucks",
            **interval("winner_difference", "Difference"),
            "winner_difference_p": "p",
            "winner_difference_holm": "p (Holm)",
        },
        winner_finding,
        BY_OUTCOME,
        draw=drawings.DRAW_WINNERS,
    ),
    Figure(
        "turns",
        "What turns moved",
        "why",
        deeds.turns,
        {
            "player": "Player",
            "choice": "Moved",
            "turns": "Turns",
            "groups": "Lucks",
            **interval("turn_share", "Share"),
        },
        deeds.turn_finding,
        draw=drawings.DRAW_TURNS,
    ),
    Figure(
        "falls",
        "Sherpas sent back, and why",
        "why",
        deeds.falls,
        {"player": "Player", "fall": "Why", **OF_PLAYER, **interval("falls", "Times a match")},
        deeds.fall_finding,
        draw=drawings.DRAW_FALLS,
    ),
    Figure(
        "climbed",
        "Fields gained and lost",
        "why",
        deeds.climbed,
        {"player": "Player", "kind": "How", **OF_PLAYER, **interval("fields_climbed", "Fields a match")},
        deeds.climbed_finding,
        is_wide=True,
        draw=drawings.DRAW_CLIMBED,
    ),
    Figure(
        "cards",
        "Supply cards",
        "why",
        deeds.cards,
        {"player": "Player", "kind": "What", **OF_PLAYER, **interval("cards", "A match")},
        deeds.card_finding,
        is_wide=True,
        draw=drawings.DRAW_CARDS,
    ),
    Figure(
        "heights-by-throw",
        "How high, throw by throw",
        "why",
        endings.heights_by_throw,
        {
            "figure": "Pawns",
            "player": "Player",
            "round": "Throw",
            "seats": "Seats",
            "height": "Mean",
            **_quartiles("height"),
        },
        endings.throw_height_finding,
        BY_ROUND,
        is_wide=True,
        draw=drawings.DRAW_HEIGHTS_BY_THROW,
        overlaid=drawings.DRAW_HEIGHTS_BY_THROW_OVERLAID,
    ),
    Figure(
        "fields",
        "Fields visited",
        "where",
        traffic.fields,
        {
            "field": "Field",
            "terrain": "What it is",
            "visits": "Arrivals",
            "groups": "Lucks",
            **interval("visit_share", "Share"),
            "climbers": "Climbers",
            "sherpas": "Sherpas",
            "alongs": "Along",
        },
        traffic.field_finding,
        BY_ROUND,
        draw=drawings.DRAW_FIELDS,
    ),
    Figure(
        "lost-sherpas",
        "Where Sherpas are sent back",
        "where",
        traffic.lost_fields,
        {
            "field": "Field",
            "terrain": "What it is",
            "lost": "Sherpas",
            "matches": "Matches",
            "groups": "Lucks",
            **interval("lost_per_match", "A match"),
            "slid": "Slid",
            "chased": "Chased",
        },
        traffic.lost_finding,
        BY_ROUND,
        draw=drawings.DRAW_LOST_SHERPAS,
    ),
    Figure(
        "weather",
        "Summit or bad weather",
        "when",
        endings.weather,
        {
            "players": "At a table of",
            "ending": "Ended by",
            "matches": "Matches",
            "of_matches": "Of",
            "groups": "Lucks",
            **interval("weather_share", "Share"),
        },
        endings.weather_finding,
        BY_OUTCOME,
        narrows=by_ending,
        draw=drawings.DRAW_WEATHER,
    ),
    Figure(
        "throws",
        "Throws taken",
        "when",
        endings.throws,
        {
            "players": "At a table of",
            "ending": "Ended by",
            "matches": "Matches",
            "groups": "Lucks",
            **interval("throws_taken", "Mean"),
            **_quartiles("throws_taken"),
        },
        endings.throw_finding,
        BY_OUTCOME,
        narrows=by_ending,
        draw=drawings.DRAW_THROWS,
    ),
    Figure(
        "decisive-throw",
        "When matches are decided",
        "when",
        courses.decisive_throw,
        {
            "round": "Throw",
            "matches": "Matches",
            "groups": "Lucks",
            **interval("decided_share", "Decided then"),
            **interval("decided_by", "Decided by then"),
        },
        courses.decisive_finding,
        BY_ROUND,
        draw=drawings.DRAW_DECISIVE_THROW,
    ),
    Figure(
        "from-behind",
        "Wins from behind",
        "when",
        courses.from_behind,
        {
            "player": "Player",
            "wins": "Wins",
            "comebacks": "From behind",
            "groups": "Lucks",
            **interval("behind_share", "Share of wins"),
        },
        courses.behind_finding,
        BY_OUTCOME,
        narrows=of_wins,
        draw=drawings.DRAW_FROM_BEHIND,
    ),
    Figure(
        "happenings",
        "What happens in a match",
        "when",
        courses.happenings,
        {
            "kind": "What",
            "players": "At a table of",
            "matches": "Matches",
            "groups": "Lucks",
            **interval("times_per_match", "Times a match"),
            **_quartiles("times_per_match"),
        },
        courses.happening_finding,
        draw=drawings.DRAW_HAPPENINGS,
    ),
)
