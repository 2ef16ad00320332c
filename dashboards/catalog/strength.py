"""Strength figures and their charts: which players are better, by how much, and with what certainty."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import polars as pl

from dashboards.charts.builders import in_points, intervals, percent_label
from dashboards.charts.chart import Bar, BarPanel, Bars, Cell, Dots, Matrix, Series, narrowing
from dashboards.charts.theme import Palette, diverging, ranked
from dashboards.games.figure import BY_OUTCOME, OF_PLAYER, Figure, interval, of_wins
from dashboards.games.shared.recent import counted_ratings, counted_results
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.stats import strength_words as words
from dashboards.stats.claims import RISK
from dashboards.stats.differences import paired
from dashboards.stats.head_to_head import head_to_head
from dashboards.stats.results import Lineups
from dashboards.stats.standing import placement, seat_effect, win_share
from dashboards.stats.words import confidence, signed

__all__ = [
    "STRENGTH_FIGURES",
    "draw_differences",
    "draw_head_to_head",
    "draw_paired",
    "draw_placement",
    "draw_ratings",
    "draw_seat_effect",
    "draw_win_share",
    "strength_figures",
]


PAIRS: Final = "row finishes ahead of column; bold: significant"


def draw_win_share(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw each player's share of wins, with a tick at the share it would have if all were equally strong."""
    behind = [narrowing(player=player, result="won") for player in frame["player"]]
    return intervals(
        frame, "win_share", colours, shown=percent_label, ticks=".0%", reference="expected_share", behind=behind
    )


