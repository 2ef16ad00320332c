"""A button that requests a report for the page's filter, made in the background, and downloads the file.

Use it once per page, among the actions of the page's head:

    page_head("Analysis", report_button(), lead=…)

The report uses the filter in the page's address at the time of the click. `facts` are needed only for a selection that
the address does not contain, as on a page about one tournament. The address overrides keys in `facts`.

    page_head(name, report_button(report_facts(Filter(tournaments=(name,)).pairs())))

If the selection changes while the page is open, update the store `report-facts` with `set_props`. Do not make the store
an output of a callback: the store exists on other pages too, where Dash would require all other outputs of that
callback.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from dash import ClientsideFunction, Input, Output, clientside_callback, dcc, html
from dash.development.base_component import Component

from dashboards.report.words import FILTER_KEYS

__all__ = ["report_button", "report_facts"]


def report_button(facts: dict[str, Any] | None = None) -> Component:
    """Return the container of the button; `assets/report.js` fills it."""
    stores = [dcc.Store(id="report-facts", data=facts or report_facts()), dcc.Store(id="report-seen")]
    return html.Div([*stores, html.Div(id="report-menu")], className="report")


def report_facts(
    usual: Sequence[tuple[str, str]] = (), *, instead_of: str = "", label: str = "Report"
) -> dict[str, Any]:
    """Return the button's data. `usual` are values of keys that the address lacks; the key `instead_of` is ignored."""
    return {"keys": [key for key in FILTER_KEYS if key != instead_of], "usual": urlencode(usual), "label": label}


# Dash runs a callback on a page's initial content only if it has an output, so this one writes to `report-seen`.
clientside_callback(ClientsideFunction("report", "mount"), Output("report-seen", "data"), Input("report-facts", "data"))
