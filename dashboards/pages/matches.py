"""Matches page: a list of all recorded matches, sorted, filtered and paged by the database; rows open the replay."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import dash_ag_grid as dag
from dash import ClientsideFunction, Input, Output, clientside_callback, dcc, html, register_page
from dash.development.base_component import Component

from dashboards.charts.theme import GRID_THEME
from dashboards.games.analytics import terms_of
from dashboards.queries.addresses import Sort, url
from dashboards.queries.imports import match_count
from dashboards.queries.matches import MATCH_KEYS, STATUSES, MatchFilter
from dashboards.queries.reader import Reader, bookmark_tags
from dashboards.queries.where import filter_choices, game_under, games_played, verdicts_in
from dashboards.ui.components import csv_link, csv_path, hide_winners, over_matches, page_head
from dashboards.ui.filter_bar import PARTS, SEARCH, Option, filter_bar, pick, words
from himalaya_core.games import title_of

BLOCK: Final = 100
NUMBER: Final = {"cellClass": ["ag-right-aligned-cell", "number"], "headerClass": "ag-right-aligned-header"}
COLUMNS: Final[list[dict[str, Any]]] = [
    {"field": "match", "headerName": "Match", "cellRenderer": "MatchLink", "minWidth": 250, "flex": 3},
    {"field": "tournament", "headerName": "Tournament", "minWidth": 120, "flex": 2},
    {"field": "line_up", "tooltipField": "line_up", "headerName": "Players, by seat", "minWidth": 230, "flex": 4},
    {"field": "winner", "tooltipField": "winner", "headerName": "Winner", "minWidth": 100, "flex": 2},
    {"field": "margin", "headerName": "Won by", "cellRenderer": "Margin", "width": 195, **NUMBER},
    {
        "field": "lowest",
        "headerName": "Winner's lowest chance",
        "headerTooltip": "The winner's lowest chance of winning in the second half of the match; empty without chances",
        "cellRenderer": "Chance",
        "width": 150,
        "wrapHeaderText": True,
        "autoHeaderHeight": True,
        **NUMBER,
    },
    {"field": "rounds", "headerName": "Rounds", "width": 100, **NUMBER},
    {"field": "events", "headerName": "Events", "width": 100, **NUMBER},
    {"field": "status", "headerName": "Status", "cellRenderer": "Status", "minWidth": 120, "flex": 2},
    {
        "field": "verdict",
        "headerName": "Verdict",
        "headerTooltip": "Whether every action obeys the rules",
        "width": 110,
    },
]
FILTERS: Final = tuple(part for part in PARTS if part != "rounds")  # rounds do not restrict a list of whole matches
UNTOLD: Final = "While winners are hidden, so are results, their filters and the CSV, which would tell who won."
NOTHING: Final = "No match fits these filters. Remove one, or clear them all."


def layout(**query: Any) -> Component:
    """Return the page under the filters of the address."""
    return over_matches("Matches", lambda reader: page(reader, query))


register_page(__name__, path="/matches", title="Matches · Himalaya")


def page(reader: Reader, query: dict[str, Any]) -> Component:
    """Return the list with its filters."""
    where, sort = MatchFilter.read(query), Sort.read(query)
    keys: dict[str, Any] = {"data-keys": " ".join(MATCH_KEYS)}
    return html.Div(
        [
            page_head(
                "Matches",
                hide_winners(),
                dcc.Link("Open a log", href=url("/replay#replay-drop"), className="button"),
                dcc.Link("Studies and bookmarks", href=url("/replay#studies"), className="button"),
                csv_link("matches-csv", "These matches as CSV", csv_path("matches", where.pairs(), sort.pairs())),
                lead=html.Span([html.Span(id="matches-count", role="status"), _of_which_game(reader, where)]),
            ),
            html.P(UNTOLD, className="meta when-hidden"),
            filter_bar(
                query,
                FILTERS,
                first=[words("find", "Find", where.find, hint="Find: part of a match or player name")],
                last=[
                    pick(
                        "with",
                        "With all of",
                        filter_choices(reader, game_under(reader, where.where)).players,
                        where.together,
                        hint="With all of these players at the table",
                    ),
                    pick("status", "Status", STATUSES, where.statuses),
                    *_endings(terms_of(game_under(reader, where.where)).endings, where),
                    *_tags(reader, where),
                ],
            ),
            dcc.Store(id="matches-shown"),
            html.Section(
                [
                    html.H2("List of matches", className="visually-hidden"),
                    html.Div(grid(sort, columns(reader, where)), className="grid-place", **keys),
                ],
                className="card grid-card",
            ),
        ],
        className="page matches",
    )


def _of_which_game(reader: Reader, where: MatchFilter) -> str:
    """Return a note on the game listed, if there are several games and the address names none."""
    games = games_played(reader)
    if len(games) < 2 or where.where.game or where.where.tournaments:
        return ""
    every = f"{match_count(reader):,} of all games"
    return f" of {title_of(games[0])}, {every}; choose {' or '.join(map(title_of, games[1:]))} under Game"


def _endings(called: Mapping[str, str], where: MatchFilter) -> list[Component]:
    options: list[Option] = [{"value": ending, "label": name} for ending, name in called.items()]
    return [pick("ending", "How it ended", options, where.endings)] if options or where.endings else []


def _tags(reader: Reader, where: MatchFilter) -> list[Component]:
    tags = bookmark_tags(reader)
    return [pick("tag", "Bookmark tag", tags, where.tags)] if tags or where.tags else []


def columns(reader: Reader, where: MatchFilter) -> list[dict[str, Any]]:
    """Return the columns in the game's words; a list has matches of one game only."""
    words = terms_of(game_under(reader, where.where))
    said = {"margin": {"headerTooltip": words.margin}, "rounds": {"headerName": words.rounds.capitalize()}}
    verdicts = verdicts_in(reader, game_under(reader, where.where))
    alike = "verdict" if set(verdicts) <= {"clean"} else ""
    shown = [column for column in COLUMNS if column["field"] != alike]
    return [{**column, **said.get(column["field"], {})} for column in shown]


def grid(sort: Sort, shown: Sequence[dict[str, Any]]) -> Component:
    """Return the grid; assets/matches.js fetches its rows in blocks."""
    order = "desc" if sort.descending else "asc"
    marked = [{**column, "sort": order} if column["field"] == sort.column else column for column in shown]
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


clientside_callback(
    ClientsideFunction("matches", "show"),
    Output("matches-shown", "data"),
    Input(SEARCH, "data"),
    # optional, because the callback also runs on pages without this grid
    Input("matches-grid", "getRowsRequest", allow_optional=True),
    Input("hide-winners", "checked"),
)
