"""Matches of caravan worth watching: turned late, often or early, or ended close, each with the reason in words."""

from typing import Any, Final

import polars as pl

from dashboards.games.caravan.figures.shared import COURSES
from dashboards.stats.words import whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import with_such_a_seat

__all__ = ["caravan_highlights"]

OF_EACH: Final = 3
"""How many matches are listed for each reason."""


def caravan_highlights(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return rows of the figure `telling-matches`: comebacks, most changes of the lead, least margins, first decided.

    `telling` is the decisive round, changes of the lead, yaks, the decisive round.
    """
    return [_highlight(row) for row in _extremes(reader, where).iter_rows(named=True)]


def _extremes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, margin, lead_changes, decisive_round`, three of each.

    `what`: comeback (decided latest, then most changes of the lead), lead (most changes), close (least margin, then
    most changes), quick (decided first, then the greatest margin).
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
    changes = whole(float(str(row["lead_changes"])), "time")
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
