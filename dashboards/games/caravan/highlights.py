"""Matches of caravan worth watching: turned late, often or early, or ended close, each with the reason in words."""

from typing import Any

from dashboards.stats.words import whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.progress import course_extremes
from dashboards.warehouse.reader import Reader

__all__ = ["caravan_highlights"]


def caravan_highlights(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return rows of the figure `telling-matches`: comebacks, most changes of the lead, least margins, first decided.

    `telling` is the decisive round, changes of the lead, yaks, the decisive round.
    """
    return [_highlight(row) for row in course_extremes(reader, where).iter_rows(named=True)]


def _highlight(row: dict[str, Any]) -> dict[str, Any]:
    changes = whole(float(str(row["lead_changes"])), "time")
    why, telling = {
        "comeback": (
            f"{row['winner']} would have been eliminated in round 6 or later, and was ahead for good only "
            + _from_round(row["decisive_round"]),
            row["decisive_round"],
        ),
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
        return "the best two had equally many yaks"
    return f"{row['winner']} won by {whole(float(str(row['margin'])), 'yak')}"
