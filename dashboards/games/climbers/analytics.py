"""What is told of climbers."""

from typing import Final

from dashboards.games.analytics import Analytics
from dashboards.games.climbers.board import climbers_places
from dashboards.games.climbers.catalog import FIGURES
from dashboards.games.climbers.highlights import climbers_telling
from dashboards.games.climbers.map import draw_climbers_map
from dashboards.games.climbers.map_layers import CLIMBERS_LAYERS
from dashboards.games.climbers.metrics import CLIMBERS_KEYS, CLIMBERS_METRICS
from dashboards.games.climbers.places import CLIMBERS_PLACES
from dashboards.games.climbers.replay.scene import climbers_scene
from dashboards.games.climbers.report import climbers_drawings
from dashboards.games.climbers.terms import TERMS

__all__ = ["CLIMBERS"]

TURNING_POINTS: Final = """select m.match, max(e.ply) as ply from dim_matches m
    join fct_climbers_courses c using (match_id)
    join stg_climbers_turn_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""

CLIMBERS: Final = Analytics(
    terms=TERMS,
    figures=FIGURES,
    metrics=CLIMBERS_METRICS,
    keys=CLIMBERS_KEYS,
    compared=("levels", "levels-gained", "hindered", "levels-by-turn"),
    why="What own and others' turns, ladders, blocks and discs have to do with it.",
    places=CLIMBERS_PLACES,
    places_on=climbers_places,
    layers=CLIMBERS_LAYERS,
    draw_map=draw_climbers_map,
    highlights=climbers_telling,
    turning_points=TURNING_POINTS,
    scene=climbers_scene,
    board_kind="tower",
    print_drawings=climbers_drawings,
)
