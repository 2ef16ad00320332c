"""Caravan: the matches of a selection that are worth looking at, each with the reason in words."""

from typing import Final

import numpy as np
import polars as pl

from dashboards.filters import Filter
from dashboards.queries import Queries
from dashboards.stats.ratings import ELO, ratings
from dashboards.stats.recent import counted_results
from dashboards.stats.words import NOTHING, whole

__all__ = ["telling_finding", "telling_matches"]

REASONS: Final = ("comeback", "upset", "lead", "close", "quick")
MOST: Final = 3
SCHEMA: Final = {
    "what": pl.String,
    "match": pl.String,
    "tournament": pl.String,
    "line_up": pl.String,
    "winner": pl.String,
    "why": pl.String,
    "telling": pl.Float64,
}


def telling_matches(queries: Queries, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, why, telling`: up to three matches for each reason.

    Reasons: the greatest comebacks, upsets by rating, most changes of the lead, closest margins, quickest decided.
    `telling` is what they were chosen by: the decisive round, the chance that ratings gave the winner, changes of the
    lead, yaks, the decisive round. The match of a reason is told once, the most telling first.
    """
    rows = [_told(row) for row in queries.course_extremes(where).iter_rows(named=True)]
    rows += _upsets(queries, where)
    rows.sort(key=lambda row: REASONS.index(row["what"]))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def telling_finding(frame: pl.DataFrame) -> str:
    """Name the first of each reason."""
    if frame.is_empty():
        return NOTHING
    first = frame.unique("what", keep="first", maintain_order=True)
    said = "; ".join(f"{row['match']}: {row['why']}" for row in first.iter_rows(named=True))
    return f"{said}."


def _told(row: dict[str, object]) -> dict[str, object]:
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
    kept = {name: row[name] for name in ("what", "match", "tournament", "line_up", "winner")}
    return {**kept, "why": why, "telling": None if telling is None else float(str(telling))}


def _upsets(queries: Queries, where: Filter) -> list[dict[str, object]]:
    """Return the matches with a seat of the filter in which the winner was least likely to win, by ratings of them all.

    The chance of a seat is its strength over the sum of those at the table (Plackett–Luce without shared places).
    """
    kinds = counted_results(queries, where)
    if not kinds.count:
        return []
    rated = ratings(kinds.whole(), replicas=0).select("player", (pl.col("rating") / ELO).exp().alias("strength"))
    seats = kinds.seats.join(rated, on="player", how="left")
    chance = seats.with_columns((pl.col("strength") / pl.col("strength").sum().over("match")).alias("chance"))
    won = chance.filter((pl.col("place") == 1) & (pl.col("sharing") == 1)).select("match", "chance")
    by_kind = np.full(kinds.count, np.nan)
    by_kind[won["match"].to_numpy()] = won["chance"].to_numpy()
    kept = np.zeros(kinds.count, dtype=bool)
    kept[kinds.seats.filter("kept")["match"].to_numpy()] = True
    odds = np.where(kept, by_kind, np.nan)[kinds.kind]
    order = [int(at) for at in np.lexsort((kinds.matches.to_numpy(), odds)) if odds[at] < 1][:MOST]
    facts = {row["match_id"]: row for row in queries.match_facts([kinds.matches[at] for at in order]).to_dicts()}
    found = []
    for at in order:
        row = facts[kinds.matches[at]]
        why = f"{row['winner']} won, whom ratings gave a chance of {odds[at]:.1%}"
        facts_of_it = {name: row[name] for name in ("match", "tournament", "line_up", "winner")}
        found.append({"what": "upset", **facts_of_it, "why": why, "telling": float(odds[at])})
    return found


def _from_round(decisive: object) -> str:
    return "at the very end" if decisive is None else f"from the end of round {decisive}"


def _margin(row: dict[str, object]) -> str:
    if not row["margin"]:
        return "the best two had equally many yaks"
    return f"{row['winner']} won by {whole(float(str(row['margin'])), 'yak')}"
