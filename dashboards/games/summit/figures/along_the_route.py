"""Columns over the fields of the route, from the base camp to the summit."""

from collections.abc import Mapping, Sequence

import polars as pl

from dashboards.charts.chart import Column, Columns, finite

__all__ = ["draw_along_the_route"]


def draw_along_the_route(
    frame: pl.DataFrame, value: str, parts: Mapping[str, str], texts: Sequence[str], hues: Sequence[str], ticks: str
) -> Columns:
    """Return a chart of columns over the fields, in parts of different hues, with the interval of the whole."""
    columns = []
    for row, text in zip(frame.iter_rows(named=True), texts, strict=True):
        low, high = (finite(row[f"{value}{end}"]) for end in ("_low", "_high"))
        lengths = tuple(row[part] or 0.0 for part in parts)
        columns.append(Column(row["field"], lengths, f"Field {row['field']} ({row['terrain']}): {text}", "", low, high))
    return Columns(tuple(columns), tuple(zip(parts.values(), hues, strict=True)), "field", ticks)
