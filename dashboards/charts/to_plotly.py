"""Plotly renderer of charts, for pages.

The links of marks are in `meta["narrow"]` of their trace. That is a list by mark index or, for a matrix, a mapping from
"row, line break, column". assets/figures.js adds a link to the page's address and opens Matches.
"""

from collections.abc import Callable
from typing import Final

import plotly.graph_objects as go

from dashboards.charts.chart import Bars, Behind, Chart, Columns, Dots, Line, Lines, Matrix, of_row
from dashboards.charts.plotly_parts import (
    LEGEND,
    UNSEEN,
    Layout,
    axis,
    domains,
    figure,
    heading,
    hover,
    label,
    median_mark,
    names_axis,
    nth,
    numbers,
    places_of,
    plotly_dots,
    room_above,
    room_beside,
    spread,
)
from dashboards.charts.theme import Palette, readable, shade
from himalaya_core.names import shown_name

__all__ = ["plotly_figure"]

ROW: Final = 36
"""Height of a row in pixels, enough for a name in two lines."""
TALL: Final = 88
"""Height in pixels of a panel with line charts."""
SHORT: Final = 0.055
"""Minimum length of a part of a bar that shows its number, as a fraction of the axis."""
BETWEEN: Final = 0.26
"""Gap between the bars of two rows, as a fraction of a row."""
ANGLE: Final = 40
"""Rotation of long column headings of a matrix, in degrees."""
Address = Callable[[Behind], str]


def plotly_figure(chart: Chart, colours: Palette, address: Address = of_row) -> go.Figure:
    """Return the chart as a Plotly figure; `address` returns the link of a mark as part of an address."""
    match chart:
        case Dots():
            return plotly_dots(chart, colours, address)
        case Bars():
            return _bars(chart, colours, address)
        case Columns():
            return _columns(chart, colours, address)
        case Matrix():
            return _matrix(chart, colours, address)
        case Lines():
            return _lines(chart, colours, address)


# --- Kinds of charts


