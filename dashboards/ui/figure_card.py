"""The card of a figure: graph, finding, data, CSV, pictures, and links to the matches behind it.

A page contains `figure_card("win-share")`, and a `dcc.Store(id=SEARCH)` with the query of its address.
assets/figures.js requests a figure when its card scrolls near the window, and again when the filter or the colours
change. So each figure is a separate short request. The finding is shown immediately. The graph is drawn when it comes
into view, because plotly.js blocks the page while it draws.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Final
from urllib.parse import parse_qsl

import polars as pl
from dash import MATCH, ClientsideFunction, Input, Output, State, callback, clientside_callback, dcc, html
from dash.development.base_component import Component

from dashboards.catalog.figures import all_figures, drawing, figure_of, figure_under, figures_of, finding_of, left_out
from dashboards.catalog.metrics import key_of, metric_of
from dashboards.catalog.numbers import NAMES
from dashboards.catalog.questions import figure_path
from dashboards.charts.chart import Behind, Chart, of_participants, of_row
from dashboards.charts.svg import About
from dashboards.charts.theme import LIGHT, Palette
from dashboards.charts.to_plotly import plotly_figure
from dashboards.charts.to_svg import svg_chart
from dashboards.games.analytics import terms_of
from dashboards.games.figure import shown_columns
from dashboards.games.shared.recent import palette_of
from dashboards.queries.addresses import address, download_name, url
from dashboards.queries.filters import Filter, in_words
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.queries.where import game_under, participants
from dashboards.stats.words import signed
from dashboards.ui.components import aria, csv_path, current_reader, meaning, plain
from dashboards.ui.filter_bar import SEARCH, read_search
from himalaya_core.games import GAMES, title_of
from himalaya_core.names import shown_name

__all__ = ["SEARCH", "Kind", "Shown", "figure_card", "figure_table", "kinds", "shown_value"]

log = logging.getLogger(__name__)
FAILED: Final = "This figure could not be computed; the server's log says why."
CONFIG: Final[Any] = {
    "showSendToCloud": False,  # Plotly 7 offers by default to upload charts
    "plotlyServerURL": "",
    "displaylogo": False,
    "displayModeBar": False,
    "responsive": True,
    "doubleClick": False,
}
MOST_ROWS: Final = 400
SMALL: Final = 0.001
POINTS: Final = "difference of shares"
"""Unit of columns that are shown in percentage points, with a sign."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Content of a card: frame, drawing, columns with headings, finding, and the address of its CSV.

    A drawing is a chart, or an SVG element. `pairs` is the filter. `of_row` returns the part of an address that selects
    the matches behind a row or a mark. `note` names the parts of the filter that the figure ignores.
    """

    title: str
    frame: pl.DataFrame
    draw: Callable[[pl.DataFrame, Palette], Chart | str]
    columns: Mapping[str, str]
    finding: str
    csv: str
    pairs: list[tuple[str, str]]
    of_row: Callable[[Behind], str] = of_row
    note: str = ""


Kind = Callable[[Reader, str, Mapping[str, list[str]]], Shown]


def of_catalog(reader: Reader, name: str, query: Mapping[str, list[str]]) -> Shown:
    """Return a figure of the catalog under the filter of an address."""
    where = Filter.read(query)
    table = figure_under(reader, where, name)
    frame = table.frame(reader, where)
    pairs = table.under(where).pairs()
    translated = of_participants(participants(reader, where))

    def behind(row: Behind) -> str:
        return translated(of_row(row, table.narrows))

    return Shown(
        table.title,
        frame,
        drawing(table),
        table.columns,
        finding_of(reader, table, frame, where),
        csv_path(name, pairs),
        pairs,
        behind,
        left_out(table, where),
    )


kinds: Final[dict[str, Kind]] = {"catalog": of_catalog}
"""Functions that make figures, by kind of card; pages with further kinds of figures add functions to this mapping."""


class FigureCard(Component):
    """The card as one Dash component: assets/figures.js builds it, Dash draws only the graph and the data table.

    A single component instead of two dozen saves time, because Dash visits every component on a page at each change.
    """

    _namespace = "himalaya"
    _type = "FigureCard"
    _prop_names = [  # noqa: RUF012  lists of the class, as every component of Dash has them
        *("id", "children", "anchor", "figure", "kind", "title", "path", "hasMap", "className"),
        *("wanted", "answer", "dataWanted"),
    ]
    _valid_wildcard_attributes = []  # noqa: RUF012
    available_properties = _prop_names
    available_wildcard_properties = []  # noqa: RUF012


def figure_card(
    name: str, title: str = "", *, game: str = "", kind: str = "catalog", class_name: str = "", has_map: bool = False
) -> Component:
    """Return the card of a game's figure, given its name in the catalog; maps are drawn as SVG, others as a graph."""
    named = {"figure": name, "kind": kind}
    graph = dcc.Graph(id={"part": "graph", **named}, config=CONFIG, className="graph")
    return FigureCard(
        id={"part": "card", **named},
        children=[*([] if has_map else [graph]), html.Div(id={"part": "table", **named}), _help(game, name)],
        anchor=f"figure-{name}" if kind == "catalog" else f"{kind}-{name}",
        title=title or figure_of(game, name).title,
        path=url(figure_path(name)) if kind == "catalog" else "",
        hasMap=has_map,
        className=class_name,
        **named,
    )


