"""Matches: every recorded match in a list that the database sorts, filters and pages; a row opens the replay."""

from typing import Any, Final

import dash_ag_grid as dag
import dash_mantine_components as dmc
from dash import ClientsideFunction, Input, Output, callback, clientside_callback, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.components import choice, csv_link, icon, over_matches, page_head
from dashboards.filters import STATUSES, MatchFilter, Sort, address
from dashboards.queries import Queries
from dashboards.routes import csv_path
from dashboards.theme import GRID_THEME

register_page(__name__, path="/", title="Matches · Himalaya")

BLOCK: Final = 100
NUMBER: Final = {"cellClass": ["ag-right-aligned-cell", "number"], "headerClass": "ag-right-aligned-header"}
COLUMNS: Final[list[dict[str, Any]]] = [
    {"field": "match", "headerName": "Match", "cellRenderer": "MatchLink", "minWidth": 150, "flex": 3},
    {"field": "tournament", "headerName": "Tournament", "minWidth": 120, "flex": 2},
    {"field": "line_up", "headerName": "Line-up, by seat", "minWidth": 230, "flex": 5},
    {"field": "winner", "headerName": "Winner", "minWidth": 100, "flex": 2},
    {
        "field": "margin",
        "headerName": "Margin",
        "headerTooltip": "Yaks of the winner less the most of the others still in; three can win with fewer",
        "width": 100,
        **NUMBER,
    },
    {"field": "rounds", "headerName": "Rounds", "width": 100, **NUMBER},
    {"field": "events", "headerName": "Events", "width": 100, **NUMBER},
    {"field": "status", "headerName": "Status", "cellRenderer": "Status", "minWidth": 120, "flex": 2},
]


NOTHING: Final = "No match fits these filters. Take one away, or clear them all."
Values = list[str] | None


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Matches", lambda asked: page(asked, MatchFilter.read(query), Sort.read(query)))


def page(asked: Queries, where: MatchFilter, sort: Sort) -> Component:
    """Return the list and its filters."""
    return html.Div(
        [
            page_head(
                "Matches",
                csv_link("matches-csv", "These matches as CSV", csv_path("matches", where.pairs(), sort.pairs())),
                lead=html.Span(id="matches-count", role="status"),
            ),
            filters(asked, where),
            dcc.Store(id="matches-search", data=address(where.pairs())),
            html.Section(
                [
                    html.H2("List of matches", className="visually-hidden"),
                    html.Div(grid(sort), className="grid-place"),
                ],
                className="card grid-card",
            ),
        ],
        className="page matches",
    )


def filters(asked: Queries, where: MatchFilter) -> Component:
    """Return the inputs above the list."""
    players = asked.players()
    return html.Div(
        [
            dmc.TextInput(
                id="matches-find",
                label="Find",
                placeholder="part of a name or line-up",
                value=where.find,
                debounce=250,
                className="filter",
            ),
            choice("matches-tournament", "Tournament", asked.tournaments(), where.tournaments),
            choice("matches-player", "With player", players, where.players),
            choice("matches-winner", "Won by", players, where.winners),
            choice("matches-status", "Status", STATUSES, where.statuses),
            choice("matches-tag", "Bookmark tag", asked.bookmark_tags(), where.tags),
            html.Button([icon("filter-off"), "Clear"], id="matches-clear", type="button", className="button"),
        ],
        className="card filters",
        role="search",
    )


def grid(sort: Sort) -> Component:
    """Return the list; assets/matches.js fetches its rows, a block at a time."""
    order = "desc" if sort.descending else "asc"
    marked = [{**column, "sort": order} if column["field"] == sort.column else column for column in COLUMNS]
    made: Component = dag.AgGrid(
        id="matches-grid",
        columnDefs=marked,
        rowModelType="infinite",
        defaultColDef={"sortable": True, "resizable": True, "suppressHeaderMenuButton": True, "unSortIcon": True},
        dashGridOptions={
            "theme": GRID_THEME,
            "cacheBlockSize": BLOCK,
            "maxBlocksInCache": 20,
            "blockLoadDebounceMillis": 60,
            "multiSortKey": "none",
            "suppressMultiSort": True,
            "suppressCellFocus": False,
            "tooltipShowDelay": 300,
            "localeText": {"noRowsToShow": NOTHING},
        },
        eventListeners={"rowClicked": ["openMatch(params)"], "cellKeyDown": ["openMatch(params)"]},
        style={"height": "100%", "width": "100%"},
    )
    return made


@callback(
    Output("matches-search", "data"),
    Input("matches-find", "value"),
    Input("matches-tournament", "value"),
    Input("matches-player", "value"),
    Input("matches-winner", "value"),
    Input("matches-status", "value"),
    Input("matches-tag", "value"),
    prevent_initial_call=True,
)
def search(
    find: str | None, tournaments: Values, players: Values, winners: Values, statuses: Values, tags: Values
) -> str:
    """Return the inputs as an address."""
    query = {
        "find": find,
        "tournament": tournaments,
        "player": players,
        "winner": winners,
        "status": statuses,
        "tag": tags,
    }
    return address(MatchFilter.read(query).pairs())


@callback(
    Output("matches-find", "value"),
    Output("matches-tournament", "value"),
    Output("matches-player", "value"),
    Output("matches-winner", "value"),
    Output("matches-status", "value"),
    Output("matches-tag", "value"),
    Input("matches-clear", "n_clicks"),
    prevent_initial_call=True,
)
def clear(_clicks: int) -> tuple[str, list[str], list[str], list[str], list[str], list[str]]:
    """Empty the inputs."""
    return "", [], [], [], [], []


clientside_callback(
    ClientsideFunction("matches", "show"),
    Input("matches-search", "data"),
    Input("matches-grid", "getRowsRequest"),
)
