"""Analytics of climbers, its places, and its notable matches."""

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from dashboards.games.analytics import Analytics
from dashboards.games.climbers.figures.blocking import DISCS, HINDERED_BY
from dashboards.games.climbers.figures.course import (
    COMEBACKS,
    DECISIVE_TURN,
    IN_A_MATCH,
    MORE_OF,
    TURNS_TAKEN,
    WAYS_TO_WIN,
)
from dashboards.games.climbers.figures.levels import LEVELS, LEVELS_BY_TURN, LEVELS_STOOD
from dashboards.games.climbers.figures.seat_sums import BLOCKS, HINDERED, LADDERS, LEVELS_GAINED
from dashboards.games.climbers.replay.reach import opened
from dashboards.games.climbers.replay.scene import climbers_scene
from dashboards.games.climbers.replay.targets import alternative_targets, block_ways, climbers_choices
from dashboards.games.climbers.replay.text import climbers_story
from dashboards.games.climbers.terms import COURSES, TERMS
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.traffic import Place
from dashboards.queries.where import with_such_a_seat
from dashboards.stats.words import how_often, whole
from himalaya_core.climbers.board import Board

__all__ = ["CLIMBERS", "CLIMBERS_PLACES", "climbers_highlights", "climbers_places"]


OF_EACH: Final = 3


def climbers_highlights(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return notable matches as rows of `telling-matches`: comebacks, lead changes, close ends, early decisions.

    `telling` is, in that order: the decisive turn, the lead changes, the margin in levels, the decisive turn.
    """
    return [_highlight(row) for row in _extremes(reader, where).iter_rows(named=True)]


def _extremes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, margin, highest, lead_changes, decisive_round`.

    There are three matches per reason. `what` is the reason: comeback (decided latest), lead (most lead changes), close
    (smallest margin, then most lead changes), or quick (decided earliest, then largest margin).
    """
    condition, values = with_such_a_seat(where)
    orders = {
        "comeback": ("f.comeback", "f.decisive_round desc nulls last, f.lead_changes desc"),
        "lead": ("f.lead_changes > 0", "f.lead_changes desc, f.margin"),
        "close": ("f.highest > 0", "f.margin, f.lead_changes desc"),
        "quick": ("f.decisive_round is not null and f.highest > 0", "f.decisive_round, f.margin desc"),
    }
    parts = [
        f"""(select '{what}' as what, m.match, m.tournament, m.line_up, m.winner, f.margin, f.highest,
                f.lead_changes, f.decisive_round
            from {COURSES} f join dim_matches m using (match_id)
            where {condition} and {only} order by {order}, m.match limit {OF_EACH})"""
        for what, (only, order) in orders.items()
    ]
    return reader.frame(" union all ".join(parts), values)


def _highlight(row: dict[str, Any]) -> dict[str, Any]:
    what, winner = row["what"], row["winner"]
    came_back = (
        f"{winner} came back to win: last in the second half, ahead for good only {_from_turn(row['decisive_round'])}"
    )
    why, telling = {
        "comeback": (came_back, row["decisive_round"]),
        "lead": (f"the lead changed {how_often(row['lead_changes'])}", row["lead_changes"]),
        "close": (_margin(row), row["margin"]),
        "quick": (f"{winner} was ahead for good {_from_turn(row['decisive_round'])}", row["decisive_round"]),
    }[what]
    facts = {name: row[name] for name in ("what", "match", "tournament", "line_up", "winner")}
    return {**facts, "why": why, "telling": None if telling is None else float(telling)}


def _from_turn(decisive: int | None) -> str:
    return "at the very end" if decisive is None else f"from turn {decisive}"


def _margin(row: dict[str, Any]) -> str:
    if not row["margin"]:
        return f"{row['winner']} was the first of several on level {row['highest']}"
    return f"{row['winner']} won by {whole(row['margin'], 'level')}"


MOST: Final = 96
"""Highest possible level: all blocks stacked on end (L-2)."""


def climbers_places(board: Board | None) -> Mapping[str, pl.DataFrame]:
    """Return a frame `level` with the levels that a climber can stand on."""
    levels = range(1, MOST + 1) if board else ()
    return {"level": pl.DataFrame({"level": list(levels)}, schema={"level": pl.Int64})}


STOOD: Final = "(from fct_climbers_standings semi join sampled using (match_id, seat))"

CLIMBERS_PLACES: Final[Mapping[str, Place]] = {
    "levels_stood": Place(
        f"select match_id, seat, round, level, 1 as x from {STOOD} where x is not null",
        "agg_climbers_cells",
        "stands",
        ("level",),
        is_sparse=True,
    ),
}
"""Climbers counted after each turn, by level."""


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
"""Figures in page order."""
KEYS: Final = {
    "figure": "the level of the climber, or the ladders that are left",
    "level": "level of the tower; 0 is the ground",
}
TURNING_POINTS: Final = """select m.match, max(e.ply) as ply from dim_matches m
    join fct_climbers_courses c using (match_id)
    join stg_climbers_turn_ended e on e.match_id = m.match_id and e.round = c.decisive_round
    where list_contains($matches, m.match) group by m.match"""

AIM: Final = (
    "All players move the blocks that they climb, until a round passes in which nobody climbs. The highest climber"
    " wins; of equals, the first to get there."
)

CLIMBERS: Final = Analytics(
    terms=TERMS,
    aim=AIM,
    guide="about/climbers.html",
    figures=FIGURES,
    metrics=tuple(metric for figure in FIGURES for metric in figure.metrics),
    keys=KEYS,
    compared=("levels", "levels-gained", "hindered", "levels-by-turn"),
    why="What each player does and ends with: levels, ladders, blocks, discs.",
    findings=("more-of", "ways-to-win", "levels", "seat-effect"),
    decided="decisive-turn",
    starters="select match_id, player as first from stg_climbers_start_player_chosen",
    places=CLIMBERS_PLACES,
    places_on=climbers_places,
    highlights=climbers_highlights,
    turning_points=TURNING_POINTS,
    course="climbers",
    scene=climbers_scene,
    story=climbers_story,
    board_kind="tower",
    opens=opened,
    choices=climbers_choices,
    ways=block_ways,
    alternative_targets=alternative_targets,
)