def _help(game: str, name: str) -> Component:
    """Return the meaning of a figure's columns, with links to the glossary and the reference."""
    if name not in all_figures():
        return html.Div(hidden=True)
    figure, said = figure_of(game, name), list[Component]()
    games = [each for each in GAMES if name in figures_of(each)]
    game = game or (games[0] if len(games) == 1 else "")
    explained = set[str]()
    for column, heading in figure.columns.items():
        metric = metric_of(column)
        if metric is None:
            said += [html.Dt(heading), html.Dd(meant)] if (meant := key_of(column, game)) else []
        elif metric.name not in explained:
            explained.add(metric.name)
            said += [html.Dt(html.A(heading, href=meaning(metric.name, game))), html.Dd(metric.sentence)]
    entry = html.A(f"All about this figure: {figure.title}", href=url(f"/docs/reference/figures.html#{name}"))
    inside = [html.Summary("What the columns mean"), html.Dl(said), html.P(entry, className="meta")]
    return plain(html.Details(inside, className="figure-help"))


def _part(name: str) -> dict[str, Any]:
    return {"part": name, "figure": MATCH, "kind": MATCH}


@callback(
    Output(_part("card"), "answer"),
    Input(_part("card"), "wanted"),
    prevent_initial_call=True,
)
def show(wanted: dict[str, str]) -> dict[str, Any]:
    """Compute and draw a figure under the requested filter; assets/figures.js inserts the parts into the card.

    Errors are shown in the card, so that it never shows the drawing of a previous filter.
    """
    try:
        return _answer(current_reader(), wanted)
    except DatabaseError as error:
        return {**wanted, "failed": str(error)}
    except Exception:
        log.exception("figure %s under %r", wanted["figure"], wanted["search"])
        return {**wanted, "failed": FAILED}


def _answer(reader: Reader, wanted: dict[str, str]) -> dict[str, Any]:
    query = read_search(wanted["search"])
    shown = kinds[wanted["kind"]](reader, wanted["figure"], query)
    where = Filter.read(query)
    game = game_under(reader, where)
    table, _, chosen = shown.csv.rpartition("/")[2].partition(".csv?")
    answer = {
        **wanted,
        "finding": shown.finding,
        "note": shown.note,
        "csv": shown.csv,
        "name": download_name(table.removesuffix(".csv"), game, parse_qsl(chosen)),
        "source": f"{title_of(game)} · {in_words(where, terms_of(game).rounds)}" if game else "",
        "narrow": address(shown.pairs),
    }
    if shown.frame.is_empty():
        return {**answer, "empty": True}
    colours = palette_of(reader, wanted["scheme"], game)
    drawn = shown.draw(shown.frame, colours)
    if isinstance(drawn, str):
        return {**answer, "svg": drawn}
    return {**answer, "drawing": plotly_figure(drawn, colours, shown.of_row), "paper": _on_paper(shown, colours)}


def _on_paper(shown: Shown, colours: Palette) -> str:
    """Return the drawing for print: light, as wide as a page, and complete without scrolling."""
    light = replace(LIGHT, players=colours.players)
    chart = shown.draw(shown.frame, light)
    assert not isinstance(chart, str)
    return svg_chart(chart, About(f"paper-{shown.title}", shown.title, shown.finding), light)


