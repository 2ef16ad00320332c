"""On which squares climbers stood."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.dots import intervals, percent
from dashboards.charts.theme import Palette
from dashboards.games.climbers.figures.shared import NOBODY
from dashboards.games.figure import BY_ROUND, Figure, interval
from dashboards.games.shared.board_context import board_context
from dashboards.games.shared.by_place import parts_of_all
from dashboards.games.shared.metrics import OF_FILTER, SAMPLED
from dashboards.stats.claims import told
from dashboards.stats.metric import WILSON, Metric, source_of
from dashboards.stats.words import plain, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["FIGURE", "METRICS", "square_finding", "squares"]

MOST_SQUARES: Final = 15


def squares(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `square_x, square_y, stands, groups, stand_share` and its bounds, most first.

    A trial of the share is a climber that stands on a block after a turn. Squares on which none did have no row.
    """
    found = parts_of_all(reader, where, board_context(reader, where), "stands", "stand_share")
    return found.sort("stands", "square_x", "square_y", descending=[True, False, False])


def square_finding(frame: pl.DataFrame) -> str:
    """Say on which square climbers stand how often, and on how many they stood."""
    if frame.is_empty():
        return NOBODY
    names = [f"square {plain(x, 0)}, {plain(y, 0)}" for x, y in frame.select("square_x", "square_y").iter_rows()]
    stands = f"{whole(frame['stands'].sum(), 'stand')} after turns"
    said = told(
        frame.with_columns(pl.Series("square", names)),
        "stand_share",
        "square",
        f"Climbers stand most often on {{}} from the middle: {{}} of {stands}",
        f"Of {stands}, {{1}} are on {{0}} from the middle",
        percent,
        than="more than on",
    )
    return f"{said} They stood on {whole(frame.height, 'square')}."


def draw_squares(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw the squares on which climbers stood most often; the map has them all."""
    most = frame.head(MOST_SQUARES)
    rows = [f"{plain(x, 0)}, {plain(y, 0)}" for x, y in most.select("square_x", "square_y").iter_rows()]
    named = most.with_columns(pl.Series("row", rows, dtype=pl.String))
    return intervals(named, "stand_share", colours, rows="row", shown=percent, axis_format=".0%")


METRICS: Final = (
    Metric(
        "stands",
        "How often a climber stood on the square after a turn of anybody." + OF_FILTER,
        "number of climbers there, turn by turn; those on the table left out",
        source_of(squares),
        "square_x, square_y",
        "stands",
    ),
    Metric(
        "stand_share",
        "Which part of all stands were on the square, counted from the middle of the two triples.",
        "stands on the square / stands anywhere",
        source_of(squares, f"interval: {WILSON}; {SAMPLED}"),
        "square_x, square_y",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    "squares",
    "Squares stood on",
    "where",
    squares,
    {
        "square_x": "x",
        "square_y": "y",
        "stands": "Stands",
        "groups": "Seeds",
        **interval("stand_share", "Share"),
    },
    square_finding,
    BY_ROUND,
    draw=draw_squares,
)
