"""A button that has a report of the page's filter made in the background, and hands over its file.

Put it among the actions of a page's head, once on a page:

    page_head("Outcomes", report_button(), lead=…)

The report goes by the filter in the address of the page at the moment of the click, so nothing need be handed over when
filters change. `facts` are only for what a page means without its address saying so, as a page about one tournament
does: its keys hold wherever the address is silent about them.

    page_head(name, report_button(report_facts(Filter(tournaments=(name,)).pairs())))

A page on which that changes sets the data of `report-facts` to `report_facts`, by `set_props`: other pages have that
store too, and Dash asks a callback with it for an output on each of them.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from dash import ClientsideFunction, Input, Output, clientside_callback, dcc, html
from dash.development.base_component import Component

from dashboards.report.words import FILTER_KEYS

__all__ = ["report_button", "report_facts"]


def report_button(facts: dict[str, Any] | None = None) -> Component:
    """Return the place of the button; `assets/report.js` fills it."""
    stores = [dcc.Store(id="report-facts", data=facts or report_facts()), dcc.Store(id="report-seen")]
    return html.Div([*stores, html.Div(id="report-menu")], className="report")


def report_facts(
    usual: Sequence[tuple[str, str]] = (), *, instead_of: str = "", label: str = "Report"
) -> dict[str, Any]:
    """Return what the button goes by: what holds beside the address, or for a key whatever the address says of it."""
    return {"keys": [key for key in FILTER_KEYS if key != instead_of], "usual": urlencode(usual), "label": label}


# What answers to nothing is not called for what a page has from the start.
clientside_callback(ClientsideFunction("report", "mount"), Output("report-seen", "data"), Input("report-facts", "data"))
