"""Tournaments page: status, size, players and load time of each tournament; rows link to their pages."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import polars as pl
from dash import Input, Output, callback, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.catalog.figures import TOURNAMENTS
from dashboards.catalog.metrics import metric_of
from dashboards.queries.addresses import Sort, url
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.where import games_played
from dashboards.ui.components import (
    aria,
    card,
    csv_link,
    csv_path,
    current_reader,
    loading,
    meaning,
    notice,
    over_matches,
    page_head,
)
from dashboards.ui.filter_bar import SEARCH, filter_bar, read_search
from dashboards.web.matches import EVERY_TOURNAMENT, MORE
from himalaya_core.games import title_of

register_page(__name__, path="/tournaments", title="Tournaments · Himalaya")

FILTERS: Final = ("game", "tournament", "player", "players", "option", "version", "board")
USUAL: Final = Sort("last_in", descending=True)


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Tournaments", lambda _asked: page(query))


def page(query: Mapping[str, Any]) -> Component:
    """Return the list with its filters."""
    return html.Div(
        [
            page_head(
                "Tournaments",
                csv_link("tournaments-csv", "These tournaments as CSV"),
                lead=html.Span(id="tournaments-lead", role="status"),
            ),
            filter_bar(query, FILTERS, every_game="all games"),
            card("List of tournaments", loading(html.Div(id="tournaments-list")), class_name="list-card"),
        ],
        className="page",
    )


@callback(
    Output("tournaments-list", "children"),
    Output("tournaments-lead", "children"),
    Output("tournaments-csv", "href"),
    Input(SEARCH, "data"),
)
def show(search: str | None) -> tuple[Component, str, str]:
    """Return the list of tournaments under the filters."""
    query = read_search(search)
    where, sort = Filter.read(query), Sort.read(query) if "sort" in query else USUAL
    frame = listed(current_reader(), query)
    shown = _sorted(frame, sort)
    table = tournament_table(shown, where, sort) if len(frame) else _nothing(where)
    return table, TOURNAMENTS.finding(frame), csv_path(EVERY_TOURNAMENT, where.pairs())


def listed(reader: Reader, query: Mapping[str, Any]) -> pl.DataFrame:
    """Return the tournaments under the filters of an address: those of all games, if it names none."""
    where = Filter.read(query)
    games = [where.game] if where.game else games_played(reader) or [""]
    return pl.concat([TOURNAMENTS.frame(reader, replace(where, game=game)) for game in games])


MORE[EVERY_TOURNAMENT] = listed


def tournament_table(frame: pl.DataFrame, where: Filter, sort: Sort) -> Component:
    """Return the table of tournaments; headings sort the table and link to their definitions."""
    head = [
        html.Th(_heading(name, text, where, sort), scope="col", **_sorting(name, sort), className=_side(frame, name))
        for name, text in TOURNAMENTS.columns.items()
    ]
    rows = [_row(row, frame) for row in frame.iter_rows(named=True)]
    caption = "Tournaments"
    table = html.Table(
        [html.Caption(caption, className="visually-hidden"), html.Thead(html.Tr(head)), html.Tbody(rows)],
        className="listing",
    )
    return html.Div(table, className="table-scroll", tabIndex=0, role="region", **aria(label=caption))


def _heading(name: str, text: str, where: Filter, sort: Sort) -> list[Component]:
    """Return a link that sorts by a column, and a link to its definition; numbers sort largest first."""
    here = sort.column == name
    down = not sort.descending if here else name not in {"tournament", "game", "status", "sizes"}
    mark = "\N{BLACK DOWN-POINTING SMALL TRIANGLE}" if sort.descending else "\N{BLACK UP-POINTING SMALL TRIANGLE}"
    order = [("sort", ("-" if down else "") + name)]
    link = dcc.Link(
        [text, *([html.Span(mark, className="sort-mark", **aria(hidden="true"))] if here else [])],
        href=url("/tournaments", where.pairs(), order),
        title=f"Sort by {text.lower()}",
        className="sort-link",
    )
    metric = metric_of(name)
    if metric is None:
        return [link]
    meant = html.A(
        "?",
        href=meaning(metric.name, where.game),
        title=metric.sentence,
        className="meaning",
        **aria(label=f"What {text.lower()} means"),
    )
    return [link, meant]


def _row(row: Mapping[str, Any], frame: pl.DataFrame) -> Component:
    pairs = [("game", row["game"]), ("tournament", row["tournament"])]
    cells: dict[str, Any] = {
        "tournament": dcc.Link(row["tournament"], href=url("/tournament", pairs), className="row-link"),
        "game": title_of(row["game"]),
        "status": html.Span(row["status"], className=f"status status-{row['status']}"),
        "all_matches": dcc.Link(
            f"{row['all_matches']:,}", href=url("/matches", pairs), title=f"The matches of {row['tournament']}"
        ),
    }
    shown = [html.Td(cells.get(name, _text(row[name])), className=_side(frame, name)) for name in TOURNAMENTS.columns]
    return html.Tr([html.Th(shown[0].children, scope="row"), *shown[1:]])


def _text(value: Any) -> str:
    if value is None:
        return "\N{EN DASH}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _side(frame: pl.DataFrame, name: str) -> str:
    return "number" if frame[name].dtype.is_numeric() else ""


def _sorting(name: str, sort: Sort) -> dict[str, Any]:
    return aria(sort="descending" if sort.descending else "ascending") if sort.column == name else {}


def _sorted(frame: pl.DataFrame, sort: Sort) -> pl.DataFrame:
    column = sort.column if sort.column in TOURNAMENTS.columns else USUAL.column
    return frame.sort(column, "tournament", descending=[sort.descending, False], nulls_last=True)


def _nothing(where: Filter) -> Component:
    if where == Filter():
        how = html.P(["Start one: ", html.Code("himalaya tournament caravan --name cup …")])
        return notice("No tournaments yet", how)
    return notice("No tournament fits these filters", html.P("Remove one, or clear them all."))
