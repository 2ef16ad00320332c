"""Caravan's terms, and the names of the tables that its figures use."""

from typing import Final

from dashboards.charts.builders import Course
from dashboards.charts.chart import Row
from dashboards.games.analytics import Terms

__all__ = [
    "BY_INFLUENCE",
    "COURSES",
    "ELIMINATED_OVER",
    "ELIMINATIONS",
    "INFLUENCES",
    "SEATS",
    "TERMS",
    "WITH_ELIMINATION",
    "of_influence",
]


TERMS: Final = Terms(
    "round",
    "rounds",
    "0 is the set-up",
    12,
    (0, 3, 6, 9, 12),
    "The smallest change that would have made another player win: in the influence that kept the winner in, or in yaks",
    close={
        "ahead": "{winner} won by {gap} {unit}",
        "ahead tied": "{winner} was tied on yaks and won on the tie-break",
        "stayed": "{winner} escaped elimination by {gap} in {unit}",
        "stayed tied": "{winner} escaped elimination on a tie-break, tied on {unit}",
        "out": "a rival with more yaks than {winner} was eliminated by {gap} in {unit}",
        "out tied": "a rival with more yaks than {winner} was eliminated on a tie-break, tied on {unit}",
        "led": "{winner} won by leading in two influences, one of them by {gap} in {unit}",
        "shared": "{winner} shared the win",
    },
    words={
        "Round": "One of twelve: all plan, then action 1 of each plan is carried out, then action 2, up to 6.",
        "Plan": "Six actions chosen in secret: soil, stone, ice, trade or rest.",
        "Void action": "A planned action that came to nothing: no such road, nothing to trade, or a token in the way.",
        "Barter, offering, delegation": "Rewards of a delivery, of which two different ones are taken if possible:"
        " yaks, a stupa in the village, delegations to its regions.",
        "Stupa": "What an offering builds in a village; it counts the village's level as religious influence.",
        "Influence": "Religious: levels of stupas. Political: regions with most of the delegations. Economic: yaks.",
        "First Caravaneer": "Who acts first in a round: the next seat each round.",
        "Yeti, snowstorm, market": "Tokens (an option): the Yeti closes a road for a round, a snowstorm makes it take"
        " two actions, at the market any resource on offer may be taken.",
    },
    chance="dice",
)


INFLUENCES: Final = ("religious", "political", "economic")
"""Influences in scoring order; the first two eliminate seats."""
SEATS: Final = "fct_caravan_seats"
"""Table with one row per seat: everything the seat did, and its final influence."""
COURSES: Final = "fct_caravan_courses"
"""Table with one row per match: how often the lead and regions changed hands, and when the match was decided."""
ELIMINATIONS: Final = (
    "fct_caravan_eliminations e join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"
)
WITH_ELIMINATION: Final = "m.players >= 4"
"""SQL for matches in which seats are eliminated; with three players none are (C-setup.supply)."""
ELIMINATED_OVER: Final = {"religious": "religion", "political": "politics"}
"""Names of the two eliminating influences in sentences."""
BY_INFLUENCE: Final = Course(
    key="influence",
    kinds=tuple((influence, influence.capitalize()) for influence in INFLUENCES),
    value="points",
    word="round",
    ticks=(1, 4, 8, 12),
    hues=lambda colours: colours.influences,
)
"""Line chart with one panel per influence."""


def of_influence(row: Row) -> dict[str, str]:
    """Return filter keys for a row of an influence: the seats that it eliminated."""
    return {"result": row["influence"]}
