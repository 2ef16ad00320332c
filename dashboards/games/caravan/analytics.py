"""What is told of caravan."""

from typing import Final

from dashboards.games.analytics import Analytics
from dashboards.games.caravan.board import caravan_places
from dashboards.games.caravan.catalog import FIGURES
from dashboards.games.caravan.highlights import caravan_telling
from dashboards.games.caravan.map import draw_caravan_map
from dashboards.games.caravan.map_layers import CARAVAN_LAYERS
from dashboards.games.caravan.metrics import CARAVAN_KEYS, CARAVAN_METRICS
from dashboards.games.caravan.places import CARAVAN_PLACES
from dashboards.games.caravan.replay.scene import caravan_scene
from dashboards.games.caravan.report import caravan_drawings
from dashboards.games.caravan.terms import TERMS

__all__ = ["CARAVAN"]

TURNING_POINTS: Final = """select m.match, max(e.ply) as ply from dim_matches m
    join fct_courses c using (match_id)
    join stg_caravan_round_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""

CARAVAN: Final = Analytics(
    terms=TERMS,
    figures=FIGURES,
    metrics=CARAVAN_METRICS,
    keys=CARAVAN_KEYS,
    compared=("endings", "income", "voids", "influence-by-round"),
    why="What the three influences, income, goods, tokens and eliminations have to do with it.",
    places=CARAVAN_PLACES,
    places_on=caravan_places,
    layers=CARAVAN_LAYERS,
    draw_map=draw_caravan_map,
    highlights=caravan_telling,
    turning_points=TURNING_POINTS,
    scene=caravan_scene,
    board_kind="map",
    print_drawings=caravan_drawings,
)
