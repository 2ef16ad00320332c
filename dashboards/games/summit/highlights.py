"""Summit: matches that turned late, often or early, ended close, or were won against the dice, each with the reason."""

from typing import Any

from dashboards.games.summit.queries import summit_extremes
from dashboards.stats.words import plain, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["summit_telling"]


def summit_telling(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return rows of `telling.telling_matches`: wins from behind, against the dice, changes of the lead, close, quick.

    `telling` is the decisive throw, pips, changes of the lead, fields, the decisive throw.
    """
    return [_told(row) for row in summit_extremes(reader, where).iter_rows(named=True)]


def _told(row: dict[str, Any]) -> dict[str, Any]:
    what, winner = row["what"], row["winner"]
    changes, luck = whole(row["lead_changes"], "time"), abs(row["luck"] or 0.0)
    why, telling = {
        "comeback": (
            f"{winner} was last in the second half, and ahead for good only {_from_throw(row['decisive_round'])}",
            row["decisive_round"],
        ),
        "luckless": (f"{winner} won though its dice came to {plain(luck)} pips less than usual", row["luck"]),
        "lead": (f"the lead changed {changes}", row["lead_changes"]),
        "close": (_margin(row), row["margin"]),
        "quick": (f"{winner} was ahead for good {_from_throw(row['decisive_round'])}", row["decisive_round"]),
    }[what]
    kept = {name: row[name] for name in ("what", "match", "tournament", "line_up", "winner")}
    return {**kept, "why": why, "telling": None if telling is None else float(telling)}


def _from_throw(decisive: int | None) -> str:
    return "at the very end" if decisive is None else f"from throw {decisive}"


def _margin(row: dict[str, Any]) -> str:
    if not row["margin"]:
        return "the best two were equally high"
    return f"{row['winner']} won by {whole(row['margin'], 'field')}"
