"""Page shown for an unknown address."""

from typing import Any

from dash import dcc, html, register_page
from dash.development.base_component import Component

from dashboards.queries.addresses import url
from dashboards.ui.components import page_head


def layout(**_query: Any) -> Component:
    """Return the page."""
    return html.Div(
        [
            page_head("Page not found"),
            html.Section(
                [
                    html.H2("There is no page at this address"),
                    html.P(["Go to ", dcc.Link("Home", href=url("/")), ", or choose a page above."]),
                ],
                className="card prose",
            ),
        ],
        className="page",
    )


register_page(__name__, title="Not found · Himalaya")
