"""Analytics of summit, and its notable matches."""

from typing import Any, Final

import polars as pl

from dashboards.games.analytics import Analytics
from dashboards.games.summit.figures.course import (
    COMEBACKS,
    DECISIVE_THROW,
    IN_A_MATCH,
    OUTCOMES,
    THROWS,
    WEATHER,
    WINNERS,
)
from dashboards.games.summit.figures.route import HEIGHTS, HEIGHTS_BY_THROW, LOST_SHERPAS, VISITED
from dashboards.games.summit.figures.seat_sums import CARDS, CLIMBED, FALLS
from dashboards.games.summit.figures.turns import DICE, TURNS
from dashboards.games.summit.map import SUMMIT_LAYERS, SUMMIT_PLACES, draw_summit_map, summit_drawings, summit_places
from dashboards.games.summit.replay.scene import summit_scene
from dashboards.games.summit.replay.targets import alternative_targets, summit_choices
from dashboards.games.summit.replay.text import summit_story
from dashboards.games.summit.terms import COURSES, SEATS, TERMS
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.where import with_such_a_seat
from dashboards.stats.words import how_often, plain, whole

__all__ = ["SUMMIT", "summit_highlights"]


OF_EACH: Final = 3


def summit_highlights(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return notable matches as rows of `telling-matches`.

    Reasons: comebacks, wins with bad dice, lead changes, close ends, early decisions. `telling` is, in that order: the
    decisive throw, pips of luck, lead changes, margin in fields, the decisive throw.
    """
    return [_highlight(row) for row in _extremes(reader, where).iter_rows(named=True)]


def _extremes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, margin, lead_changes, decisive_round, luck`.

    There are three matches per reason. `what` is the reason: comeback (decided latest), lead (most lead changes), close
    (smallest margin, then most lead changes), quick (decided earliest, then largest margin), or luckless (sole winner
    with the worst dice).
    """
    condition, values = with_such_a_seat(where)
    orders = {
        "comeback": ("f.comeback", "f.decisive_round desc nulls last, f.lead_changes desc"),
        "lead": ("f.lead_changes > 0", "f.lead_changes desc, f.margin"),
        "close": ("f.margin >= 0", "f.margin, f.lead_changes desc"),
        "quick": ("f.decisive_round is not null", "f.decisive_round, f.margin desc"),
        "luckless": ("w.luck < 0", "w.luck"),
    }
    course = f"{COURSES} f join dim_matches m using (match_id)"
    of_winner = f"""{course} join (
        select match_id, min(d.dice_luck) as luck from {SEATS} d join dim_seats using (match_id, seat)
        where won group by match_id having count(*) = 1) w using (match_id)"""
    parts = [
        f"""(select '{what}' as what, m.match, m.tournament, m.line_up, m.winner, f.margin, f.lead_changes,
                f.decisive_round, {"w.luck" if what == "luckless" else "null::double"} as luck
            from {of_winner if what == "luckless" else course} where {condition} and {only}
            order by {order}, m.match limit {OF_EACH})"""
        for what, (only, order) in orders.items()
    ]
    return reader.frame(" union all ".join(parts), values)


def _highlight(row: dict[str, Any]) -> dict[str, Any]:
    what, winner = row["what"], row["winner"]
    changes, luck = how_often(row["lead_changes"]), abs(row["luck"] or 0.0)
    came_back = (
        f"{winner} came back to win: last in the second half, ahead for good only {_from_throw(row['decisive_round'])}"
    )
    why, telling = {
        "comeback": (came_back, row["decisive_round"]),
        "luckless": (f"{winner} won though its dice came to {plain(luck)} pips less than usual", row["luck"]),
        "lead": (f"the lead changed {changes}", row["lead_changes"]),
        "close": (_margin(row), row["margin"]),
        "quick": (f"{winner} was ahead for good {_from_throw(row['decisive_round'])}", row["decisive_round"]),
    }[what]
    facts = {name: row[name] for name in ("what", "match", "tournament", "line_up", "winner")}
    return {**facts, "why": why, "telling": None if telling is None else float(telling)}


def _from_throw(decisive: int | None) -> str:
    return "at the very end" if decisive is None else f"from throw {decisive}"


def _margin(row: dict[str, Any]) -> str:
    if not row["margin"]:
        return "the top two were equally high"
    return f"{row['winner']} won by {whole(row['margin'], 'field')}"


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
"""Figures in page order."""
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

AIM: Final = (
    "The first climber on the summit wins; on the way, it moves only to fields where two of its four Sherpas wait. If"
    " bad weather comes before that, the highest climber wins."
)

SUMMIT: Final = Analytics(
    terms=TERMS,
    aim=AIM,
    guide="about/summit.html",
    figures=FIGURES,
    metrics=tuple(metric for figure in FIGURES for metric in figure.metrics),
    keys=KEYS,
    compared=("outcomes", "dice", "falls", "heights-by-throw"),
    why="What each player does and ends with: dice, choices, slides, the Yeti, supply cards.",
    findings=("winners", "dice", "weather", "seat-effect"),
    decided="decisive-throw",
    starters="select match_id, first from stg_summit_start_player_chosen",
    places=SUMMIT_PLACES,
    places_on=summit_places,
    layers=SUMMIT_LAYERS,
    draw_map=draw_summit_map,
    highlights=summit_highlights,
    turning_points=TURNING_POINTS,
    course="summit",
    scene=summit_scene,
    story=summit_story,
    board_kind="track",
    choices=summit_choices,
    alternative_targets=alternative_targets,
    print_drawings=summit_drawings,
)
