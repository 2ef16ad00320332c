"""Notable matches of a selection, each with the reason in words. For any game."""

from typing import Any, Final

import numpy as np
import polars as pl

from dashboards.games.analytics import analytics_of
from dashboards.games.figure import Figure
from dashboards.games.shared.recent import counted_results
from dashboards.stats.pools import joints
from dashboards.stats.ratings import ELO, ratings
from dashboards.stats.words import NOTHING
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.progress import match_facts, named_line_ups
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import participants

__all__ = ["TELLING", "about", "telling_finding", "telling_matches", "unlikely_wins"]

REASONS: Final = ("comeback", "upset", "luckless", "lead", "close", "quick")
MOST: Final = 3
LEAST_CHANCE: Final = 0.01
SCHEMA: Final = {
    "what": pl.String,
    "match": pl.String,
    "tournament": pl.String,
    "line_up": pl.String,
    "winner": pl.String,
    "why": pl.String,
    "telling": pl.Float64,
}


def telling_matches(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, why, telling`: up to three matches for each reason.

    Reasons: upsets by rating, and those of the game: comebacks, wins against the dice, changes of the lead, close ends
    and early decisions. `telling` is the value by which they were chosen, as defined by the metric.
    """
    own = analytics_of(game_under(reader, where)).highlights
    rows = [*(own(reader, where) if own else []), *_upsets(reader, where)]
    rows.sort(key=lambda row: REASONS.index(row["what"]) if row["what"] in REASONS else len(REASONS))
    if participants(reader, where):
        rows = _with_names(reader, where, rows)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _with_names(reader: Reader, where: Filter, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows in which players have their names as participants."""
    names = {row[0]: row[1:] for row in named_line_ups(reader, where, [row["match"] for row in rows])}
    renamed = []
    for row in rows:
        line_up, winner = names[row["match"]]
        begins = row["winner"] and row["why"].startswith(f"{row['winner']} ")
        why = f"{winner}{row['why'].removeprefix(row['winner'])}" if begins else row["why"]
        renamed.append({**row, "line_up": line_up, "winner": winner, "why": why})
    return renamed


def telling_finding(frame: pl.DataFrame) -> str:
    """Name the first of each reason."""
    if frame.is_empty():
        return NOTHING
    first = frame.unique("what", keep="first", maintain_order=True)
    return " ".join(f"{row['match']}: {row['why']}." for row in first.iter_rows(named=True))


def unlikely_wins(reader: Reader, where: Filter, most: int) -> list[tuple[int, float]]:
    """Return `match_id` and chance of the matches of a filter with the least likely winners.

    The chance of a seat is its strength over the sum of those at the table, by ratings of all these matches
    (Plackett–Luce without shared places). Matches that weakly join two halves of a pool have none.
    """
    lineups = counted_results(reader, where)
    if not lineups.count:
        return []
    strength = (pl.col("rating").fill_null(0.0) / ELO).exp().alias("strength")
    rated = ratings(lineups.whole(), bounds=False).select("player", strength)
    seats = lineups.seats.join(rated, on="player", how="left")
    chance = seats.with_columns((pl.col("strength") / pl.col("strength").sum().over("match")).alias("chance"))
    won = chance.filter((pl.col("place") == 1) & (pl.col("sharing") == 1)).select("match", "chance")
    by_lineup = np.full(lineups.count, np.nan)
    by_lineup[won["match"].to_numpy()] = won["chance"].to_numpy()
    for joint in joints(lineups):  # ratings cannot compare its halves
        one, other = (seats.filter(pl.col("player").is_in(half))["match"] for half in (joint.one, joint.other))
        by_lineup[one.filter(one.is_in(other.to_list())).to_numpy()] = np.nan
    kept = np.zeros(lineups.count, dtype=bool)
    kept[lineups.seats.filter("kept")["match"].to_numpy()] = True
    odds = np.where(kept, by_lineup, np.nan)[lineups.lineup]
    order = [int(at) for at in np.lexsort((lineups.matches.to_numpy(), odds)) if odds[at] < 1][:most]
    return [(lineups.matches[at], float(odds[at])) for at in order]


def about(chance: float) -> str:
    """Return a chance from a rating in whole per cent; a very small one as a bound."""
    return f"about {chance:.0%}" if chance >= LEAST_CHANCE else f"below {LEAST_CHANCE:.0%}"


def _upsets(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return the matches of the filter with the least likely winners, by ratings of them all."""
    upsets = unlikely_wins(reader, where, MOST)
    facts = {row["match_id"]: row for row in match_facts(reader, [match_id for match_id, _ in upsets]).to_dicts()}
    found: list[dict[str, Any]] = []
    for match_id, chance in upsets:
        row = facts[match_id]
        why = f"{row['winner']} won against the odds ({about(chance)} by the ratings of these matches)"
        facts_of_it = {name: row[name] for name in ("match", "tournament", "line_up", "winner")}
        found.append({"what": "upset", **facts_of_it, "why": why, "telling": chance})
    return found


TELLING: Final = Figure(
    "telling-matches",
    "Notable matches",
    "when",
    telling_matches,
    {
        "what": "Reason",
        "match": "Match",
        "tournament": "Tournament",
        "line_up": "Players",
        "winner": "Winner",
        "why": "Why",
        "telling": "Chosen by",
    },
    telling_finding,
)