@callback(
    Output(_part("table"), "children"),
    Input(_part("card"), "dataWanted"),
    prevent_initial_call=True,
)
def show_table(wanted: dict[str, str]) -> Component:
    """Return a figure's data table on request. It computes the figure again, as most tables are never opened."""
    return figure_table(kinds[wanted["kind"]](current_reader(), wanted["figure"], read_search(wanted["search"])))


clientside_callback(ClientsideFunction("figures", "want"), Input(SEARCH, "data"))
clientside_callback(ClientsideFunction("figures", "recolour"), Input("drawn-scheme", "data"))
clientside_callback(ClientsideFunction("figures", "drawn"), Input(_part("card"), "answer"))
clientside_callback(
    ClientsideFunction("figures", "follow"), Input(_part("graph"), "clickData"), State(_part("card"), "answer")
)


def figure_table(shown: Shown) -> Component:
    """Return the table of a figure; headings link to the glossary, rows to their matches."""
    columns = shown_columns(shown.columns, shown.frame)
    game = dict(shown.pairs).get("game", "")
    head = [
        html.Th(_heading(column, text, game), scope="col", className=_side(shown.frame, column))
        for column, text in columns.items()
    ]
    rows = [_row(shown, list(columns), row) for row in shown.frame.head(MOST_ROWS).iter_rows(named=True)]
    label = f"Data: {shown.title}"
    table = html.Table([html.Caption(label, className="visually-hidden"), html.Thead(html.Tr(head)), html.Tbody(rows)])
    place = html.Div(table, className="table-scroll", tabIndex=0, role="region", **aria(label=label))
    if len(shown.frame) <= MOST_ROWS:
        return place
    note = f"The first {MOST_ROWS:,} of {len(shown.frame):,} rows; the CSV has all."
    return html.Div([place, html.P(note, className="meta")])


def _row(shown: Shown, columns: Sequence[str], row: Mapping[str, Any]) -> Component:
    cells = [_cell(shown.frame, column, row[column]) for column in columns]
    if {"match", "ply"} <= set(columns):
        where = url("/replay", [("match", row["match"]), ("ply", str(row["ply"]))])
        replay = html.A(row["match"], href=where, title=f"Replay: ply {row['ply']}")
        cells[columns.index("match")] = html.Td(replay)
    elif narrow := parse_qsl(shown.of_row(row)):
        keys = {key for key, _ in narrow}
        pairs = [pair for pair in shown.pairs if pair[0] not in keys]
        link = dcc.Link(
            shown_value(columns[0], row[columns[0]]),
            href=url("/matches", [*pairs, *narrow]),
            title=f"Matches: {', '.join(f'{key} {value}' for key, value in narrow)}",
        )
        cells[0] = html.Td(link, className=_side(shown.frame, columns[0]))
    return html.Tr(cells)


def _cell(frame: pl.DataFrame, column: str, value: Any) -> Component:
    """Return a table cell; if a name is cut, the cell's tooltip has the full name."""
    text = shown_value(column, value)
    return html.Td(text, className=_side(frame, column), title=str(value) if text.endswith("…") else None)


def _heading(column: str, text: str, game: str) -> Any:
    try:
        metric = metric_of(column)
    except KeyError:
        metric = None
    if metric and metric.unit.startswith(POINTS) and column == metric.name:
        text = f"{text} (points)"
    return html.A(text, href=meaning(metric.name, game), title=metric.sentence) if metric else text


def _side(frame: pl.DataFrame, column: str) -> str:
    return "number" if frame[column].dtype.is_numeric() else ""


def shown_value(column: str, value: Any) -> str:
    """Return a value as shown in a table: shares in per cent, seats from 1, small p-values as `<0.001`."""
    if value is None or (isinstance(value, float) and not isfinite(value)):
        return "\N{EN DASH}"
    if column == "seat":
        return str(value + 1)
    if column == "game":
        return title_of(str(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return shown_name(str(value)) if column in NAMES else str(value).replace("_", " ")
    if isinstance(value, int):
        return f"{value:,}"
    if column.endswith(("_p", "_holm")):
        return "<0.001" if value < SMALL else f"{value:.3f}"
    try:
        metric = metric_of(column)
    except KeyError:
        metric = None
    if metric and metric.unit.startswith(POINTS):
        return signed(100 * value)
    if metric and "share" in metric.unit:
        return f"{value:z.1%}".replace("-", "\N{MINUS SIGN}")
    return f"{value:z,.2f}".replace("-", "\N{MINUS SIGN}")
