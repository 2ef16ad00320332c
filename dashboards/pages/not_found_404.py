"""The page for an address that leads nowhere."""

from dash import dcc, html, register_page

from dashboards.ui.components import page_head

register_page(__name__, title="Not found · Himalaya")

layout = html.Div(
    [
        page_head("Page not found"),
        html.Section(
            [
                html.H2("There is no page at this address"),
                html.P(["Go to ", dcc.Link("Home", href="/"), ", or choose a page above."]),
            ],
            className="card prose",
        ),
    ],
    className="page",
)
