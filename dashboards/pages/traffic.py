"""Traffic: how often each village was reached and each road travelled, on the map and in tables."""

from typing import Any, Final

import dash_mantine_components as dmc
import polars as pl
from dash import ClientsideFunction, Input, Output, callback, clientside_callback, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.components import (
    aria,
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
)
from dashboards.figures.traffic_map import step_bounds, traffic_map
from dashboards.filters import LAST_ROUND, TrafficFilter, address
from dashboards.queries import Queries
from dashboards.routes import csv_path
from dashboards.stats.traffic import Traffic, finding, traffic

register_page(__name__, path="/traffic", title="Traffic · Himalaya")

VILLAGE_COLUMNS: Final = {
    "village": "Village",
    "arrivals": "Arrivals",
    "share": "Share",
    "trades": "Trades",
    "deliveries": "Deliveries",
}
ROAD_COLUMNS: Final = {"between": "Villages", "road": "Road", "journeys": "Journeys", "share": "Share"}


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Traffic", lambda asked: page(asked, TrafficFilter.read(query)))


def page(asked: Queries, where: TrafficFilter) -> Component:
    """Return the map, its tables and its filters."""
    return html.Div(
        [
            page_head("Traffic", lead=html.Span(id="traffic-lead", role="status")),
            filters(asked, where),
            dcc.Store(id="traffic-search", data=address(where.pairs())),
            dcc.Store(id="traffic-svg"),
            dcc.Store(id="traffic-svg-place", data="traffic-map"),
            html.Div(
                [
                    card(
                        "Arrivals by village, journeys by road",
                        loading(
                            html.Figure(
                                [
                                    html.Div(id="traffic-map", className="map"),
                                    html.Div(id="traffic-legend", className="legend"),
                                    html.Figcaption(id="traffic-finding"),
                                ]
                            )
                        ),
                    ),
                    html.Div(
                        [
                            card(
                                "Villages",
                                html.Div(id="traffic-villages", className="fill"),
                                actions=[csv_link("traffic-villages-csv", "Villages as CSV")],
                            ),
                            card(
                                "Roads",
                                html.Div(id="traffic-roads", className="fill"),
                                actions=[csv_link("traffic-roads-csv", "Roads as CSV")],
                            ),
                        ],
                        className="stack",
                    ),
                ],
                className="columns",
            ),
        ],
        className="page",
    )


def filters(asked: Queries, where: TrafficFilter) -> Component:
    """Return the inputs above the map."""
    clear_board: Any = aria(label="Clear board")  # Mantine takes more than its types list
    boards = asked.board_ids()
    if where.board and where.board not in boards:
        boards.append(where.board)
    seats = [{"value": str(seat), "label": f"seat {seat}"} for seat in range(max(asked.table_sizes(), default=0))]
    return html.Div(
        [
            html.Div(
                dmc.Select(
                    id="traffic-board",
                    label="Board",
                    data=boards,
                    value=where.board or None,
                    placeholder="the most used",
                    clearable=True,
                    clearButtonProps=clear_board,
                    size="sm",
                ),
                className="filter",
                hidden=len(boards) < 2,
            ),
            choice("traffic-tournament", "Tournament", asked.tournaments(), where.tournaments),
            choice("traffic-player", "Player", asked.players(), where.players),
            choice("traffic-seat", "Seat, 0 begins the match", seats, [str(seat) for seat in where.seats]),
            html.Div(
                [
                    html.Span("Rounds, 0 is the set-up", className="label"),
                    dmc.RangeSlider(
                        id="traffic-rounds",
                        min=0,
                        max=LAST_ROUND,
                        step=1,
                        minRange=0,
                        value=[where.first, where.last],
                        marks=[{"value": value, "label": str(value)} for value in range(0, LAST_ROUND + 1, 2)],
                        thumbFromLabel="First round",
                        thumbToLabel="Last round",
                        size="sm",
                    ),
                ],
                className="filter filter-wide",
            ),
            html.Button([icon("filter-off"), "Clear"], id="traffic-clear", type="button", className="button"),
        ],
        className="card filters",
        role="search",
    )


