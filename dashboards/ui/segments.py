"""A choice of one of a few, all in sight; assets/figures.js keeps it in the address."""

from collections.abc import Mapping

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from dashboards.ui.components import aria

__all__ = ["segments"]


def segments(name: str, label: str, options: Mapping[str, str], chosen: str) -> Component:
    """Return the control; options are values with their labels."""
    control: Component = dmc.SegmentedControl(
        id=name,
        data=[{"value": value, "label": text} for value, text in options.items()],
        value=chosen,
        size="sm",
        **aria(label=label),
    )
    made: Component = html.Div(control, className="segment")
    return made
