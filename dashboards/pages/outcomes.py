"""Outcomes: who wins by what, from the finished matches under a filter."""

from typing import Any, Final

from dash import ClientsideFunction, Input, Output, callback, clientside_callback, dcc, html, no_update, register_page
from dash.development.base_component import Component

from dashboards.components import (
    card,
    choice,
    csv_link,
    data_table,
    icon,
    loading,
    notice,
    over_matches,
    page_head,
    queries,
    show_data,
)
from dashboards.figures.graph import graph
from dashboards.figures.outcomes import draw
from dashboards.filters import OutcomeFilter, address
from dashboards.queries import Queries
from dashboards.routes import csv_path
from dashboards.stats import outcomes
from dashboards.theme import palette

register_page(__name__, path="/outcomes", title="Outcomes · Himalaya")

QUARTILES: Final = {"lower": "Lower quartile", "median": "Median", "upper": "Upper quartile", "mean": "Mean"}
WIDE: Final = {"influence-by-round": "wide"}
FIGURES: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "wins": (
        "Share of matches won",
        {
            "player": "Player",
            "played": "Played",
            "won": "Won",
            "share": "Share won",
            "low": "Interval from",
            "high": "to",
            "expected": "If equal",
        },
    ),
    "endings": ("How each player's matches ended", {"player": "Player", "played": "Played", **outcomes.ENDINGS}),
    "final-influence": (
        "Influence at the end: median and middle half",
        {"player": "Player", "influence": "Influence", **QUARTILES, "seats": "Seats"},
    ),
    "eliminations": (
        "What decided eliminations",
        {
            "influence": "Least influence",
            "tie_break": "Tie broken by",
            "eliminations": "Eliminations",
            "value": "Median influence of who went",
        },
    ),
    "influence-by-round": (
        "Influence round by round: median and middle half",
        {"influence": "Influence", "player": "Player", "round": "Round", **QUARTILES},
    ),
}


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Outcomes", lambda asked: page(asked, OutcomeFilter.read(query)))


def page(asked: Queries, where: OutcomeFilter) -> Component:
    """Return the figures and their filters."""
    return html.Div(
        [
            page_head("Outcomes", lead=html.Span(id="outcomes-lead", role="status")),
            filters(asked, where),
            dcc.Store(id="outcomes-search", data=address(where.pairs())),
            html.Div(id="outcomes-none", hidden=True, className="card"),
            html.Div([figure_card(name) for name in FIGURES], id="outcomes-figures", className="halves"),
        ],
        className="page",
    )


def filters(asked: Queries, where: OutcomeFilter) -> Component:
    """Return the inputs above the figures."""
    sizes = [{"value": str(size), "label": f"{size} players"} for size in asked.table_sizes()]
    return html.Div(
        [
            choice("outcomes-tournament", "Tournament", asked.tournaments(), where.tournaments),
            choice("outcomes-players", "Players at the table", sizes, [str(size) for size in where.sizes]),
            html.Button([icon("filter-off"), "Clear"], id="outcomes-clear", type="button", className="button"),
        ],
        className="card filters",
        role="search",
    )


def figure_card(name: str) -> Component:
    """Return the place of a figure with its finding and its data."""
    title, _ = FIGURES[name]
    link = csv_link(f"{name}-csv", f"{title}, as CSV")
    place = html.Figure([loading(graph(f"{name}-figure")), html.Figcaption(id=f"{name}-finding")])
    return card(title, place, show_data(html.Div(id=f"{name}-table"), link), class_name=WIDE.get(name, ""))


@callback(
    output={
        "lead": Output("outcomes-lead", "children"),
        "search": Output("outcomes-search", "data"),
        "none": Output("outcomes-none", "children"),
        "none_hidden": Output("outcomes-none", "hidden"),
        "figures_hidden": Output("outcomes-figures", "hidden"),
        "figures": [Output(f"{name}-figure", "figure") for name in FIGURES],
        "sizes": [Output(f"{name}-figure", "style") for name in FIGURES],
        "findings": [Output(f"{name}-finding", "children") for name in FIGURES],
        "tables": [Output(f"{name}-table", "children") for name in FIGURES],
        "links": [Output(f"{name}-csv", "href") for name in FIGURES],
    },
    inputs=[
        Input("outcomes-tournament", "value"),
        Input("outcomes-players", "value"),
        Input("drawn-scheme", "data"),
    ],
)
def show(tournaments: list[str] | None, sizes: list[str] | None, scheme: str | None) -> dict[str, Any]:
    """Count and draw what the filters leave."""
    where, asked = OutcomeFilter.read({"tournament": tournaments, "players": sizes}), queries()
    count = asked.finished_count(where)
    frames = {name: table(asked, where) for name, table in outcomes.TABLES.items()} if count else {}
    answer: dict[str, Any] = {
        "lead": f"{count:,} finished match{'' if count == 1 else 'es'}",
        "search": address(where.pairs()),
        "none": notice("No finished match fits these filters", html.P("Take one away, or clear them all.")),
        "none_hidden": count > 0,
        "figures_hidden": count == 0,
        "links": [csv_path(name, where.pairs()) for name in FIGURES],
    }
    if not count:
        return answer | {part: [no_update] * len(FIGURES) for part in ("figures", "sizes", "findings", "tables")}
    figures = draw(frames, palette(scheme))
    return answer | {
        "figures": figures,
        "sizes": [{"height": f"{figure.layout['height']}px"} for figure in figures],
        "findings": [outcomes.FINDINGS[name](frames[name]) for name in FIGURES],
        "tables": [data_table(frames[name], columns, title) for name, (title, columns) in FIGURES.items()],
    }


@callback(
    Output("outcomes-tournament", "value"),
    Output("outcomes-players", "value"),
    Input("outcomes-clear", "n_clicks"),
    prevent_initial_call=True,
)
def clear(_clicks: int) -> tuple[list[str], list[str]]:
    """Empty the inputs."""
    return [], []


clientside_callback(ClientsideFunction("shell", "keepOutcomes"), Input("outcomes-search", "data"))
