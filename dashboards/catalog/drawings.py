"""Drawing of a figure on a page: frame in, chart out."""

from collections.abc import Mapping

import polars as pl

from dashboards.catalog.metrics import metric_of
from dashboards.charts import dots
from dashboards.charts.chart import Chart, Drawing
from dashboards.charts.dots import Panel, by_part, interval_panels, number, percent
from dashboards.charts.theme import Palette
from dashboards.games.figure import Figure

__all__ = ["drawing"]


def drawing(figure: Figure, columns: Mapping[str, str] | None = None) -> Drawing:
    """Return the drawing of a figure; without a special one, it shows the figure's intervals or its numbers."""
    shown = figure.columns if columns is None else columns
    return figure.draw or (lambda frame, colours: _draw_any(frame, shown, colours))


def _draw_any(frame: pl.DataFrame, columns: Mapping[str, str], colours: Palette) -> Chart:
    """Draw each column that has an interval, row by row; rows with several keys get a panel for each further key."""
    known = {column: heading for column, heading in columns.items() if column in frame.columns}
    keys = [column for column in known if metric_of(column) is None]
    with_bounds = [column for column in known if f"{column}_low" in frame.columns]
    shown = with_bounds or [column for column in known if column not in keys and frame[column].dtype.is_numeric()]
    rows = "player" if "player" in keys else keys[0]
    named = frame.with_columns(pl.col(rows).cast(pl.String))
    others = [key for key in keys if key != rows]
    if others:
        named = named.with_columns(pl.concat_str(others, separator=" ").alias("part"))
        return interval_panels(by_part(named, "part", shown[0], _format(shown[0])), colours, rows=rows)
    parts = [Panel(known[column], named, column, _format(column)) for column in shown]
    return interval_panels(parts, colours, rows=rows)


def _format(column: str) -> dots.Format:
    metric = metric_of(column)
    return percent if metric and "share" in metric.unit else number
