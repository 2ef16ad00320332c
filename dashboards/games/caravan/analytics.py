"""The analytics of caravan."""

from typing import Final

from dashboards.games.analytics import Analytics
from dashboards.games.caravan.board import caravan_places
from dashboards.games.caravan.figures.course import COMEBACKS, DECISIVE_ROUND, IN_A_MATCH
from dashboards.games.caravan.figures.eliminations import ELIMINATED, TIE_BREAKS
from dashboards.games.caravan.figures.endings import ENDINGS
from dashboards.games.caravan.figures.income import INCOME
from dashboards.games.caravan.figures.influence import FINAL_INFLUENCE, INFLUENCE_BY_ROUND
from dashboards.games.caravan.figures.orders import ORDER_DISCS
from dashboards.games.caravan.figures.place_counts import CONTESTED, DELEGATIONS, REGIONS, ROADS, STUPAS, VILLAGES
from dashboards.games.caravan.figures.plan_costs import PLAN_COSTS
from dashboards.games.caravan.figures.rewards import REWARDS
from dashboards.games.caravan.figures.seat_sums import GOODS
from dashboards.games.caravan.figures.supply import SUPPLY
from dashboards.games.caravan.figures.tokens import TOKENS_PLACED
from dashboards.games.caravan.figures.voids import VOIDS
from dashboards.games.caravan.highlights import caravan_highlights
from dashboards.games.caravan.map import CARAVAN_LAYERS, draw_caravan_map
from dashboards.games.caravan.places import CARAVAN_PLACES
from dashboards.games.caravan.replay.choices import caravan_choices
from dashboards.games.caravan.replay.scene import caravan_scene
from dashboards.games.caravan.replay.targets import alternative_targets
from dashboards.games.caravan.report import caravan_drawings
from dashboards.games.caravan.terms import TERMS

__all__ = ["CARAVAN"]

FIGURES: Final = (
    FINAL_INFLUENCE.figure,
    INFLUENCE_BY_ROUND.figure,
    ENDINGS.figure,
    ELIMINATED,
    TIE_BREAKS,
    INCOME,
    GOODS.figure,
    VOIDS.figure,
    REWARDS.figure,
    ORDER_DISCS.figure,
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
"""In the order of pages and reports."""
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

CARAVAN: Final = Analytics(
    terms=TERMS,
    figures=FIGURES,
    metrics=tuple(metric for figure in FIGURES for metric in figure.metrics),
    keys=KEYS,
    compared=("endings", "income", "voids", "influence-by-round"),
    why="What each player does and ends with: influence, income, goods, tokens, eliminations.",
    places=CARAVAN_PLACES,
    places_on=caravan_places,
    layers=CARAVAN_LAYERS,
    draw_map=draw_caravan_map,
    highlights=caravan_highlights,
    turning_points=TURNING_POINTS,
    course="caravan",
    scene=caravan_scene,
    board_kind="map",
    choices=caravan_choices,
    alternative_targets=alternative_targets,
    print_drawings=caravan_drawings,
)