def _bars(chart: Bars, colours: Palette, address: Address) -> go.Figure:
    count = len(chart.panels)
    parts_of_axis = domains(count, 0.08)
    rows = places_of(chart.rows)
    bars: list[go.Bar] = []
    axes: Layout = {}
    is_plain = all(not part.name for panel in chart.panels for part in panel.parts)
    named: set[str] = set()
    for place, (panel, domain) in enumerate(zip(chart.panels, parts_of_axis, strict=True)):
        lengths = dict.fromkeys(chart.rows, 0.0)
        for part in panel.parts:
            for bar in part.bars:
                lengths[bar.row] += bar.length
        longest = 1.0 if chart.is_share else max([*lengths.values(), 0.0]) or 1.0
        for part in panel.parts:
            inside = {"color": [readable(bar.colour) for bar in part.bars], "size": 12}
            texts = [bar.text if is_plain or bar.length / longest >= SHORT * count else "" for bar in part.bars]
            bars.append(
                go.Bar(
                    x=[bar.length for bar in part.bars],
                    y=[rows[bar.row] for bar in part.bars],
                    width=1 - BETWEEN,
                    xaxis=nth("x", place),
                    orientation="h",
                    name=part.name,
                    legendgroup=part.name,
                    showlegend=not is_plain and part.name not in named,
                    marker={
                        "color": [bar.colour for bar in part.bars],
                        "line": {"color": colours.card, "width": 0 if is_plain else 1},
                    },
                    text=texts,
                    textposition="outside" if is_plain else "inside",
                    insidetextanchor="middle",
                    insidetextfont=inside,
                    outsidetextfont={"color": colours.text},
                    cliponaxis=not is_plain,
                    textangle=0,
                    **hover(part.bars, address),
                )
            )
            named.add(part.name)
        ticks = {"tickformat": ".0%", "range": [0, 1], "nticks": 4 if count > 1 else 6} if chart.is_share else {}
        axes[nth("xaxis", place)] = axis(
            colours, **{"domain": domain, "rangemode": "tozero", "showgrid": not chart.is_share, "nticks": 6, **ticks}
        )
    headings = [
        heading(panel.heading, colours, domain)
        for panel, domain in zip(chart.panels, parts_of_axis, strict=True)
        if panel.heading
    ]
    room, key = 26 * bool(headings), 0 if is_plain else 26 + 22 * (len(named) // 5)
    height = 40 + room + key + ROW * len(chart.rows)
    drawn = figure(
        bars,
        colours,
        height,
        least=520 if len(named) > 5 else 0,
        margin={"l": 8, "r": 64 if is_plain else 24, "t": 8 + room + key, "b": 8},
        barmode="stack",
        annotations=headings,
        yaxis=names_axis(colours, chart.rows),
        **axes,
    )
    return drawn.update_layout(legend_y=1 + room / (ROW * len(chart.rows))) if room and chart.rows else drawn


def _columns(chart: Columns, colours: Palette, address: Address) -> go.Figure:
    places = [column.at for column in chart.columns]
    has_key = len(chart.parts) > 1
    traces: list[go.Bar | go.Scatter] = [
        go.Bar(
            x=places,
            y=[column.parts[nth] for column in chart.columns],
            width=chart.width * 0.92,
            name=name,
            marker={"color": hue},
            showlegend=has_key,
            **hover(chart.columns, address),
        )
        for nth, (name, hue) in enumerate(chart.parts)
    ]
    ends = [(sum(column.parts), column.low, column.high) for column in chart.columns]
    if any(low is not None for _, low, _ in ends):
        up = [None if high is None else high - middle for middle, _, high in ends]
        down = [None if low is None else middle - low for middle, low, _ in ends]
        error = spread(up, down, colours.text, 1.5)
        traces.append(go.Scatter(x=places, y=[end[0] for end in ends], error_y=error, **UNSEEN))
    few = len(places) <= 16 and chart.width == 1
    across = axis(colours, showgrid=False, title={"text": chart.heading, "font": {"size": 12}, "standoff": 6})
    across |= {"dtick": 1, "tickangle": 0} if few else {"nticks": 8, "tickformat": ","}
    marked: Layout = {} if chart.median is None else median_mark(chart.median, colours)
    return figure(
        traces,
        colours,
        280,
        margin={"l": 8, "r": 16, "t": 30 if has_key or marked else 8, "b": 8},
        barmode="stack",
        xaxis=across,
        yaxis=axis(colours, rangemode="tozero", **numbers(chart.scale(0, 1), chart.ticks, 4)),
        **marked,
    )


def _matrix(chart: Matrix, colours: Palette, address: Address) -> go.Figure:
    found = {(cell.row, cell.column): cell for cell in chart.cells}
    rows, columns = places_of(chart.rows), places_of(chart.columns)
    grid = [[found.get((row, column)) for column in chart.columns] for row in chart.rows]
    heat = go.Heatmap(
        z=[[cell and cell.value for cell in line] for line in grid],
        customdata=[[cell.hover if cell else "" for cell in line] for line in grid],
        hovertemplate="%{customdata}<extra></extra>",
        hoverongaps=False,
        colorscale=[list(step) for step in chart.scale],
        zmin=chart.least,
        zmax=chart.most,
        showscale=False,
        xgap=2,
        ygap=2,
        meta={"narrow": {f"{rows[cell.row]}\n{columns[cell.column]}": address(cell.behind) for cell in chart.cells}},
    )
    texts = [
        {
            "text": f"<b>{cell.text}</b>" if cell.is_strong else cell.text,
            "x": across,
            "y": down,
            "showarrow": False,
            "font": {"size": 12, "color": readable(shade(cell.value, chart.scale, chart.least, chart.most))},
        }
        for down, line in enumerate(grid)
        for across, cell in enumerate(line)
        if cell
    ]
    angle = 0 if max(map(len, chart.columns), default=0) * len(chart.columns) < 60 else ANGLE
    heads = [{"text": head, "font": {"size": 12, "color": colours.muted}, "standoff": 8} for head in chart.heads]
    across = axis(
        colours,
        side="top",
        ticks="",
        showgrid=False,
        tickvals=list(range(len(columns))),
        ticktext=[label(name) for name in chart.columns],
        ticklabeloverflow="allow",
        tickangle=-angle,
        tickfont={"color": colours.text, "size": 12.5},
        range=[-0.5, len(chart.columns) - 0.5],
        title=heads[1],
    )
    return figure(
        [heat],
        colours,
        60 + room_above(chart.columns, angle) + 40 * len(chart.rows),
        least=max(110, room_beside(chart.rows) + room_beside(chart.columns[-1:])) + 52 * len(chart.columns),
        margin={"l": 8, "r": 28, "t": 8, "b": 8},
        xaxis=across,
        yaxis=names_axis(colours, chart.rows, title=heads[0]),
        annotations=texts,
    )


def _lines(chart: Lines, colours: Palette, address: Address) -> go.Figure:
    tall = 260 if chart.has_key else TALL
    columns = domains(len(chart.columns), 0.07)
    rows = domains(len(chart.rows), min(0.3, 14 / tall) / len(chart.rows))[::-1]
    traces: list[go.Scatter] = []
    axes: Layout = {}
    for panel in chart.panels:
        row, column = chart.rows.index(panel.row), chart.columns.index(panel.column)
        place = row * len(chart.columns) + column
        on = {"xaxis": nth("x", place), "yaxis": nth("y", place)}
        for line in panel.lines:
            traces += _line(line, colours, address, on, is_named=chart.has_key, is_first=column == 0)
        is_last = row == len(chart.rows) - 1
        axes[nth("xaxis", place)] = axis(
            colours,
            domain=columns[column],
            anchor=on["yaxis"],
            range=[chart.extent[0] - 0.3, chart.extent[1] + 0.3],
            tickvals=list(chart.ticks),
            showticklabels=is_last,
            title={"text": chart.heading if is_last else "", "font": {"size": 12}, "standoff": 4},
        )
        small = {"color": colours.muted, "size": 11}
        axes[nth("yaxis", place)] = axis(
            colours, domain=rows[row], anchor=on["xaxis"], range=[0, panel.most], nticks=3, tickfont=small
        )
    names = [
        {
            **heading(f"<b>{label(name)}</b>", colours, (columns[0][0], columns[0][0])),
            "xanchor": "left",
            "xshift": 6,
            "y": rows[row][1],
            "yanchor": "top",
            "align": "left",
            "font": {"size": 12, "color": colours.text},
        }
        for row, name in enumerate(chart.rows)
        if name
    ]
    heads = [heading(column, colours, domain) for column, domain in zip(chart.columns, columns, strict=True)]
    words = {shown_name(line.name) for panel in chart.panels for line in panel.lines} if chart.has_key else set()
    key = 20 * (1 + sum(len(name) * 7 + 60 for name in words) // 560) if words else 0
    legend = {"legend": {**LEGEND, "yref": "container", "yanchor": "top"}} if words else {}
    return figure(
        traces,
        colours,
        64 + key + tall * len(chart.rows),
        least=560 if words else 480,
        margin={"l": 8, "r": 16, "t": 30 + key, "b": 8},
        annotations=heads + names,
        **legend,
        **axes,
    )


# --- Parts of charts


def _line(
    line: Line, colours: Palette, address: Address, on: Layout, *, is_named: bool, is_first: bool
) -> list[go.Scatter]:
    """Return the band of a line, and the line; lines named in a key also have marks and dashes."""
    red, green, blue = (int(line.colour[at : at + 2], 16) for at in (1, 3, 5))
    band = go.Scatter(
        x=[*line.x, *reversed(line.x)],
        y=[*line.high, *reversed(line.low)],
        mode="lines",
        fill="toself",
        fillcolor=f"rgba({red},{green},{blue},{0.13 if is_named else 0.28})",
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
        **on,
    )
    median = go.Scatter(
        x=list(line.x),
        y=list(line.middle),
        name=shown_name(line.name),
        legendgroup=line.name,
        showlegend=is_named and is_first,
        mode="lines+markers" if is_named else "lines",
        marker={"symbol": line.shape, "size": 7, "line": {"width": 1, "color": colours.text}},
        line={"color": line.colour, "width": 2 if is_named else 2.5, "dash": line.dash if is_named else "solid"},
        customdata=list(line.hover),
        hovertemplate="%{customdata}<extra></extra>",
        meta={"narrow": [address(row) for row in line.behind]},
        **on,
    )
    return [band, median]
