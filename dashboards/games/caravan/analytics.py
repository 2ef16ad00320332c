"""Analytics of caravan, and its notable matches."""

from typing import Any, Final

import polars as pl

from dashboards.games.analytics import Analytics
from dashboards.games.caravan.figures.course import (
    COMEBACKS,
    DECISIVE_ROUND,
    ENDINGS,
    FINAL_INFLUENCE,
    IN_A_MATCH,
    INFLUENCE_BY_ROUND,
    PLAN_COSTS,
    WINNERS,
)
from dashboards.games.caravan.figures.eliminations import ELIMINATED, TIE_BREAKS
from dashboards.games.caravan.figures.orders import ORDERS
from dashboards.games.caravan.figures.places import CONTESTED, DELEGATIONS, REGIONS, ROADS, STUPAS, SUPPLY, VILLAGES
from dashboards.games.caravan.figures.seat_sums import GOODS, INCOME, REWARDS, VOIDS
from dashboards.games.caravan.figures.tokens import TOKENS_PLACED
from dashboards.games.caravan.map import (
    CARAVAN_LAYERS,
    CARAVAN_PLACES,
    caravan_drawings,
    caravan_places,
    draw_caravan_map,
)
from dashboards.games.caravan.replay.foresight import foreseen_steps
from dashboards.games.caravan.replay.scene import caravan_scene
from dashboards.games.caravan.replay.story import caravan_story
from dashboards.games.caravan.replay.targets import alternative_targets, caravan_choices
from dashboards.games.caravan.terms import COURSES, TERMS
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.where import with_such_a_seat
from dashboards.stats.words import how_often, whole

__all__ = ["CARAVAN", "caravan_highlights"]


OF_EACH: Final = 3


def caravan_highlights(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return notable matches as rows of `telling-matches`: comebacks, lead changes, close ends, early decisions.

    `telling` is, in that order: the decisive round, the lead changes, the margin in yaks, the decisive round.
    """
    return [_highlight(row) for row in _extremes(reader, where).iter_rows(named=True)]


def _extremes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, margin, lead_changes, decisive_round`, three per reason.

    `what` is the reason: comeback (decided latest, then most lead changes), lead (most lead changes), close (smallest
    margin, then most lead changes), or quick (decided earliest, then largest margin).
    """
    condition, values = with_such_a_seat(where)
    orders = {
        "comeback": ("f.comeback", "f.decisive_round desc nulls last, f.lead_changes desc"),
        "lead": ("f.lead_changes > 0", "f.lead_changes desc, f.margin"),
        "close": ("f.margin >= 0", "f.margin, f.lead_changes desc"),
        "quick": ("f.decisive_round is not null", "f.decisive_round, f.margin desc nulls last"),
    }
    parts = [
        f"""(select '{what}' as what, m.match, m.tournament, m.line_up, m.winner, f.margin, f.lead_changes,
                f.decisive_round
            from {COURSES} f join dim_matches m using (match_id) where {condition} and {kept}
            order by {order}, m.match limit {OF_EACH})"""
        for what, (kept, order) in orders.items()
    ]
    return reader.frame(" union all ".join(parts), values)


def _highlight(row: dict[str, Any]) -> dict[str, Any]:
    changes = how_often(float(str(row["lead_changes"])))
    came_back = (
        f"{row['winner']} came back to win: it would have been eliminated after some round from 6 on, and was ahead"
        f" for good only {_from_round(row['decisive_round'])}"
    )
    why, telling = {
        "comeback": (came_back, row["decisive_round"]),
        "lead": (f"the lead changed {changes}", row["lead_changes"]),
        "close": (_margin(row), row["margin"]),
        "quick": (f"{row['winner']} was ahead for good {_from_round(row['decisive_round'])}", row["decisive_round"]),
    }[str(row["what"])]
    of_match = {name: row[name] for name in ("what", "match", "tournament", "line_up", "winner")}
    return {**of_match, "why": why, "telling": None if telling is None else float(str(telling))}


def _from_round(decisive: object) -> str:
    return "at the very end" if decisive is None else f"from the end of round {decisive}"


def _margin(row: dict[str, object]) -> str:
    if not row["margin"]:
        return "the top two were tied on yaks"
    return f"{row['winner']} won by {whole(float(str(row['margin'])), 'yak')}"


FIGURES: Final = (
    WINNERS,
    FINAL_INFLUENCE.figure,
    INFLUENCE_BY_ROUND.figure,
    ENDINGS.figure,
    ELIMINATED,
    TIE_BREAKS,
    INCOME,
    GOODS.figure,
    VOIDS.figure,
    REWARDS.figure,
    ORDERS,
    TOKENS_PLACED,
    CONTESTED.figure,
    REGIONS.figure,
    VILLAGES.figure,
    ROADS.figure,
    STUPAS.figure,
    DELEGATIONS.figure,
    SUPPLY,
    DECISIVE_ROUND,
    COMEBACKS,
    IN_A_MATCH.figure,
    PLAN_COSTS,
)
"""Figures in page order."""
KEYS: Final = {
    "disc": "the order disc: its number, what it demands, its yaks",
    "effect": "what the token did, and to whom",
    "influence": "religious, political or economic",
    "level": "level of the village, 1 to 3",
    "pair": "the two rewards taken for a delivery, or that fewer were",
    "reason": "why the action came to nothing",
    "region": "number of the region",
    "resource": "the kind of goods",
    "road": "surface of the road: soil, stone or ice",
    "source": "source of the yaks: barter or inventory",
    "tie_break": "what decided the tie, if there was one",
    "token": "the event token: Yeti, snowstorm or market",
    "village": "number of the village",
    "village_a": "village at one end of the road, the lower number",
    "village_b": "village at the other end of the road",
}
TURNING_POINTS: Final = """select m.match, max(e.ply) as ply from dim_matches m
    join fct_caravan_courses c using (match_id)
    join stg_caravan_round_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""

AIM: Final = (
    "Most yaks after twelve rounds win, but first the players with least religious, then least political influence are"
    " out. With three players, whoever leads two of the three influences wins."
)

CARAVAN: Final = Analytics(
    terms=TERMS,
    aim=AIM,
    guide="about/caravan.html",
    figures=FIGURES,
    metrics=tuple(metric for figure in FIGURES for metric in figure.metrics),
    keys=KEYS,
    compared=("endings", "income", "voids", "influence-by-round"),
    why="What each player does and ends with: influence, income, goods, tokens, eliminations.",
    findings=("winners-apart", "orders", "decided-by-chances", "seat-effect"),
    decided="decisive-round",
    places=CARAVAN_PLACES,
    places_on=caravan_places,
    layers=CARAVAN_LAYERS,
    draw_map=draw_caravan_map,
    highlights=caravan_highlights,
    turning_points=TURNING_POINTS,
    course="caravan",
    scene=caravan_scene,
    story=caravan_story,
    board_kind="map",
    choices=caravan_choices,
    foresee=foreseen_steps,
    alternative_targets=alternative_targets,
    print_drawings=caravan_drawings,
)
