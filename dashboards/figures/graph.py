"""How every Plotly figure looks and is put on a page."""

from typing import Any, Final

from dash import dcc
from dash.development.base_component import Component

from dashboards.theme import FONT, Palette

__all__ = ["CONFIG", "axis", "graph", "layout", "names_axis", "panels", "title"]

CONFIG: Final[Any] = {
    "showSendToCloud": False,  # Plotly 7 offers to upload charts unless told not to
    "plotlyServerURL": "",
    "displaylogo": False,
    "displayModeBar": False,
    "responsive": True,
    "doubleClick": False,
}


def graph(name: str) -> Component:
    """Return a place for a figure; a callback draws it."""
    return dcc.Graph(id=name, config=CONFIG, className="graph")


def layout(colours: Palette, height: int, **more: Any) -> dict[str, Any]:
    """Return the layout that figures share, in one colour scheme."""
    return {
        "template": "none",
        "height": height,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": colours.text},
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
        "hoverlabel": {
            "bgcolor": colours.card,
            "bordercolor": colours.border,
            "font": {"family": FONT, "size": 12, "color": colours.text},
        },
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "font": {"size": 12},
            "itemclick": False,
            "itemdoubleclick": False,
            "traceorder": "normal",
        },
        "dragmode": False,
        "hovermode": "closest",
        "uniformtext": {"minsize": 11, "mode": "hide"},
        **more,
    }


def axis(colours: Palette, **more: Any) -> dict[str, Any]:
    """Return an axis of numbers."""
    return {
        "gridcolor": colours.grid,
        "linecolor": colours.border,
        "zeroline": False,
        "tickfont": {"color": colours.muted, "size": 12},
        "fixedrange": True,
        "automargin": True,
        **more,
    }


def names_axis(colours: Palette, **more: Any) -> dict[str, Any]:
    """Return an axis of names, in the order of the rows, downwards."""
    return axis(
        colours,
        autorange="reversed",
        showgrid=False,
        ticklabelstandoff=8,
        tickfont={"color": colours.text, "size": 13},
        **more,
    )


def panels(count: int, gap: float) -> list[tuple[float, float]]:
    """Divide an axis of the paper into so many parts with a gap between them."""
    width = (1 - gap * (count - 1)) / count
    return [(max(0.0, place * (width + gap)), min(1.0, place * (width + gap) + width)) for place in range(count)]


def title(text: str, colours: Palette, domain: tuple[float, float]) -> dict[str, Any]:
    """Return the title over a panel."""
    return {
        "text": text,
        "x": sum(domain) / 2,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "center",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13, "color": colours.text},
    }
