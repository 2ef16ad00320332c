"""Where? tab of the Analysis page: events by place, of one selection, of winners and losers, or of two selections."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

import polars as pl
from dash import ClientsideFunction, Input, Output, callback, clientside_callback, html, register_page, set_props
from dash.development.base_component import Component

from dashboards.catalog.questions import ANALYSIS, MAP
from dashboards.games.analytics import Analytics, MapLayer, analytics_of
from dashboards.games.shared.places import (
    BoardContext,
    Selection,
    compared_places,
    counted_places,
    map_finding,
    selections,
)
from dashboards.games.shared.recent import memo
from dashboards.pages.analysis import answer
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.where import game_under
from dashboards.report.button import report_button, report_facts
from dashboards.stats.words import whole
from dashboards.ui.components import (
    analysis_tabs,
    card,
    csv_link,
    csv_path,
    current_reader,
    notice,
    over_matches,
    page_head,
    segments,
)
from dashboards.ui.figure_card import Shown, figure_card, figure_table, kinds
from dashboards.ui.figure_list import with_neighbours
from dashboards.ui.filter_bar import SEARCH, filter_bar, read_search
from dashboards.web.matches import MORE
from dashboards.web.refusals import Refused

PATH: Final = f"{ANALYSIS}/where"
register_page(__name__, path=PATH, title="Where? · Himalaya")

SHOW: Final = {"all": "All", "winners": "Winners against losers", "two": "Two selections"}
SHOW_KEY, LAYER_KEY = "show", "layer"
KEYS: Final = {
    "village": "Village",
    "village_a": "From",
    "village_b": "To",
    "road": "Road",
    "region": "Region",
    "field": "Field",
    "terrain": "Terrain",
}
COUNTED: Final = {"total": "Times", "per_seat": "Per player and match"}
COMPARED: Final = {
    "per_seat_difference": "Difference",
    "per_seat_difference_low": "95% from",
    "per_seat_difference_high": "95% to",
    "per_seat": "First",
    "other_per_seat": "Second",
}
TABLE: Final = "map-places"
NOTHING: Final = "No finished match fits these filters"
Query = Mapping[str, Any]


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Where?", lambda reader: page(reader, query))


def page(reader: Reader, query: Query) -> Component:
    """Return the game's map with its tables; for a game without a map, the first figure by place."""
    game = game_under(reader, Filter.read(query))
    drawn = analytics_of(game)
    if not drawn.draw_map:
        return answer(reader, "where", "", query)
    show, layer = _one(query, SHOW_KEY, SHOW, "all"), layer_of(drawn, query).name
    # in the layout, so that the first lines need no callback
    report, said, *_, no_roads = followed(reader, query)
    second = html.Div(
        [
            html.H2("Second selection", className="label"),
            filter_bar(query, prefix="b.", label="Filters of the second selection"),
        ],
        id="traffic-second",
        className="second-selection",
        hidden=show != "two",
    )
    lists = [second, places("traffic-places"), places("traffic-roads", hidden=no_roads)]
    board = html.Div(
        # the second selection is next to the map, which stays in place when it appears
        [figure_card("map", MAP, kind="map", has_map=True), html.Div(lists, className="stack")],
        className="columns",
    )
    return html.Div(
        [
            page_head("Where?", report_button(report), lead=html.Span(said, id="traffic-lead", role="status")),
            analysis_tabs(PATH, game),
            filter_bar(query),
            html.Div(
                [
                    segments("traffic-show", "Selections", SHOW, show),
                    segments(
                        "traffic-layer", "Layer", {name: found.title for name, found in drawn.layers.items()}, layer
                    ),
                ],
                className="page-segments",
            ),
            with_neighbours(game, "where", PATH, html.H2("The board", className="visually-hidden"), board),
        ],
        className="page",
    )


def places(name: str, *, hidden: bool = False) -> Component:
    """Return the container of a table next to the map."""
    made: Component = html.Div(
        card(
            html.Span(id=f"{name}-title"),  # type: ignore[arg-type]
            html.Div(id=name, className="fill"),
            actions=[csv_link(f"{name}-csv", "This table as CSV")],
        ),
        id=f"{name}-card",
        className="stacked",
        hidden=hidden,
    )
    return made


def layer_of(drawn: Analytics, query: Mapping[str, Any]) -> MapLayer:
    """Return the map layer that an address names, or the default layer."""
    return drawn.layers[_one(query, LAYER_KEY, drawn.layers, next(iter(drawn.layers)))]


def asked_for(reader: Reader, query: Query) -> tuple[MapLayer, BoardContext, list[Selection]]:
    """Return the layer, the board and the selections of an address; two selections are always of one game."""
    first, second = Filter.read(query), Filter.read(query, "b.")
    game = game_under(reader, first)
    drawn = analytics_of(game)
    if not drawn.draw_map:
        raise Refused(HTTPStatus.BAD_REQUEST, f"there is no map of {game}")
    show = _one(query, SHOW_KEY, SHOW, "all")
    return layer_of(drawn, query), *selections(reader, show, first, replace(second, game=first.game))


def frame_of(reader: Reader, what: str, chosen: Sequence[Selection], context: BoardContext) -> pl.DataFrame:
    """Return the counts by place, or the differences between two selections."""
    if len(chosen) == 1:
        return counted_places(reader, what, chosen[0], context)
    key = (what, *chosen, context.digest)
    return memo(reader, key, lambda: compared_places(reader, what, chosen, context))


