"""The Climbers: matches that turned late, often or early, or ended close, each with the reason."""

from typing import Any

from dashboards.games.climbers.queries import climbers_extremes
from dashboards.stats.words import whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["climbers_telling"]


def climbers_telling(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return rows of `telling.telling_matches`: wins from behind, changes of the lead, close, decided early.

    `telling` is the decisive turn, changes of the lead, levels, the decisive turn.
    """
    return [_told(row) for row in climbers_extremes(reader, where).iter_rows(named=True)]


def _told(row: dict[str, Any]) -> dict[str, Any]:
    what, winner = row["what"], row["winner"]
    why, telling = {
        "comeback": (
            f"{winner} was last in the second half, and ahead for good only {_from_turn(row['decisive_round'])}",
            row["decisive_round"],
        ),
        "lead": (f"the lead changed {whole(row['lead_changes'], 'time')}", row["lead_changes"]),
        "close": (_margin(row), row["margin"]),
        "quick": (f"{winner} was ahead for good {_from_turn(row['decisive_round'])}", row["decisive_round"]),
    }[what]
    kept = {name: row[name] for name in ("what", "match", "tournament", "line_up", "winner")}
    return {**kept, "why": why, "telling": None if telling is None else float(telling)}


def _from_turn(decisive: int | None) -> str:
    return "at the very end" if decisive is None else f"from turn {decisive}"


def _margin(row: dict[str, Any]) -> str:
    if not row["margin"]:
        return f"{row['winner']} was the first of several on level {row['highest']}"
    return f"{row['winner']} won by {whole(row['margin'], 'level')}"
