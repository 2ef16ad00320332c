"""The Climbers: matches that turned late, often or early, or ended close, each with the reason."""

from typing import Any, Final

import polars as pl

from dashboards.games.climbers.figures.shared import COURSES
from dashboards.stats.words import whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import with_such_a_seat

__all__ = ["climbers_highlights"]

OF_EACH: Final = 3
"""How many matches are shown for each reason."""


def climbers_highlights(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return rows of `telling-matches`: wins from behind, changes of the lead, close and quick ones.

    `telling` is the decisive turn, changes of the lead, levels, the decisive turn.
    """
    return [_highlight(row) for row in _extremes(reader, where).iter_rows(named=True)]


def _extremes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, margin, highest, lead_changes, decisive_round`: three each.

    `what`: comeback (decided latest), lead (most changes), close (least margin, then most changes), quick (decided
    first, then the greatest margin).
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
        "lead": (f"the lead changed {whole(row['lead_changes'], 'time')}", row["lead_changes"]),
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
