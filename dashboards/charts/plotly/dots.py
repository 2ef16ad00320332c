"""Dots with intervals: one row per player, pair or seat, each with how sure its figure is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.players import pools_begin, styles
from dashboards.charts.plotly.graph import (
    MEDIAN_ROOM,
    aside,
    axis,
    layout,
    median_key,
    names_axis,
    nth,
    panels,
    spread,
    title,
)
from dashboards.charts.plotly.narrow import narrowing
from dashboards.charts.theme import Palette
from dashboards.stats import words

__all__ = [
    "Panel",
    "by_part",
    "draw_paired",
    "draw_ratings",
    "draw_seat_effect",
    "draw_win_share",
    "in_points",
    "interval_panels",
    "intervals",
    "middle_half",
    "number",
    "percent",
]

ROW: Final = 36
HEAD: Final = 58
LEGEND: Final = 22
PANEL: Final = 150
NAMES: Final = 130
GAP: Final = 54
"""Between two lines of panels: numbers of an axis and the headings of the next."""
INTERVAL: Final = "95% interval"
MIDDLE_HALF: Final = "middle half"
EQUAL: Final = "equal strength"
Format = Callable[[float], str]


def intervals(
    frame: pl.DataFrame,
    column: str,
    colours: Palette,
    *,
    rows: str = "player",
    shown: Format,
    axis_format: str = "",
    reference: str = "",
    called: str = EQUAL,
    zero: bool = False,
    narrow: Sequence[str] | None = None,
    marks: Sequence[tuple[str, str]] | None = None,
) -> go.Figure:
    """Draw one figure per row with its interval, its value to the right.

    `reference` is a column that has a tick in each row, `called` what that is; `zero` draws a line where nothing is.
    `marks` are colour and shape of each row, by default those of the player.
    """
    names = frame[rows].to_list()
    seen = styles(names, colours)
    marks = marks or [seen[name][:2] for name in names]
    bounds = _bounds(frame, column)
    texts = [_said(*values, shown) for values in zip(*bounds, strict=True)]
    traces: list[go.Scatter] = []
    if reference:
        traces.append(_ticks(frame[reference], names, colours, shown, called))
    traces += _bars(bounds, names, marks)
    traces.append(
        go.Scatter(
            x=frame[column].to_list(),
            y=names,
            mode="markers",
            cliponaxis=False,
            showlegend=False,
            marker={
                "size": 12,
                "color": [colour for colour, _ in marks],
                "symbol": [shape for _, shape in marks],
                "line": {"width": 1, "color": colours.text},
            },
            customdata=texts,
            hovertemplate="%{y}: %{customdata}<extra></extra>",
            meta={"narrow": list(narrow) if narrow else frame.to_dicts()},
        )
    )
    numbers = axis(colours, tickformat=axis_format, rangemode="normal" if zero else "tozero", nticks=4, tickangle=0)
    if zero:
        numbers |= {"zeroline": True, "zerolinecolor": colours.muted, "zerolinewidth": 1.5}
    words = [shown(value) if value is not None else "" for value in frame[column]]
    more = {
        "xaxis": numbers,
        "yaxis": names_axis(colours, names),
        "annotations": aside(words, colours),
        "shapes": [_across(place, colours) for place in pools_begin(frame)],
        "margin": {"l": 8, "r": 16 + 8 * max(map(len, words), default=0), "t": 30 if reference else 8, "b": 8},
    }
    return go.Figure(traces, layout(colours, HEAD + LEGEND * bool(reference) + ROW * len(names), **more))


def _across(place: int, colours: Palette) -> dict[str, Any]:
    """Return a line above a row: pools of players that never met stand apart."""
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": place - 0.5,
        "y1": place - 0.5,
        "line": {"color": colours.muted, "width": 1, "dash": "dot"},
    }


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several panels that share their rows: its heading, its rows, the column shown, how numbers are written.

    `mark` is the shape of rows that are not players.
    """

    heading: str
    frame: pl.DataFrame
    column: str
    shown: Format
    axis_format: str = ""
    bounds: str = INTERVAL
    mark: str = "circle"


