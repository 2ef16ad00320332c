"""Charts of the figures of strength."""

from typing import Final

import polars as pl

from dashboards.charts.chart import Bar, BarPanel, Bars, Cell, Dots, Matrix, Series
from dashboards.charts.colour import diverging, ranked
from dashboards.charts.dots import in_points, intervals, percent
from dashboards.charts.narrow import narrowing
from dashboards.charts.theme import Palette
from dashboards.stats.claims import RISK
from dashboards.stats.words import confidence, signed

__all__ = [
    "draw_differences",
    "draw_head_to_head",
    "draw_paired",
    "draw_placement",
    "draw_ratings",
    "draw_seat_effect",
    "draw_win_share",
]

PAIRS: Final = "row finishes ahead of column; bold: significant"


def draw_win_share(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw the share of wins per player, with a tick at the share if all were equally strong."""
    behind = [narrowing(player=player, result="won") for player in frame["player"]]
    return intervals(frame, "win_share", colours, shown=percent, ticks=".0%", reference="expected_share", behind=behind)


def draw_ratings(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw the rating of each player in Elo, 0 the mean of those compared."""
    return intervals(frame, "rating", colours, shown=lambda value: signed(value, 0), ticks="+d")


def draw_seat_effect(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw each seat's wins above those that its players usually have."""
    return draw_differences(frame, "seat_effect", pl.format("Seat {} of {}", pl.col("seat") + 1, "players"), colours)


def draw_paired(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw the difference of each two players with the same seed, the better one first."""
    apart = pl.col("paired_difference")
    better = frame.filter((apart > 0) | ((apart == 0) & (pl.col("player") < pl.col("other"))))
    better = better.sort("paired_difference", "player", "other", descending=[True, False, False])
    return draw_differences(better, "paired_difference", pl.format("{} over {}", "player", "other"), colours)


def draw_differences(frame: pl.DataFrame, column: str, called: pl.Expr, colours: Palette) -> Dots:
    """Draw differences of shares in points, with the given names of rows; filled if significant once corrected."""
    marks = [
        (colours.accent, "circle" if holm is not None and holm <= RISK else "circle-open")
        for holm in frame[f"{column}_holm"]
    ]
    named = in_points(frame.with_columns(called.alias("row")), column)
    return intervals(named, column, colours, rows="row", shown=signed, ticks="+d", marks=marks)


def draw_head_to_head(frame: pl.DataFrame, colours: Palette) -> Matrix:
    """Draw how often the player of a row finished ahead of that of a column; bold if that is significant."""
    strength = frame.group_by("player").agg(pl.col("better_share").mean())
    players = tuple(strength.sort("better_share", "player", descending=[True, False])["player"])
    cells = []
    for row in frame.iter_rows(named=True):
        share, low, high = (row[f"better_share{end}"] for end in ("", "_low", "_high"))
        said = (
            f"{row['player']} ahead of {row['other']}: {share:.1%} of their {row['pairs']:,} meetings,"
            f" {confidence(percent(low), percent(high))}"
        )
        below = f"{100 * low:.0f}\N{EN DASH}{100 * high:.0f}"
        stands = (row["better_share_holm"] or 1) < RISK
        cells.append(Cell(row["player"], row["other"], share, f"{share:.0%}", said, row, below, stands))
    return Matrix(players, players, tuple(cells), diverging(colours), 0.2, 0.8, ("", PAIRS))


def draw_placement(frame: pl.DataFrame, colours: Palette) -> Bars:
    """Draw shares of each place, a panel for each table size; the first place has the strongest colour."""
    sizes = frame["players"].unique().sort().to_list()
    mean_place = pl.col("place_share").mul(pl.col("place") / pl.col("players")).sum() / pl.col("players").n_unique()
    players = frame.group_by("player").agg(mean_place).sort("place_share", "player")["player"].to_list()
    hues = ranked(colours, max(sizes))
    panels = []
    for size in sizes:
        parts = []
        for place in range(1, size + 1):
            bars = []
            for row in frame.filter(players=size, place=place).iter_rows(named=True):
                share, low, high = (row[f"place_share{end}"] for end in ("", "_low", "_high"))
                ends = confidence(percent(low), percent(high))
                said = f"{row['player']}, {_place(place)} of {size}: {share:.1%}, {ends}"
                bars.append(Bar(row["player"], share, hues[place - 1], f"{share:.0%}", said, row))
            parts.append(Series(_place(place), tuple(bars)))
        panels.append(BarPanel(f"{size} players" if len(sizes) > 1 else "", tuple(parts)))
    return Bars(tuple(players), tuple(panels), is_share=True)


def _place(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")
