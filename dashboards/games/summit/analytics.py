"""The analytics of summit."""

from typing import Final

from dashboards.games.analytics import Analytics
from dashboards.games.summit.board import summit_places
from dashboards.games.summit.figures.course import COMEBACKS, DECISIVE_THROW, IN_A_MATCH
from dashboards.games.summit.figures.endings import OUTCOMES, THROWS, WEATHER
from dashboards.games.summit.figures.heights import HEIGHTS, HEIGHTS_BY_THROW
from dashboards.games.summit.figures.route import LOST_SHERPAS, VISITED
from dashboards.games.summit.figures.seat_sums import CARDS, CLIMBED, FALLS
from dashboards.games.summit.figures.turns import DICE, TURNS
from dashboards.games.summit.figures.winners import WINNERS
from dashboards.games.summit.highlights import summit_highlights
from dashboards.games.summit.map import SUMMIT_LAYERS, draw_summit_map
from dashboards.games.summit.places import SUMMIT_PLACES
from dashboards.games.summit.replay.choices import summit_choices
from dashboards.games.summit.replay.scene import summit_scene
from dashboards.games.summit.replay.targets import alternative_targets
from dashboards.games.summit.report import summit_drawings
from dashboards.games.summit.terms import TERMS

__all__ = ["SUMMIT"]

FIGURES: Final = (
    OUTCOMES.figure,
    HEIGHTS.figure,
    DICE.figure,
    WINNERS,
    TURNS.figure,
    FALLS.figure,
    CLIMBED.figure,
    CARDS.figure,
    HEIGHTS_BY_THROW.figure,
    VISITED.figure,
    LOST_SHERPAS.figure,
    WEATHER.figure,
    THROWS,
    DECISIVE_THROW,
    COMEBACKS,
    IN_A_MATCH.figure,
)
"""In the order of pages and reports."""
KEYS: Final = {
    "choice": "what was moved in the turn",
    "fall": "why the pawn fell back",
    "field": "number of the field along the route",
    "figure": "the climber, or the Sherpas",
    "outcome": "how the match ended for the player",
    "part": "what the pips come from: the throws, what others left, its own choice",
    "terrain": "terrain of the field",
}
TURNING_POINTS: Final = """select m.match, max(e.ply) as ply from dim_matches m
    join fct_summit_courses c using (match_id)
    join stg_summit_turn_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""

SUMMIT: Final = Analytics(
    terms=TERMS,
    figures=FIGURES,
    metrics=tuple(metric for figure in FIGURES for metric in figure.metrics),
    keys=KEYS,
    compared=("outcomes", "dice", "falls", "heights-by-throw"),
    why="What each player does and ends with: dice, choices, slides, the Yeti, supply cards.",
    places=SUMMIT_PLACES,
    places_on=summit_places,
    layers=SUMMIT_LAYERS,
    draw_map=draw_summit_map,
    highlights=summit_highlights,
    turning_points=TURNING_POINTS,
    course="summit",
    scene=summit_scene,
    board_kind="track",
    choices=summit_choices,
    alternative_targets=alternative_targets,
    print_drawings=summit_drawings,
)
