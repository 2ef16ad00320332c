"""The analytics of climbers."""

from typing import Final

from dashboards.games.analytics import Analytics
from dashboards.games.climbers.board import climbers_places
from dashboards.games.climbers.figures.blocking import DISCS, HINDERED_BY
from dashboards.games.climbers.figures.course import COMEBACKS, DECISIVE_TURN, IN_A_MATCH
from dashboards.games.climbers.figures.endings import TURNS_TAKEN, WAYS_TO_WIN
from dashboards.games.climbers.figures.levels import LEVELS, LEVELS_BY_TURN, LEVELS_STOOD
from dashboards.games.climbers.figures.seat_sums import BLOCKS, HINDERED, LADDERS, LEVELS_GAINED
from dashboards.games.climbers.figures.winners import MORE_OF
from dashboards.games.climbers.highlights import climbers_highlights
from dashboards.games.climbers.places import CLIMBERS_PLACES
from dashboards.games.climbers.replay.choices import block_ways, climbers_choices
from dashboards.games.climbers.replay.opens import opened
from dashboards.games.climbers.replay.scene import climbers_scene
from dashboards.games.climbers.replay.targets import alternative_targets
from dashboards.games.climbers.terms import TERMS

__all__ = ["CLIMBERS"]

FIGURES: Final = (
    LEVELS,
    LEVELS_GAINED.figure,
    LADDERS.figure,
    BLOCKS.figure,
    DISCS,
    HINDERED.figure,
    HINDERED_BY,
    MORE_OF,
    LEVELS_BY_TURN.figure,
    LEVELS_STOOD.figure,
    WAYS_TO_WIN.figure,
    TURNS_TAKEN,
    DECISIVE_TURN,
    COMEBACKS,
    IN_A_MATCH.figure,
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