def draw_ratings(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw the Elo rating of each player; 0 is the mean of the players compared."""
    return intervals(frame, "rating", colours, shown=lambda value: signed(value, 0), ticks="+d")


def draw_seat_effect(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw the wins of each seat, or position in turn order, above what its players usually win."""
    called = [words.seat_called(row).capitalize() for row in frame.iter_rows(named=True)]
    return draw_differences(frame, "seat_effect", pl.Series(called, dtype=pl.String), colours)


def draw_paired(frame: pl.DataFrame, colours: Palette) -> Dots:
    """Draw the difference between each two players on the same seeds, with the better player first."""
    apart = pl.col("paired_difference")
    better = frame.filter((apart > 0) | ((apart == 0) & (pl.col("player") < pl.col("other"))))
    better = better.sort("paired_difference", "player", "other", descending=[True, False, False])
    return draw_differences(better, "paired_difference", pl.format("{} over {}", "player", "other"), colours)


def draw_differences(frame: pl.DataFrame, column: str, called: pl.Expr | pl.Series, colours: Palette) -> Dots:
    """Draw differences of shares in percentage points; `called` labels the rows, and filled marks are significant."""
    marks = [
        (colours.accent, "circle" if holm is not None and holm <= RISK else "circle-open")
        for holm in frame[f"{column}_holm"]
    ]
    named = in_points(frame.with_columns(called.alias("row")), column)
    return intervals(named, column, colours, rows="row", shown=signed, ticks="+d", marks=marks)


def draw_head_to_head(frame: pl.DataFrame, colours: Palette) -> Matrix:
    """Draw how often the row's player finished ahead of the column's player; bold if significant."""
    strength = frame.group_by("player").agg(pl.col("better_share").mean())
    players = tuple(strength.sort("better_share", "player", descending=[True, False])["player"])
    columns = (*players, *sorted({*frame["other"]} - {*players}))  # a filter of seats leaves others without a row
    cells = []
    for row in frame.iter_rows(named=True):
        share, low, high = (row[f"better_share{end}"] for end in ("", "_low", "_high"))
        said = (
            f"{row['player']} ahead of {row['other']}: {share:.1%} of their {row['pairs']:,} meetings,"
            f" {confidence(percent_label(low), percent_label(high))}"
        )
        below = f"{100 * low:.0f}\N{EN DASH}{100 * high:.0f}"
        stands = (row["better_share_holm"] or 1) < RISK
        cells.append(Cell(row["player"], row["other"], share, percent_label(share), said, row, below, stands))
    return Matrix(players, columns, tuple(cells), diverging(colours), 0.2, 0.8, ("", PAIRS))


def draw_placement(frame: pl.DataFrame, colours: Palette) -> Bars:
    """Draw the shares of each place, one panel per table size; first place has the strongest colour."""
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
                ends = confidence(percent_label(low), percent_label(high))
                said = f"{row['player']}, {_place(place)} of {size}: {share:.1%}, {ends}"
                bars.append(Bar(row["player"], share, hues[place - 1], f"{share:.0%}", said, row))
            parts.append(Series(_place(place), tuple(bars)))
        panels.append(BarPanel(f"{size} players" if len(sizes) > 1 else "", tuple(parts)))
    return Bars(tuple(players), tuple(panels), is_share=True)


def _place(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")


def _of_results(figure: Callable[[Lineups], pl.DataFrame]) -> Callable[[Reader, Filter], pl.DataFrame]:
    """Return the figure's query, in which each setting or version of a player is a separate participant."""
    return lambda reader, where: figure(counted_results(reader, where))


SEAT_EFFECT: Final = Figure(
    "seat-effect",
    "Seat advantage",
    "strength",
    _of_results(seat_effect),
    {
        "players": "Table size",
        "seat": "Seat",
        **OF_PLAYER,
        **interval("seat_share", "Share won"),
        **interval("seat_effect", "Above usual"),
        "seat_effect_p": "p (uncorrected)",
        "seat_effect_holm": "p (corrected)",
    },
    words.seat_finding,
    BY_OUTCOME,
    draw=draw_seat_effect,
)
STRENGTH_FIGURES: Final = (
    Figure(
        "win-share",
        "Share of matches won",
        "strength",
        _of_results(win_share),
        {
            "player": "Player",
            **OF_PLAYER,
            **interval("win_share", "Share won"),
            "expected_share": "Equal share",
            "shared_seeds": "Seeds shared with first row",
            "win_share_p": "p vs. first row",
            "win_share_holm": "p (corrected)",
            "pool": "Pool",
            "against": "Against",
        },
        words.win_finding,
        BY_OUTCOME,
        draw=draw_win_share,
    ),
    Figure(
        "ratings",
        "Ratings",
        "strength",
        counted_ratings,
        {"player": "Player", **OF_PLAYER, **interval("rating", "Rating (Elo)"), "pool": "Pool"},
        words.ratings_finding,
        BY_OUTCOME,
        draw=draw_ratings,
    ),
    Figure(
        "head-to-head",
        "Head to head",
        "strength",
        _of_results(head_to_head),
        {
            "player": "Player",
            "other": "Ahead of",
            "pairs": "Meetings",
            "groups": "Seeds",
            **interval("better_share", "Share of meetings"),
            "better_share_p": "p (uncorrected)",
            "better_share_holm": "p (corrected)",
        },
        words.head_to_head_finding,
        BY_OUTCOME,
        is_wide=True,
        draw=draw_head_to_head,
    ),
    Figure(
        "placement",
        "Places taken",
        "strength",
        _of_results(placement),
        {
            "player": "Player",
            "players": "Table size",
            "place": "Place",
            **OF_PLAYER,
            **interval("place_share", "Share"),
        },
        words.placement_finding,
        BY_OUTCOME,
        narrows=lambda row: of_wins(row) if row["place"] == 1 else {},
        draw=draw_placement,
    ),
    SEAT_EFFECT,
    Figure(
        "paired",
        "On the same seeds",
        "strength",
        _of_results(paired),
        {
            "player": "Player",
            "other": "Compared with",
            "groups": "Seeds",
            **interval("paired_difference", "Difference in wins"),
            "paired_difference_p": "p (uncorrected)",
            "narrowing": "Width unpaired (×)",
            "worth": "Matches unpaired (×)",
            "paired_difference_holm": "p (corrected)",
        },
        words.paired_finding,
        BY_OUTCOME,
        is_wide=True,
        draw=draw_paired,
    ),
)


def strength_figures(starters: str) -> tuple[Figure, ...]:
    """Return a game's strength figures; with `starters` (see `Analytics`), seats are compared by turn order."""
    return tuple(_by_turn_order(starters) if starters and each is SEAT_EFFECT else each for each in STRENGTH_FIGURES)


def _by_turn_order(starters: str) -> Figure:
    def count(reader: Reader, where: Filter) -> pl.DataFrame:
        found = seat_effect(counted_results(reader, where, starters))
        return found.with_columns(pl.col("seat") + 1).rename({"seat": words.TURN_ORDER})

    headings = {"seat": (words.TURN_ORDER, "Turn order")}
    columns = dict(headings.get(column, (column, heading)) for column, heading in SEAT_EFFECT.columns.items())
    return replace(SEAT_EFFECT, title="Turn order advantage", count=count, columns=columns)
