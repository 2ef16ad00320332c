"""Routes of the list of matches (`/api/matches?start=0…`), logs, and CSV tables (`/csv/matches.csv?tournament=…`).

Also the redirect that shows a page for another game, `/in-game/analysis?game=summit&player=greedy…`, and the icon.
"""

import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from typing import Annotated, Final

import polars as pl
from fastapi import APIRouter, Request
from fastapi import Query as FromQuery
from starlette.background import BackgroundTask
from starlette.responses import RedirectResponse, Response, StreamingResponse

from dashboards.catalog.figures import all_figures, figures_under
from dashboards.games.analytics import all_analytics
from dashboards.queries.addresses import Key, Sort, download_name, url
from dashboards.queries.encoded import neutral_frame
from dashboards.queries.filters import Filter
from dashboards.queries.imports import ingest_runs, quarantine_rows
from dashboards.queries.logs import packed_log
from dashboards.queries.matches import LIST_KEYS, MATCH_KEYS, MatchFilter, matches_csv, matches_page
from dashboards.queries.reader import Reader
from dashboards.queries.where import game_under
from dashboards.ui.components import in_game
from dashboards.web.refusals import API, Refused
from dashboards.web.replay import knows
from dashboards.web.routing import UNCHANGED, UNREADABLE, Services, as_body, as_parameters, check_keys, refusals

__all__ = ["INTAKE", "MORE", "MOST_ROWS", "ROWS", "csv_of", "routes"]

MATCHES: Final = f"{API}/matches"
ROWS: Final = 100
"""Default number of rows, if `stop` is left out."""
MOST_ROWS: Final = 1_000
MOST_ASIDE: Final = 1_000_000
IN_MEMORY: Final = 1 << 20
"""Maximum size in bytes of a CSV file kept in memory; larger files go to disk."""
PIECE: Final = 64 << 10
MORE: Final[dict[str, Callable[[Reader, Mapping[str, list[str]]], pl.DataFrame]]] = {}
"""Functions for further CSV tables, by name. Pages register them, for example for the comparison of two filters."""
EVERY_TOURNAMENT: Final = "tournaments-listed"
"""The list of tournaments, of all games; the table `tournaments` is of one game, like every figure."""
INTAKE: Final = {"quarantine": quarantine_rows, "runs": ingest_runs}
Start = Annotated[int, FromQuery(ge=0, description="the first row, from 0")]
Stop = Annotated[
    int | None,
    FromQuery(ge=0, description=f"the row after the last; {ROWS} rows if left out, at most {MOST_ROWS:,}"),
]
JSONL: Final = "application/jsonl"
TAG: Final = {"ETag": {"description": "SHA-256 of the lines", "schema": {"type": "string"}}}


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in the list of matches."""

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
    """Rows of the list of matches, and the length of the whole list."""

    rows: list[MatchRow]
    total: int


def _list_keys() -> Iterable[Key]:
    """Yield the query keys of the list; the text of `ending` lists the ways in which matches of each game end."""
    endings = "; ".join(", ".join(each.terms.endings) for each in all_analytics() if each.terms.endings)
    for key in LIST_KEYS:
        yield replace(key, text=f"it ended so: {endings}") if key.name == "ending" else key


def routes(services: Services) -> APIRouter:
    """Return the routes of matches, and of tables as CSV."""
    api, reader = APIRouter(), services.reader

    @api.get(
        MATCHES,
        operation_id="listMatches",
        summary="List matches, filtered and sorted",
        responses=refusals({400: "A parameter is unknown; the message names the nearest known one"}, UNREADABLE),
        openapi_extra=as_parameters(_list_keys()),
    )
    def rows_of_matches(request: Request, start: Start = 0, stop: Stop = None) -> MatchPage:
        check_keys(request, (*MATCH_KEYS, "start", "stop"))
        query = _query(request)
        end = min(start + ROWS if stop is None else stop, start + MOST_ROWS)
        frame, total = matches_page(reader, MatchFilter.read(query), Sort.read(query), start, end)
        return MatchPage([MatchRow(**row) for row in frame.to_dicts()], total)

    @api.get(
        f"{MATCHES}/{{match}}",
        operation_id="downloadLog",
        summary="Download the log of a match",
        response_class=Response,
        responses={
            200: as_body("Its lines, unchanged", {"type": "string", "contentMediaType": JSONL}, JSONL)
            | {"headers": TAG},
            304: UNCHANGED,
            **refusals({404: "There is no such match"}, UNREADABLE),
        },
    )
    def match_log(match: str) -> Response:
        log = packed_log(reader, match)
        if log is None:
            raise Refused(HTTPStatus.NOT_FOUND, f"There is no match {match} in this database.")
        headers = {"ETag": f'"{log.sha256}"', "Cache-Control": "private, no-cache"}
        if knows(headers["ETag"]):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        headers["Content-Disposition"] = f'attachment; filename="{match}.jsonl"'
        return Response(log.text(), headers=headers, media_type=JSONL)

    _add_page_links(api, reader)
    return api


def _add_page_links(api: APIRouter, reader: Reader) -> None:
    """Add routes that pages link to; they are not part of the documented API."""

    @api.get("/csv/{table}.csv", include_in_schema=False)
    def table_as_csv(request: Request, table: str) -> Response:
        query = _query(request)
        where = Filter.read(query)
        game = where.game if table in {*INTAKE, EVERY_TOURNAMENT} else game_under(reader, where)
        name = download_name(table, game, request.query_params.multi_items())
        if table == "matches":
            return csv_of(name, matches_csv(reader, MatchFilter.read(query), Sort.read(query)))
        if table in all_figures():
            figures = figures_under(reader, where)
            if table not in figures:
                raise Refused(HTTPStatus.NOT_FOUND, f"{game or 'this database'} has no figure {table}")
            return csv_of(name, [_text(figures[table].frame(reader, where))])
        if table in MORE:
            return csv_of(name, [_text(MORE[table](reader, query))])
        if table in INTAKE:
            return csv_of(name, [_text(INTAKE[table](reader, MOST_ASIDE))])
        raise Refused(HTTPStatus.NOT_FOUND, f"there is no table {table[:60]!r}")

    @api.get("/in-game/{page:path}", include_in_schema=False)
    def page_in_game(request: Request, page: str) -> Response:
        if not re.fullmatch("(?!/)[a-z]*(/[a-z0-9-]+)*", page):  # so that no redirect leads to another server
            raise Refused(HTTPStatus.NOT_FOUND, f"there is no page {page[:60]!r}")
        return RedirectResponse(url(f"/{page}", in_game(reader, _query(request))), HTTPStatus.FOUND)

    @api.get("/favicon.ico", include_in_schema=False)
    def favicon() -> Response:
        # browsers request this address when they show a picture or JSON
        return RedirectResponse(url("/assets/favicon.svg"), HTTPStatus.FOUND)


def _query(request: Request) -> dict[str, list[str]]:
    """Return the query keys with all their values."""
    return {key: request.query_params.getlist(key) for key in request.query_params}


def _text(frame: pl.DataFrame) -> str:
    return neutral_frame(frame).write_csv()


def csv_of(name: str, text: Iterable[str]) -> Response:
    """Answer with a CSV file of this name, written before it is sent, so that a slow client keeps no query open."""
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  closed once it is sent
    file.writelines(piece.encode() for piece in text)
    file.seek(0)
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    pieces = iter(partial(file.read, PIECE), b"")
    return StreamingResponse(pieces, headers=headers, media_type="text/csv", background=BackgroundTask(file.close))