@callback(
    Output("traffic-svg", "data"),
    Output("traffic-legend", "children"),
    Output("traffic-finding", "children"),
    Output("traffic-villages", "children"),
    Output("traffic-roads", "children"),
    Output("traffic-lead", "children"),
    Output("traffic-search", "data"),
    Output("traffic-villages-csv", "href"),
    Output("traffic-roads-csv", "href"),
    Input("traffic-tournament", "value"),
    Input("traffic-player", "value"),
    Input("traffic-seat", "value"),
    Input("traffic-rounds", "value"),
    Input("traffic-board", "value"),
)
def show(
    tournaments: list[str] | None,
    players: list[str] | None,
    seats: list[str] | None,
    rounds: list[int],
    board: str | None,
) -> tuple[Any, ...]:
    """Count and draw what the filters leave."""
    first, last = rounds
    rest = {"from": str(first), "to": str(last), "board": board}
    where = TrafficFilter.read({"tournament": tournaments, "player": players, "seat": seats, **rest})
    pairs = where.pairs()
    links = (address(pairs), csv_path("villages", pairs), csv_path("roads", pairs))
    found = traffic(queries(), where)
    if found is None:
        nothing = notice("No finished match fits these filters", html.P("Take one away, or clear them all."))
        return "", [], nothing, notice("No villages"), notice("No roads"), "0 finished matches", *links
    text = finding(found)
    said = lead(found, chosen=bool(where.board))
    return traffic_map(found, text), legend(found), text, villages(found), roads(found), said, *links


@callback(
    Output("traffic-tournament", "value"),
    Output("traffic-player", "value"),
    Output("traffic-seat", "value"),
    Output("traffic-rounds", "value"),
    Output("traffic-board", "value"),
    Input("traffic-clear", "n_clicks"),
    prevent_initial_call=True,
)
def clear(_clicks: int) -> tuple[list[str], list[str], list[str], list[int], None]:
    """Empty the inputs."""
    return [], [], [], [0, LAST_ROUND], None


clientside_callback(
    ClientsideFunction("shell", "drawSvg"), Input("traffic-svg", "data"), Input("traffic-svg-place", "data")
)
clientside_callback(ClientsideFunction("shell", "keepTraffic"), Input("traffic-search", "data"))


def lead(found: Traffic, *, chosen: bool) -> str:
    """Say which matches were counted."""
    count = f"{found.matches:,} finished match{'' if found.matches == 1 else 'es'}"
    if found.matches == found.matches_in_all:
        return f"{count} on the board {found.board.id}"
    why = "" if chosen else ", the most used"
    return f"{count} on the board {found.board.id}{why}; {found.matches_in_all - found.matches:,} on others"


def legend(found: Traffic) -> list[Component]:
    """Say what size, colour and width mean."""
    counts = found.villages["arrivals"].to_list()
    steps = [
        html.Span([html.Span(className=f"swatch heat-{step}"), f"{low:,}\N{EN DASH}{high:,}"], className="legend-item")
        for step, (low, high) in enumerate(step_bounds(min(counts), max(counts)))
        if low <= high
    ]
    words = "wider, stronger road: more journeys"
    road = html.Span([html.Span(className="swatch-road"), words], className="legend-item")
    return [html.Span("Arrivals"), *steps, road]


def villages(found: Traffic) -> Component:
    """Return the table of villages, the most visited first."""
    rows = found.villages.sort("arrivals", "village", descending=[True, False])
    return data_table(rows, VILLAGE_COLUMNS, "Arrivals, trades and deliveries by village")


def roads(found: Traffic) -> Component:
    """Return the table of roads, the most travelled first."""
    rows = found.roads.sort("journeys", descending=True, maintain_order=True).with_columns(
        pl.format("{}\N{EN DASH}{}", "village_a", "village_b").alias("between")
    )
    return data_table(rows, ROAD_COLUMNS, "Journeys by road")
