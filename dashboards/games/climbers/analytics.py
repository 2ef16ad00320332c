"""The analytics of climbers."""

from typing import Final

from dashboards.games.analytics import Analytics
from dashboards.games.climbers.board import climbers_places
from dashboards.games.climbers.figures import (
    discs,
    hindered_by,
    in_a_match,
    levels,
    levels_by_turn,
    levels_stood,
    more_of,
    turns_taken,
    ways_to_win,
)
from dashboards.games.climbers.figures.decided import COMEBACKS, DECISIVE_TURN
from dashboards.games.climbers.figures.seat_sums import BLOCKS, HINDERED, LADDERS, LEVELS_GAINED
from dashboards.games.climbers.highlights import climbers_highlights
from dashboards.games.climbers.places import CLIMBERS_PLACES
from dashboards.games.climbers.replay.choices import block_ways, climbers_choices
from dashboards.games.climbers.replay.opens import opened
from dashboards.games.climbers.replay.scene import climbers_scene
from dashboards.games.climbers.replay.targets import alternative_targets
from dashboards.games.climbers.terms import TERMS

__all__ = ["CLIMBERS"]

FIGURES: Final = (
    levels.FIGURE,
    LEVELS_GAINED.figure,
    LADDERS.figure,
    BLOCKS.figure,
    discs.FIGURE,
    HINDERED.figure,
    hindered_by.FIGURE,
    more_of.FIGURE,
    levels_by_turn.FIGURE,
    levels_stood.FIGURE,
    ways_to_win.FIGURE,
    turns_taken.FIGURE,
    DECISIVE_TURN,
    COMEBACKS,
    in_a_match.FIGURE,
)
"""In the order of pages and reports."""
KEYS: Final = {
    "figure": "the level of the climber, or the ladders that are left",
    "level": "level of the tower; 0 is the ground",
}
TURNING_POINTS: Final = """select m.match, max(e.ply) as ply from dim_matches m
    join fct_climbers_courses c using (match_id)
    join stg_climbers_turn_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""

CLIMBERS: Final = Analytics(
    terms=TERMS,
    figures=FIGURES,
    metrics=tuple(metric for figure in FIGURES for metric in figure.metrics),
    keys=KEYS,
    compared=("levels", "levels-gained", "hindered", "levels-by-turn"),
    why="What each player does and ends with: levels, ladders, blocks, discs.",
    places=CLIMBERS_PLACES,
    places_on=climbers_places,
    highlights=climbers_highlights,
    turning_points=TURNING_POINTS,
    course="climbers",
    scene=climbers_scene,
    board_kind="tower",
    opens=opened,
    choices=climbers_choices,
    ways=block_ways,
    alternative_targets=alternative_targets,
)