def on_map(reader: Reader, _name: str, query: Query) -> Shown:
    """Return the map for an address as a figure."""
    layer, context, chosen = asked_for(reader, query)
    frame = frame_of(reader, layer.what, chosen, context)
    finding = map_finding(layer, context.place(layer.what), frame, chosen)
    board = context.board
    if board is None or not all(one.seats for one in chosen):
        frame = frame.clear()
    lines = None
    if layer.lines and not frame.is_empty():
        lines = frame_of(reader, layer.lines, chosen, context)

    def draw(rows: pl.DataFrame, _colours: Any) -> str:
        names = [one.name for one in chosen] if len(chosen) > 1 else []
        draw_map = analytics_of(context.game).draw_map
        assert draw_map, "there are layers only of a map"
        return draw_map(board, layer, rows, lines, names, finding)

    frame = _each(frame)
    pairs = Filter.read(query).pairs()
    return Shown(MAP, frame, draw, columns_of(frame), finding, csv_of(layer.what, query), pairs)


def _each(frame: pl.DataFrame) -> pl.DataFrame:
    """Return places for display, with rates per player and match; exports have rates per hundred seats."""
    return frame.with_columns(pl.col("per_seat") / 100) if "total" in frame.columns else frame


def columns_of(frame: pl.DataFrame) -> dict[str, str]:
    """Return the columns of a table of places, with headings."""
    rest = COUNTED if "total" in frame.columns else COMPARED
    return {column: heading for column, heading in (KEYS | rest).items() if column in frame.columns}


def csv_of(what: str, query: Query) -> str:
    """Return the address of a table of places as CSV."""
    first, second = Filter.read(query).pairs(), Filter.read(query, "b.").pairs("b.")
    show = _one(query, SHOW_KEY, SHOW, "all")
    more = [] if show == "all" else [(SHOW_KEY, show)]
    return csv_path(TABLE, first, more, second if show == "two" else [], [("what", what)])


def table_of_places(reader: Reader, query: Query) -> pl.DataFrame:
    """Return a table of places for CSV."""
    layer, context, chosen = asked_for(reader, query)
    what = _one(query, "what", analytics_of(context.game).places, layer.what)
    return frame_of(reader, what, chosen, context)


kinds["map"] = on_map
MORE[TABLE] = table_of_places


@callback(
    Output("traffic-lead", "children"),
    Output("traffic-second", "hidden"),
    Output("traffic-show", "value"),
    Output("traffic-layer", "value"),
    Output("traffic-roads-card", "hidden"),
    Input(SEARCH, "data"),
    prevent_initial_call=True,
)
def follow(search: str) -> tuple[Any, ...]:
    """Return the page's state after a change of the filter, and update the report button."""
    report, *shown = followed(current_reader(), read_search(search))
    set_props("report-facts", {"data": report})
    return tuple(shown)


def followed(reader: Reader, query: Query) -> tuple[Any, ...]:
    """Return the button's data, the counted matches, and which parts of the page are selected or hidden."""
    layer, context, _ = asked_for(reader, query)
    # a report has one filter: that of the first selection
    show = _one(query, SHOW_KEY, SHOW, "all")
    label = "Report of the first selection" if show == "two" else "Report"
    shown = lead(context, Filter.read(query)), show != "two", show, layer.name, not layer.lines
    return report_facts(label=label), *shown


@callback(
    Output("traffic-places-title", "children"),
    Output("traffic-places", "children"),
    Output("traffic-places-csv", "href"),
    Input(SEARCH, "data"),
)
def beside(search: str) -> tuple[str, Component | str, str]:
    """Return the title, table and CSV address of places, next to the map."""
    query = read_search(search)
    layer, context, chosen = asked_for(current_reader(), query)
    title = f"{layer.many[:1].upper()}{layer.many[1:]} by {context.place(layer.what).called}"
    return title, _table(current_reader(), layer.what, chosen, context, query), csv_of(layer.what, query)


@callback(
    Output("traffic-roads-title", "children"),
    Output("traffic-roads", "children"),
    Output("traffic-roads-csv", "href"),
    Input(SEARCH, "data"),
)
def beside_by_road(search: str) -> tuple[str, Component | str, str]:
    """Return the title, table and CSV address of roads; empty if the layer has no roads."""
    query = read_search(search)
    layer, context, chosen = asked_for(current_reader(), query)
    table = _table(current_reader(), layer.lines, chosen, context, query) if layer.lines else ""
    return "Journeys by road", table, csv_of(layer.lines or layer.what, query)


clientside_callback(
    ClientsideFunction("figures", "choose"), Input("traffic-show", "value"), Input("traffic-layer", "value")
)


def lead(context: BoardContext, where: Filter) -> str:
    """Return a line on the counted matches."""
    if context.board is None:
        return "0 finished matches"
    count = f"{whole(context.matches, 'finished match', 'finished matches')} on board {context.board.id}"
    if context.matches == context.matches_in_all:
        return count
    why = "" if where.board else ", the most used"
    return f"{count}{why}; {context.matches_in_all - context.matches:,} on others"


def _table(reader: Reader, what: str, chosen: Sequence[Selection], context: BoardContext, query: Query) -> Component:
    if context.board is None or not all(one.seats for one in chosen):
        return notice(NOTHING)
    frame = _each(frame_of(reader, what, chosen, context))
    pairs = Filter.read(query).pairs()
    return figure_table(Shown(what, frame, lambda *_: "", columns_of(frame), "", "", pairs))


def _one(query: Mapping[str, Any], key: str, known: Mapping[str, Any], usual: str) -> str:
    value = query.get(key) or usual
    value = value if isinstance(value, str) else value[0]
    return value if value in known else usual
