"""Summit: matches that turned late, often or early, ended close, or were won against the dice, each with the reason."""

from typing import Any, Final

import polars as pl

from dashboards.games.summit.figures.shared import COURSES, SEATS
from dashboards.stats.words import plain, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import with_such_a_seat

__all__ = ["summit_highlights"]

OF_EACH: Final = 3
"""How many matches are shown for each reason."""


def summit_highlights(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return rows of `telling-matches`: wins from behind, against the dice, changes of the lead, close and quick ones.

    `telling` is the decisive throw, pips, changes of the lead, fields, the decisive throw.
    """
    return [_highlight(row) for row in _extremes(reader, where).iter_rows(named=True)]


def _extremes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, margin, lead_changes, decisive_round, luck`, three of each.

    `what`: comeback (decided latest), lead (most changes), close (least margin, then most changes), quick (decided
    first, then the greatest margin), luckless (the sole winner whose dice were the worst).
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
    changes, luck = whole(row["lead_changes"], "time"), abs(row["luck"] or 0.0)
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
