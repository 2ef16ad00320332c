"""How every Plotly figure looks and is put on a page."""

from typing import Any, Final

import plotly.graph_objects as go
from dash import dcc
from dash.development.base_component import Component

from dashboards.theme import FONT, Palette

__all__ = ["CONFIG", "dressed", "graph"]

CONFIG: Final[Any] = {
    "showSendToCloud": False,  # Plotly 7 offers to upload charts unless told not to
    "displaylogo": False,
    "displayModeBar": False,
    "responsive": True,
    "scrollZoom": False,
    "doubleClick": False,
    "plotlyServerURL": "",
}


def graph(name: str, height: int = 320) -> Component:
    """Return a place for a figure; a callback draws it."""
    return dcc.Graph(id=name, config=CONFIG, style={"height": f"{height}px"}, className="graph")


def dressed(figure: go.Figure, colours: Palette, *, height: int) -> go.Figure:
    """Give a figure the type, lines and margins of the app, in one colour scheme."""
    axis = {
        "gridcolor": colours.grid,
        "linecolor": colours.border,
        "zeroline": False,
        "tickfont": {"color": colours.muted, "size": 12},
        "title": {"font": {"color": colours.muted, "size": 12}},
        "fixedrange": True,
        "automargin": True,
    }
    figure.update_layout(
        template="none",
        height=height,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": FONT, "size": 13, "color": colours.text},
        margin={"l": 8, "r": 16, "t": 8, "b": 8},
        hoverlabel={
            "bgcolor": colours.card,
            "bordercolor": colours.border,
            "font": {"family": FONT, "size": 12, "color": colours.text},
        },
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 12}, "itemclick": False},
        dragmode=False,
        uniformtext={"minsize": 11, "mode": "hide"},
    )
    figure.update_annotations(font={"size": 13, "color": colours.text})  # the titles of panels
    figure.update_traces(cliponaxis=False, selector={"type": "scatter"})
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    return figure
