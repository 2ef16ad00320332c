"""Tables over plain HTTP, by the filters in the address: `/csv/matches.csv?tournament=…`, `/api/matches?start=0…`.

And the way to a page in another game: `/in-game/outcomes?game=summit&player=greedy…`; and the icon.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import polars as pl
from flask import Flask, Response, abort, redirect, request

from dashboards.catalog.figures import all_figures, figures_under
from dashboards.ui.game_change import in_game
from dashboards.warehouse.addresses import Sort, address
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.csv_safe import neutral_frame
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.intake import ingest_runs, quarantine_rows
from dashboards.warehouse.matches import MATCH_KEYS, MatchFilter, matches_csv, matches_page
from dashboards.warehouse.reader import DatabaseError, Reader
from himalaya_core.names import did_you_mean

__all__ = ["MORE", "MOST_ROWS", "ROWS", "register"]

ROWS: Final = 100
"""As many come where nobody says how many."""
MOST_ROWS: Final = 1_000
MOST_ASIDE: Final = 1_000_000
MORE: Final[dict[str, Callable[[Reader, Mapping[str, list[str]]], pl.DataFrame]]] = {}
"""Tables that pages add: they go by more than one filter."""
INTAKE: Final = {"quarantine": quarantine_rows, "runs": ingest_runs}


def register(server: Flask, reader: Reader) -> None:
    """Add the routes to the server."""

    @server.get("/api/matches")
    def rows_of_matches() -> dict[str, Any]:
        query = request.args.to_dict(flat=False)
        _check_known(query)
        start = request.args.get("start", 0, type=int)
        stop = min(request.args.get("stop", start + ROWS, type=int), start + MOST_ROWS)
        frame, total = matches_page(reader, MatchFilter.read(query), Sort.read(query), start, stop)
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


def _check_known(query: Mapping[str, Any]) -> None:
    """Refuse a parameter that the list of matches does not know: it would be as if nothing had been asked."""
    known = (*MATCH_KEYS, "start", "stop")
    for name in query:
        if name not in known:
            abort(400, f"expected a parameter of the list of matches, found {name!r}{did_you_mean(name, known)}")


def _text(frame: pl.DataFrame) -> str:
    return neutral_frame(frame).write_csv()


def _answer(table: str, text: Iterable[str]) -> Response:
    answer = Response(text, mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="himalaya-{table}.csv"'
    return answer
