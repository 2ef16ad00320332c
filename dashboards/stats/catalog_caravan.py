"""The figures of caravan: why a player wins, where it goes, when matches are decided."""

from typing import Final

from dashboards.stats import caravan_endings as endings
from dashboards.stats import caravan_traffic as traffic
from dashboards.stats.table import Table, interval

__all__ = ["CARAVAN_TABLES"]

QUARTILES: Final = {
    "points_lower": "Lower quartile",
    "points_median": "Median",
    "points_upper": "Upper quartile",
}

CARAVAN_TABLES: Final = (
    Table(
        "final-influence",
        "Influence at the end",
        "why",
        endings.final_influence,
        {
            "player": "Player",
            "influence": "Influence",
            "seats": "Seats",
            "groups": "Lucks",
            **interval("points", "Mean"),
            **QUARTILES,
        },
        endings.final_finding,
        "player",
    ),
    Table(
        "influence-by-round",
        "Influence round by round",
        "why",
        endings.influence_by_round,
        {
            "influence": "Influence",
            "player": "Player",
            "round": "Round",
            "seats": "Seats",
            "points": "Mean",
            **QUARTILES,
        },
        endings.round_finding,
        "player",
    ),
    Table(
        "endings",
        "How each player's matches ended",
        "why",
        endings.endings,
        {
            "player": "Player",
            "ending": "Ending",
            "seats": "Seats",
            "played": "Of",
            "groups": "Lucks",
            **interval("ending_share", "Share"),
        },
        endings.ending_finding,
        "player",
    ),
    Table(
        "eliminations",
        "Who was eliminated, and by how little",
        "why",
        endings.eliminations,
        {
            "influence": "Least influence",
            "player": "Player",
            "eliminations": "Eliminations",
            "played": "Of seats",
            "groups": "Lucks",
            **interval("out_share", "Share"),
            "margin_lower": "Margin: lower quartile",
            "margin_median": "Median",
            "margin_upper": "Upper quartile",
            "tied": "By a tie-break",
        },
        endings.elimination_finding,
        "player",
    ),
    Table(
        "tie-breaks",
        "What decided eliminations",
        "why",
        endings.tie_breaks,
        {
            "influence": "Least influence",
            "tie_break": "Tie broken by",
            "eliminations": "Eliminations",
            "groups": "Lucks",
            **interval("tie_share", "Share"),
        },
        endings.tie_break_finding,
    ),
    Table(
        "villages",
        "Arrivals in villages",
        "where",
        traffic.villages,
        {
            "village": "Village",
            "level": "Level",
            "arrivals": "Arrivals",
            "groups": "Lucks",
            **interval("arrival_share", "Share"),
            "collected": "Goods collected",
            "delivered": "Deliveries",
            "voided": "Trades voided",
        },
        traffic.village_finding,
    ),
    Table(
        "roads",
        "Journeys on roads",
        "where",
        traffic.roads,
        {
            "village_a": "From",
            "village_b": "To",
            "road": "Road",
            "journeys": "Journeys",
            "groups": "Lucks",
            **interval("journey_share", "Share"),
        },
        traffic.road_finding,
    ),
)
