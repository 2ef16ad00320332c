"""Matrices: a number for each two things, its size in colour and in words."""

from collections.abc import Mapping, Sequence
from math import cos, radians, sin
from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.graph import axis, label, layout, names_axis, readable
from dashboards.charts.plotly.narrow import narrowing
from dashboards.charts.theme import Palette

__all__ = ["diverging", "draw_head_to_head", "matrix"]

ROW: Final = 40
"""Room for a name in two lines."""
HEAD: Final = 60
ANGLE: Final = 40
LETTER: Final = 7
LINE: Final = 16
CELL: Final = 52
STAND: Final = 0.05


def matrix(
    cells: Mapping[tuple[str, str], tuple[float, str, str, str]],
    rows: Sequence[str],
    columns: Sequence[str],
    scale: Sequence[tuple[float, str]],
    colours: Palette,
    *,
    least: float,
    most: float,
    heads: tuple[str, str] = ("", ""),
) -> go.Figure:
    """Draw cells (row, column) → (value, text on it, text when pointed at, what narrows to it).

    The text on a cell is in whichever of black and white reads there; a cell that is not given stays empty.
    """
    grid = [[cells.get((row, column)) for column in columns] for row in rows]
    heat = go.Heatmap(
        x=list(columns),
        y=list(rows),
        z=[[cell and cell[0] for cell in line] for line in grid],
        customdata=[[cell[2] if cell else "" for cell in line] for line in grid],
        hovertemplate="%{customdata}<extra></extra>",
        hoverongaps=False,
        colorscale=[list(step) for step in scale],
        zmin=least,
        zmax=most,
        showscale=False,
        xgap=2,
        ygap=2,
        meta={"narrow": {f"{row}\n{column}": cell[3] for (row, column), cell in cells.items()}},
    )
    words = [
        {
            "text": cell[1],
            "x": across_at,  # by number, for Plotly takes names that look like numbers for such
            "y": down_at,
            "showarrow": False,
            "font": {"size": 12, "color": readable(shade(cell[0], scale, least, most))},
        }
        for down_at, line in enumerate(grid)
        for across_at, cell in enumerate(line)
        if cell
    ]
    is_level = max(map(len, columns), default=0) * len(columns) < 60
    across = axis(
        colours,
        type="category",
        side="top",
        ticks="",
        showgrid=False,
        tickvals=list(columns),
        ticktext=[label(name) for name in columns],
        tickangle=0 if is_level else -ANGLE,
        tickfont={"color": colours.text, "size": 12.5},
        range=[-0.5, len(columns) - 0.5],
        title={"text": heads[1], "font": {"size": 12, "color": colours.muted}, "standoff": 8},
    )
    down = names_axis(colours, rows, title={"text": heads[0], "font": {"size": 12, "color": colours.muted}})
    more = {"xaxis": across, "yaxis": down, "annotations": words, "margin": {"l": 8, "r": 28, "t": 8, "b": 8}}
    more["meta"] = {"least": 110 + CELL * len(columns)}
    height = HEAD + _room_above(columns, 0 if is_level else ANGLE) + ROW * len(rows)
    return go.Figure([heat], layout(colours, height, **more))


def _room_above(columns: Sequence[str], angle: int) -> int:
    """Return the pixels that names of columns take, so that the rows below keep theirs whatever the names."""
    lines = [label(name).split("<br>") for name in columns]
    longest = LETTER * max((len(line) for name in lines for line in name), default=0)
    most = LINE * max(map(len, lines), default=0)
    return round(longest * sin(radians(angle)) + most * cos(radians(angle)))


def diverging(colours: Palette) -> list[tuple[float, str]]:
    """Return the scale from fewer over no difference to more."""
    return [
        (0.0, colours.fewer[1]),
        (0.35, colours.fewer[0]),
        (0.5, colours.card),
        (0.65, colours.more[0]),
        (1.0, colours.more[1]),
    ]


def shade(value: float, scale: Sequence[tuple[float, str]], least: float, most: float) -> str:
    """Return the colour that a scale gives a value."""
    place = min(max((value - least) / (most - least), 0.0), 1.0) if most > least else 0.5
    before = max((step for step in scale if step[0] <= place), default=scale[0])
    after = min((step for step in scale if step[0] >= place), default=scale[-1])
    part = (place - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    mixed = (
        round(int(before[1][at : at + 2], 16) * (1 - part) + int(after[1][at : at + 2], 16) * part) for at in (1, 3, 5)
    )
    return "#" + "".join(f"{value:02x}" for value in mixed)


def draw_head_to_head(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often the player of a row finished ahead of that of a column; bold where Holm's correction lets it stand."""
    strength = frame.group_by("player").agg(pl.col("better_share").mean()).sort("better_share", descending=True)
    players = strength["player"].to_list()
    cells: dict[tuple[str, str], tuple[float, str, str, str]] = {}
    for row in frame.iter_rows(named=True):
        share, stands = row["better_share"], (row["better_share_holm"] or 1) < STAND
        said = (
            f"{row['player']} ahead of {row['other']}: {share:.1%} of their {row['pairs']:,} meetings, 95% interval"
            f" {row['better_share_low']:.1%} to {row['better_share_high']:.1%}"
        )
        narrow = narrowing(player=row["player"], **{"with": row["other"]})
        cells[row["player"], row["other"]] = (share, f"<b>{share:.0%}</b>" if stands else f"{share:.0%}", said, narrow)
    return matrix(
        cells,
        players,
        players,
        diverging(colours),
        colours,
        least=0.2,
        most=0.8,
        heads=("", "row finishes ahead of column; bold: significant"),
    )
