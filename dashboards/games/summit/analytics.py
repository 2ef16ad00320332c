"""What is told of summit."""

from typing import Final

from dashboards.games.analytics import Analytics
from dashboards.games.summit.board import summit_places
from dashboards.games.summit.catalog import FIGURES
from dashboards.games.summit.highlights import summit_telling
from dashboards.games.summit.map import draw_summit_map
from dashboards.games.summit.map_layers import SUMMIT_LAYERS
from dashboards.games.summit.metrics import SUMMIT_KEYS, SUMMIT_METRICS
from dashboards.games.summit.places import SUMMIT_PLACES
from dashboards.games.summit.replay.scene import summit_scene
from dashboards.games.summit.report import summit_drawings
from dashboards.games.summit.terms import TERMS

__all__ = ["SUMMIT"]

TURNING_POINTS: Final = """select m.match, max(e.ply) as ply from dim_matches m
    join fct_summit_courses c using (match_id)
    join stg_summit_turn_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""

SUMMIT: Final = Analytics(
    terms=TERMS,
    figures=FIGURES,
    metrics=SUMMIT_METRICS,
    keys=SUMMIT_KEYS,
    compared=("outcomes", "dice", "falls", "heights-by-throw"),
    why="What dice, choices, slides, the Yeti and supply cards have to do with it.",
    places=SUMMIT_PLACES,
    places_on=summit_places,
    layers=SUMMIT_LAYERS,
    draw_map=draw_summit_map,
    highlights=summit_telling,
    turning_points=TURNING_POINTS,
    scene=summit_scene,
    board_kind="track",
    print_drawings=summit_drawings,
)
