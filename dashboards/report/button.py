"""A button that has a report of the page's filter made in the background, and hands over its file.

Put it among the actions of a page's head, once on a page:

    page_head("Outcomes", report_button(), lead=…)

The report uses the filter in the address of the page at the moment of the click, so nothing need be handed over when
filters change. `facts` are only for a selection that the address does not show, as on a page about one tournament. Its
keys hold unless the address sets them.

    page_head(name, report_button(report_facts(Filter(tournaments=(name,)).pairs())))

If that changes on a page, set the data of `report-facts` to `report_facts` with `set_props`. Other pages have that
store too, and Dash requires an output on each of them from a callback with it.
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
    """Return the button's data: defaults for keys that the address lacks; its `instead_of` is ignored."""
    return {"keys": [key for key in FILTER_KEYS if key != instead_of], "usual": urlencode(usual), "label": label}


# A callback without outputs is not called for the initial content of a page.
clientside_callback(ClientsideFunction("report", "mount"), Output("report-seen", "data"), Input("report-facts", "data"))
