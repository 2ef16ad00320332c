"""Tables over plain HTTP, by the filters in the address: `/csv/matches.csv?tournament=…`, `/api/matches?start=0…`.

And the way to a page in another game: `/in-game/outcomes?game=summit&player=greedy…`; and the icon.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

import polars as pl
from flask import Flask, Response, abort, redirect, request
from pydantic import Field

from dashboards.catalog.figures import all_figures, figures_under
from dashboards.games.analytics import all_analytics
from dashboards.http.openapi.described import API, UNREADABLE, Answer, Operation, asked, parameters, served
from dashboards.ui.game_change import in_game
from dashboards.warehouse.addresses import Key, Sort, address
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.csv_safe import neutral_frame
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.intake import ingest_runs, quarantine_rows
from dashboards.warehouse.matches import LIST_KEYS, MatchFilter, matches_csv, matches_page
from dashboards.warehouse.reader import DatabaseError, Reader

__all__ = ["MORE", "MOST_ROWS", "ROWS", "register"]

ROWS: Final = 100
"""As many come where nobody says how many."""
MOST_ROWS: Final = 1_000
MOST_ASIDE: Final = 1_000_000
MORE: Final[dict[str, Callable[[Reader, Mapping[str, list[str]]], pl.DataFrame]]] = {}
"""Tables that pages add: they go by more than one filter."""
INTAKE: Final = {"quarantine": quarantine_rows, "runs": ingest_runs}


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as the list of matches shows it."""

    match: str
    game: str
    tournament: str | None
    line_up: str
    winner: str | None
    margin: int | None
    gap: int | None
    gap_unit: str | None
    lowest: float | None
    lowest_ply: int | None
    rounds: int
    events: int
    status: str
    players: int
    luck: str | None
    file: str
    verdict: str
    luck_verdict: str | None


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A part of the list of matches, and how long the whole list is."""

    rows: list[MatchRow]
    total: int


@dataclass(frozen=True, slots=True)
class Window:
    """Which rows of a list are asked for."""

    start: Annotated[int, Field(ge=0, description="the first row, from 0")] = 0
    stop: Annotated[
        int | None,
        Field(ge=0, description=f"the row after the last: {ROWS} rows if left out, never more than {MOST_ROWS:,}"),
    ] = None


def _list_keys() -> Iterable[Key]:
    """Yield the keys of the list, with the words for how matches end, game by game."""
    endings = "; ".join(", ".join(each.terms.endings) for each in all_analytics() if each.terms.endings)
    for key in LIST_KEYS:
        yield replace(key, text=f"it ended so: {endings}") if key.name == "ending" else key


LIST: Final = Operation(
    "listMatches",
    "The list of matches, filtered, sorted, a part of it",
    {"200": Answer("The rows, and how many there are in all", MatchPage)},
    {"400": "There is no such parameter; the nearest is named", "503": UNREADABLE},
    query=(*parameters(Window), *_list_keys()),
    is_strict=True,
)


def register(server: Flask, reader: Reader) -> None:
    """Add the routes to the server."""

    @served(server, "GET", f"{API}/matches", LIST)
    def rows_of_matches() -> dict[str, Any]:
        query, rows = request.args.to_dict(flat=False), asked(Window)
        stop = min(rows.start + ROWS if rows.stop is None else rows.stop, rows.start + MOST_ROWS)
        frame, total = matches_page(reader, MatchFilter.read(query), Sort.read(query), rows.start, stop)
        return {"rows": frame.to_dicts(), "total": total}

    @server.get("/csv/<table>.csv")
    def table_as_csv(table: str) -> Response:
        query = request.args.to_dict(flat=False)
        if table == "matches":
            return _answer(table, matches_csv(reader, MatchFilter.read(query), Sort.read(query)))
        if table in all_figures():
            where = Filter.read(query)
            if table not in figures_under(reader, where):
                abort(404, f"{game_under(reader, where) or 'this database'} has no figure {table}")
            return _answer(table, [_text(all_figures()[table].frame(reader, where))])
        if table in MORE:
            return _answer(table, [_text(MORE[table](reader, query))])
        if table in INTAKE:
            return _answer(table, [_text(INTAKE[table](reader, MOST_ASIDE))])
        return abort(404)

    @server.get("/in-game/<page>")
    def page_in_game(page: str) -> Any:
        if not re.fullmatch("[a-z]*", page):  # a name of one of our pages, and no way to another server
            abort(404)
        return redirect(f"/{page}{address(in_game(reader, request.args.to_dict(flat=False)))}")

    @server.get("/favicon.ico")
    def icon_of_what_names_none() -> Any:
        return redirect("/assets/favicon.svg")  # browsers ask so beside a picture or an answer in JSON

    @server.errorhandler(DatabaseError)
    def cannot_read(error: DatabaseError) -> tuple[str | dict[str, str], int]:
        return ({"message": str(error)} if request.path.startswith("/api/") else f"{error}\n"), 503


def _text(frame: pl.DataFrame) -> str:
    return neutral_frame(frame).write_csv()


def _answer(table: str, text: Iterable[str]) -> Response:
    answer = Response(text, mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="himalaya-{table}.csv"'
    return answer
