"""Summit: how matches ended for each player, on the summit or by bad weather, after how many throws, and how high."""

from typing import Final

import polars as pl

from dashboards.games.shared.by_round import figures_by_round, highest_finding
from dashboards.games.summit.queries import outcome_sums, throw_histogram, throw_sums, weather_sums
from dashboards.stats.by_kind import in_order, with_all_kinds
from dashboards.stats.intervals import means, shares
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import NOTHING, mean, rivals, share, whole
from dashboards.warehouse.actions import seat_histogram, seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = [
    "ENDINGS",
    "FIGURES",
    "OUTCOMES",
    "height_finding",
    "heights",
    "heights_by_throw",
    "outcome_finding",
    "outcomes",
    "throw_finding",
    "throw_height_finding",
    "throws",
    "weather",
    "weather_finding",
]

OUTCOMES: Final = ("won_summit", "won_bad_weather", "lost_bad_weather", "lost_summit")
"""Won on the summit, or as the highest when bad weather came; lost by bad weather, or to another on the summit."""
ENDINGS: Final = ("summit", "bad_weather")
TABLE: Final = "fct_summit_seats"
FIGURES: Final = {"climber": "f.climber", "sherpas": "f.sherpas"}
"""How high a seat got: the field of its climber, and the sum of those of its Sherpas."""


def outcomes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, outcome, seats, played, groups, outcome_share` and its bounds, all four of each player.

    The player who wins most comes first.
    """
    found = with_all_kinds(outcome_sums(reader, where), "outcome", OUTCOMES)
    rows = shares(found, ["player", "outcome"], "outcome_share", "played").with_columns(
        pl.col("played").cast(pl.Int64), found["total"].cast(pl.Int64).alias("seats")
    )
    wins = pl.col("outcome_share").filter(pl.col("outcome").str.starts_with("won")).sum().over("player")
    rows = in_order(rows, "outcome", OUTCOMES).sort(wins, "player", descending=[True, False], maintain_order=True)
    ends = [f"outcome_share{end}" for end in ("", "_low", "_high")]
    return rows.select("player", "outcome", "seats", "played", "groups", *ends)


def outcome_finding(frame: pl.DataFrame) -> str:
    """Say who wins on the summit most often, and who in bad weather."""
    if frame.is_empty():
        return NOTHING
    said = []
    for outcome, where in (("won_summit", "on the summit"), ("won_bad_weather", "in bad weather")):
        rows = frame.filter(outcome=outcome).sort("outcome_share", "player", descending=[True, False])
        most = rows.row(0, named=True)
        named = (
            f"{most['player']}, {share(most, 'outcome_share')} of its seats{rivals(rows, 'outcome_share', 'player')}"
        )
        said.append(f"{where} {named if most['seats'] else 'nobody'}")
    return f"Most wins: {'; '.join(said)}."


def weather(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, matches, of_matches, groups, weather_share` and its bounds: of tables of each size."""
    found = with_all_kinds(weather_sums(reader, where), "ending", ENDINGS, "players")
    rows = shares(found, ["players", "ending"], "weather_share", "of_matches").with_columns(
        pl.col("of_matches").cast(pl.Int64), found["total"].cast(pl.Int64).alias("matches")
    )
    ends = [f"weather_share{end}" for end in ("", "_low", "_high")]
    return in_order(rows, "ending", ENDINGS, "players").select(
        "players", "ending", "matches", "of_matches", "groups", *ends
    )


def weather_finding(frame: pl.DataFrame) -> str:
    """Say how often matches of each size end on the summit."""
    rows = frame.filter(ending="summit")
    if rows.is_empty():
        return NOTHING
    said = [
        f"{share(row, 'weather_share')} of {whole(row['of_matches'], 'match', 'matches')} of {row['players']} players"
        for row in rows.iter_rows(named=True)
    ]
    return f"A climber reaches the summit in {'; '.join(said)}. Bad weather ends the others."


def throws(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, matches, groups, throws_taken`, its bounds and quartiles."""
    by = ["players", "ending"]
    found = throw_sums(reader, where)
    rows = means(found, by, "throws_taken").drop("throws_taken_p")
    rows = rows.with_columns(found["trials"].cast(pl.Int64).alias("matches"))
    spread = quartiles(throw_histogram(reader, where), by, "value", "matches", "throws_taken")
    ends = [f"throws_taken{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    rows = rows.join(spread, on=by, how="left")
    return in_order(rows, "ending", ENDINGS, "players").select(*by, "matches", "groups", *ends)


def throw_finding(frame: pl.DataFrame) -> str:
    """Say how many throws a match of the size most played takes, by how it ends."""
    if frame.is_empty():
        return NOTHING
    sizes = frame.group_by("players").agg(pl.col("matches").sum()).sort("matches", "players", descending=[True, False])
    size = sizes["players"][0]
    words = {"summit": "with a climber on the summit", "bad_weather": "by bad weather"}
    said = [
        f"{mean(row, 'throws_taken')} throws if it ends {words[row['ending']]}"
        for row in frame.filter(players=size).iter_rows(named=True)
    ]
    return f"A match of {size} players takes {', '.join(said)}."


def heights(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `figure, player, seats, groups, height`, its bounds and quartiles: how high seats ended."""
    found = seat_sums(reader, TABLE, where, FIGURES)
    by = ["player", "kind"]
    rows = means(found, by, "height").drop("height_p").with_columns(found["trials"].cast(pl.Int64).alias("seats"))
    spread = quartiles(seat_histogram(reader, TABLE, where, FIGURES), by, "value", "seats", "height")
    rows = rows.join(spread, on=by, how="left").rename({"kind": "figure"})
    ends = [f"height{end}" for end in ("", "_low", "_high", "_lower", "_median", "_upper")]
    best = pl.col("height").filter(pl.col("figure") == "climber").first().over("player")
    rows = rows.sort("figure", best, "player", descending=[False, True, False])
    return rows.select("figure", "player", "seats", "groups", *ends)


def height_finding(frame: pl.DataFrame) -> str:
    """Say whose climber and whose Sherpas end highest."""
    if frame.is_empty():
        return NOTHING
    said = []
    for figure, words in (
        ("climber", "the climber of {}, on field {}"),
        ("sherpas", "the Sherpas of {}, on {} in sum"),
    ):
        rows = frame.filter(figure=figure).sort("height", "player", descending=[True, False])
        best, others = rows.row(0, named=True), rivals(rows, "height", "player")
        said.append(f"{words.format(best['player'], mean(best, 'height'))}{others}")
    return f"Highest at the end, on average: {'; '.join(said)}."


def heights_by_throw(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `figure, player, round, seats, height` and its quartiles after each throw of the filter."""
    return figures_by_round(reader, "agg_summit_standings", where, "height")


def throw_height_finding(frame: pl.DataFrame) -> str:
    """Say whose climber has the highest median half-way through the throws that are shown, and after the last."""
    return highest_finding(frame.filter(figure="climber"), "height", "throw", "field")