def middle_half(panel: Panel, column: str) -> Panel:
    """Return a panel of the median of a column with its middle half."""
    named = {f"{column}_lower": f"{column}_median_low", f"{column}_upper": f"{column}_median_high"}
    frame = panel.frame.drop(name for name in named.values() if name in panel.frame.columns).rename(named)
    return replace(panel, frame=frame, column=f"{column}_median", bounds=MIDDLE_HALF)


def interval_panels(
    parts: Sequence[Panel | None], colours: Palette, *, rows: str = "player", most: int = 6
) -> go.Figure:
    """Draw several figures of the same rows beside each other, each on an axis of its own, `most` in a line.

    Rows stand in the order of the panels' own; a panel may lack some. In the place of None nothing is drawn.
    """
    names = list(dict.fromkeys(name for part in parts if part for name in part.frame[rows]))
    seen = styles(names, colours) if rows == "player" else {}
    lines = -(-len(parts) // most)
    across = panels(min(len(parts), most), min(0.06, 0.3 / min(len(parts), most)))
    each = GAP + ROW * len(names)
    down = panels(lines, GAP / (each * lines - GAP) if lines > 1 else 0)[::-1]
    traces: list[go.Scatter] = []
    axes: dict[str, Any] = {}
    titles = []
    for place, part in enumerate(parts):
        if part is None:
            continue
        line, column = divmod(place, most)
        on = {"xaxis": nth("x", place), "yaxis": nth("y", place)}
        marks = [seen[name][:2] if seen else (colours.accent, part.mark) for name in part.frame[rows]]
        thick = 3 if part.bounds == INTERVAL else 7
        traces += _bars(_bounds(part.frame, part.column), part.frame[rows].to_list(), marks, thick, **on)
        traces.append(_dots(part, rows, marks, colours, **on))
        axes[nth("xaxis", place)] = axis(
            colours,
            domain=across[column],
            anchor=nth("y", place),
            rangemode="tozero",
            nticks=4,
            tickangle=0,
            tickformat=part.axis_format,
            zeroline=True,
            zerolinecolor=colours.muted,
        )
        axes[nth("yaxis", place)] = names_axis(
            colours, names, domain=down[line], anchor=nth("x", place), showticklabels=column == 0
        )
        titles.append({**title(part.heading, colours, across[column]), "y": down[line][1]})
    has_key = any(part and part.bounds == MIDDLE_HALF and MIDDLE_HALF not in part.heading for part in parts)
    key, room = ([median_key(colours)], MEDIAN_ROOM) if has_key else ([], 0)
    margin = {"l": 8, "r": 16, "t": 30, "b": 20 + room if room else 8}
    more = {"annotations": [*titles, *key], "margin": margin, "meta": {"least": NAMES + PANEL * len(across)}}
    return go.Figure(traces, layout(colours, 66 + room + each * lines - GAP, **more, **axes))


def by_part(frame: pl.DataFrame, key: str, column: str, shown: Format, axis_format: str = "") -> list[Panel]:
    """Return a panel for each value of a column, in the order of the rows."""
    values = frame[key].unique(maintain_order=True).to_list()
    return [
        Panel(
            _heading(value),
            frame.filter(pl.col(key).eq_missing(value)),
            column,
            shown,
            axis_format,
        )
        for value in values
    ]


def _heading(value: object) -> str:
    text = str(value).replace("_", " ")
    return text[:1].upper() + text[1:]


def _dots(part: Panel, rows: str, marks: Sequence[tuple[str, str]], colours: Palette, **more: Any) -> go.Scatter:
    bounds = _bounds(part.frame, part.column)
    return go.Scatter(
        x=part.frame[part.column].to_list(),
        y=part.frame[rows].to_list(),
        mode="markers",
        cliponaxis=False,
        showlegend=False,
        marker={
            "size": 10,
            "color": [colour for colour, _ in marks],
            "symbol": [shape for _, shape in marks],
            "line": {"width": 1, "color": colours.text},
        },
        customdata=[_said(*values, part.shown, part.bounds) for values in zip(*bounds, strict=True)],
        hovertemplate=f"%{{y}}, {part.heading}: %{{customdata}}<extra></extra>",
        meta={"narrow": part.frame.to_dicts()},
        **more,
    )


def _bounds(frame: pl.DataFrame, column: str) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Return low, middle and high; without bounds all three are the middle."""
    low, high = (f"{column}{end}" if f"{column}{end}" in frame.columns else column for end in ("_low", "_high"))
    return frame[low], frame[column], frame[high]


def draw_win_share(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Share of wins per player with its interval, and a tick where it would be if all were equally strong."""
    return intervals(
        frame,
        "win_share",
        colours,
        shown=percent,
        axis_format=".0%",
        reference="expected_share",
        narrow=[narrowing(player=player, result="won") for player in frame["player"]],
    )


def draw_ratings(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Rating of each player in Elo, 0 the mean of those compared."""
    return intervals(frame, "rating", colours, shown=signed, zero=True, axis_format="+d")


def draw_seat_effect(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """By how much each seat wins more than those who sat there do; filled where Holm's correction lets it stand."""
    named = frame.with_columns(pl.format("Seat {} of {}", pl.col("seat") + 1, "players").alias("row"))
    marks = [
        (colours.accent, "circle" if holm is not None and holm < 0.05 else "circle-open")
        for holm in frame["seat_effect_holm"]
    ]
    told = in_points(named, "seat_effect")
    return intervals(
        told, "seat_effect", colours, rows="row", shown=words.signed, zero=True, axis_format="+d", marks=marks
    )


def draw_paired(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Differences of each two players with the same seed, the better one first; filled where Holm lets it stand."""
    better = frame.filter(
        (pl.col("paired_difference") > 0) | ((pl.col("paired_difference") == 0) & (pl.col("player") < pl.col("other")))
    ).sort("paired_difference", "player", "other", descending=[True, False, False])
    named = better.with_columns(pl.format("{} over {}", "player", "other").alias("row"))
    marks = [
        (colours.accent, "circle" if holm is not None and holm < 0.05 else "circle-open")
        for holm in better["paired_difference_holm"]
    ]
    told, column = in_points(named, "paired_difference"), "paired_difference"
    return intervals(told, column, colours, rows="row", shown=words.signed, zero=True, axis_format="+d", marks=marks)


def percent(value: float) -> str:
    """Write a share: 31.4%."""
    return f"{value:.1%}"


def in_points(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return a frame with a difference of shares and its bounds in points, hundredths of the whole."""
    return frame.with_columns(pl.col(column, f"{column}_low", f"{column}_high") * 100)


def signed(value: float) -> str:
    """Write a difference: +31."""
    return words.signed(value, 0)


def number(value: float) -> str:
    """Write a mean: 12.3."""
    if abs(value) < 10:
        return words.plain(value, 2)
    return f"{value:,.1f}".replace("-", "\N{MINUS SIGN}")


def _said(low: float | None, middle: float | None, high: float | None, shown: Format, bounds: str = INTERVAL) -> str:
    if middle is None:
        return "none"
    if low is None or high is None or not isfinite(low) or not isfinite(high):
        return f"{shown(middle)}; too few seeds, so no interval"
    return f"{shown(middle)}" if low == middle == high else f"{shown(middle)}, {bounds} {shown(low)} to {shown(high)}"


def _ticks(values: pl.Series, names: Sequence[str], colours: Palette, shown: Format, called: str) -> go.Scatter:
    return go.Scatter(
        x=values.to_list(),
        y=list(names),
        mode="markers",
        name=called,
        marker={"symbol": "line-ns", "size": 20, "line": {"width": 2.5, "color": colours.muted}},
        customdata=[shown(value) for value in values],
        hovertemplate=f"%{{customdata}} {called}<extra></extra>",
    )


def _bars(
    bounds: tuple[pl.Series, pl.Series, pl.Series],
    names: Sequence[str],
    marks: Sequence[tuple[str, str]],
    thick: int = 3,
    **more: Any,
) -> list[go.Scatter]:
    """Return the intervals, a trace for each colour, as all bars of a trace have one."""
    low, middle, high = bounds
    traces = []
    for colour in dict.fromkeys(colour for colour, _ in marks):
        places = [place for place, (mark, _) in enumerate(marks) if mark == colour]
        traces.append(
            go.Scatter(
                x=middle.gather(places).to_list(),
                y=[names[place] for place in places],
                mode="markers",
                marker={"opacity": 0},
                error_x=spread(low.gather(places), middle.gather(places), high.gather(places), colour, thick),
                hoverinfo="skip",
                showlegend=False,
                **more,
            )
        )
    return traces
