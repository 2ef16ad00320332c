"""Tables and figures for notebooks and other programs: `/api/tables/dim_seats.parquet`, `/api/figures/win-share`."""

import os
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import IO, Annotated, Any, Final

import polars as pl
from cachetools import LRUCache
from fastapi import APIRouter, Request
from fastapi import Path as FromPath
from fastapi import Query as FromQuery
from pydantic import WithJsonSchema
from starlette.responses import FileResponse, Response

from dashboards.catalog.figures import FilterError, asked_filter, figures_under, finding_of, left_out
from dashboards.catalog.metrics import meaning_of
from dashboards.games.figure import Figure
from dashboards.queries.encoded import WRITERS, write_csv
from dashboards.queries.export import OfferedTable, offered, reading_offered
from dashboards.queries.filters import DESCRIBED_KEYS, FILTER_KEYS, Filter
from dashboards.queries.provenance import checks_stamp
from dashboards.queries.reader import Reader
from dashboards.queries.where import game_under, unknown_name
from dashboards.web.access import connection, gone
from dashboards.web.refusals import API, Refused
from dashboards.web.replay import knows
from dashboards.web.routing import UNCHANGED, UNREADABLE, Services, as_body, as_parameters, check_keys, refusals
from himalaya_core.names import did_you_mean
from ingest.tables.dictionary import published_tables

__all__ = ["AT_ONCE", "MOST_KEPT", "TABLES", "MadeFiles", "routes"]

TABLES: Final = f"{API}/tables"
FIGURES: Final = f"{API}/figures"
AT_ONCE: Final = 2
"""Maximum number of files made at the same time; each occupies a server thread and database memory."""
MOST_KEPT: Final = 4
MOST_BYTES: Final = 256 << 20
"""Maximum size of a cached file, in bytes."""
OPEN_FILES: Final = Path("/proc/self/fd")
TYPES: Final = {
    "parquet": "application/vnd.apache.parquet",
    "arrow": "application/vnd.apache.arrow.file",
    "csv": "text/csv",
}
REFUSED: Final = {400: "A parameter, column or value is unknown; the message names the nearest known one"}
PART: Final = {"description": "The requested range of bytes"}
TAG: Final = {"ETag": {"description": "changes whenever the file may", "schema": {"type": "string"}}}
ABOUT: Final = """\
All rows come from one snapshot of the database. A filter selects rows by match, as in the list of matches: in any
status, and of one game, the most played one if none is named. `from` and `to` select rounds, in tables that have them.
CSV cells that a spreadsheet would run as formulas begin with an apostrophe."""
Format = Annotated[str, FromPath(description="format of the file"), WithJsonSchema({"enum": list(TYPES)})]
Columns = Annotated[list[str], FromQuery(description="only these columns, in this order: `match,players`")]


@dataclass(frozen=True, slots=True)
class TableList:
    """The tables that can be downloaded."""

    tables: list[OfferedTable]


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """A column of a figure: its heading on pages, and what it means, with unit and formula."""

    name: str
    heading: str
    meaning: str


@dataclass(frozen=True, slots=True)
class FigureAbout:
    """A figure: its name, title, section of the pages, and columns."""

    name: str
    title: str
    section: str
    columns: list[FigureColumn]


@dataclass(frozen=True, slots=True)
class FigureList:
    """The figures that exist for the game named in the filter."""

    game: str
    figures: list[FigureAbout]


@dataclass(frozen=True, slots=True)
class CountedFigure:
    """A figure for a filter: its rows, a finding about them, and the parts of the filter it ignores (`caption`)."""

    name: str
    title: str
    game: str
    finding: str
    caption: str
    columns: list[FigureColumn]
    rows: list[dict[str, Any]]


class MadeFile(os.PathLike[str]):
    """A temporary file without a name; it is deleted when its last user closes it or the process ends."""

    def __init__(self) -> None:
        handle, self._path = tempfile.mkstemp(prefix="himalaya-")
        self.file = os.fdopen(handle, "w+b")
        weakref.finalize(self, self.file.close)
        if OPEN_FILES.is_dir():  # without such a folder, the file keeps its name
            Path(self._path).unlink()
            self._path = str(OPEN_FILES / str(handle))

    def __fspath__(self) -> str:
        """Return a path by which the file can be opened."""
        return self._path


class MadeFiles:
    """Writes downloads to files on disk, and caches the most recent ones.

    A file is complete before its first byte is sent. So an error still gets an error status, and readers of Parquet can
    request ranges. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._kept: LRUCache[str, MadeFile] = LRUCache(MOST_KEPT)

    def answer(self, tag: str, kind: str, name: str, make: Callable[[IO[bytes]], object]) -> Response:
        """Answer with the file cached under `tag`, or the requested range of it. If it is not cached, `make` writes it.

        Answers 304 if the client sends the same tag. Raises `Refused` while `AT_ONCE` other files are being made.
        """
        headers = {"ETag": f'"{tag}"', "Cache-Control": "private, no-cache"}
        if knows(headers["ETag"]):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return FileResponse(self._file(tag, make), headers=headers, media_type=kind, filename=name)

    def _file(self, tag: str, make: Callable[[IO[bytes]], object]) -> MadeFile:
        with self._lock:
            if tag in self._kept:
                return self._kept[tag]
        if not self._places.acquire(blocking=False):
            message = f"{AT_ONCE} other files are being made; try again in a moment"
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, message, headers={"Retry-After": "2"})
        try:
            found = MadeFile()
            make(found.file)
            found.file.flush()
        finally:
            self._places.release()
        if Path(found).stat().st_size <= MOST_BYTES:
            with self._lock:
                self._kept[tag] = found
        return found


def routes(services: Services) -> APIRouter:
    """Return the routes of tables and figures."""
    api, reader, files = APIRouter(), services.reader, MadeFiles()

    @api.get(
        TABLES,
        operation_id="listTables",
        summary="List the tables, with the meaning of their rows and columns",
        responses=refusals(UNREADABLE),
    )
    def list_tables(request: Request) -> TableList:
        check_keys(request, ())
        return TableList(offered(reader))

    @api.get(
        f"{TABLES}/{{table}}.{{format}}",
        operation_id="getTable",
        summary="Download a table as a file",
        description=ABOUT,
        response_class=Response,
        responses={
            200: as_body(
                "The file; ranges of it can be requested",
                {"contentMediaType": "application/octet-stream"},
                *TYPES.values(),
            )
            | {"headers": TAG},
            206: PART,
            304: UNCHANGED,
            **refusals(
                REFUSED,
                {
                    404: "There is no such table; the message names the nearest",
                    503: "Other files are being made, or the database cannot be read",
                },
            ),
        },
        openapi_extra=as_parameters(DESCRIBED_KEYS),
    )
    def get_table(
        request: Request,
        table: str,
        format: Format,  # noqa: A002  as the address has it
        columns: Columns = [],  # noqa: B006  FastAPI copies it
    ) -> Response:
        check_keys(request, (*FILTER_KEYS, "columns"))
        if format not in TYPES:
            raise Refused(HTTPStatus.NOT_FOUND, f"there is no format {format[:40]!r}; use {', '.join(TYPES)}")
        found, where = _table(reader, table), _filter(reader)
        wanted, left = _columns(found, columns), gone()
        if where is not None and not found.filters:
            raise Refused(HTTPStatus.BAD_REQUEST, f"{table} has no rows of single matches; leave the filter out")

        def make(file: IO[bytes]) -> None:
            with reading_offered(reader, found, where, wanted, nested=format != "csv", gone=left) as stream:
                WRITERS[format](stream.columns, stream.batches, file)

        tag = _tag(reader, table, format, wanted, where)
        return files.answer(tag, TYPES[format], f"himalaya-{table}.{format}", make)

    @api.get(
        FIGURES,
        operation_id="listFigures",
        summary="List the figures of a game, with the meaning of each column",
        responses=refusals(REFUSED, UNREADABLE),
        openapi_extra=as_parameters(DESCRIBED_KEYS),
    )
    def list_figures(request: Request) -> FigureList:
        check_keys(request, FILTER_KEYS)
        where = _filter(reader) or Filter()
        game, figures = game_under(reader, where), figures_under(reader, where)
        about = [FigureAbout(each.name, each.title, each.section, _about(each, game)) for each in figures.values()]
        return FigureList(game, about)

    @api.get(
        f"{FIGURES}/{{figure}}.csv",
        operation_id="getFigureAsCsv",
        summary="Download the rows of a figure under a filter as CSV",
        response_class=Response,
        responses={
            200: as_body("Its rows; ranges of bytes can be requested", {"type": "string"}, TYPES["csv"]),
            206: PART,
            304: UNCHANGED,
            **refusals(REFUSED, {404: "The game has no such figure; the nearest is named"}, UNREADABLE),
        },
        openapi_extra=as_parameters(DESCRIBED_KEYS),
    )
    def get_figure_as_csv(request: Request, figure: str) -> Response:
        check_keys(request, FILTER_KEYS)
        found, where = _figure(reader, figure)

        def make(file: IO[bytes]) -> None:
            write_csv((), [_listed_columns(found, found.frame(reader, where))], file)

        tag = _tag(reader, "figure", figure, where)
        return files.answer(tag, TYPES["csv"], f"himalaya-{figure}.csv", make)

    @api.get(
        f"{FIGURES}/{{figure}}",
        operation_id="getFigure",
        summary="Get a figure under a filter",
        responses=refusals(REFUSED, {404: "The game has no such figure; the nearest is named"}, UNREADABLE),
        openapi_extra=as_parameters(DESCRIBED_KEYS),
    )
    def get_figure(request: Request, figure: str) -> CountedFigure:
        check_keys(request, FILTER_KEYS)
        found, where = _figure(reader, figure)
        return _counted(reader, found, where)

    return api


def _table(reader: Reader, name: str) -> OfferedTable:
    found = offered(reader, name)
    if not found:
        near = did_you_mean(name, [table.name for table in published_tables()])
        raise Refused(HTTPStatus.NOT_FOUND, f"there is no table {name[:60]!r}{near}")
    return found[0]


def _columns(table: OfferedTable, lists: Iterable[str]) -> list[str]:
    names = [name for text in lists for name in text.split(",") if name]
    known = [column.name for column in table.columns]
    for name in names:
        if name not in known:
            near = did_you_mean(name, known)
            raise Refused(HTTPStatus.BAD_REQUEST, f"{table.name} has no column {name[:60]!r}{near}")
    return list(dict.fromkeys(names))


def _filter(reader: Reader) -> Filter | None:
    """Return the filter of the request, `None` without one; `Refused` if a value is invalid or unknown."""
    pairs = [(key, value) for key, value in connection().query_params.multi_items() if key in FILTER_KEYS]
    try:
        where = asked_filter(pairs)
    except FilterError as error:
        raise Refused(HTTPStatus.BAD_REQUEST, str(error)) from None
    if unknown := unknown_name(reader, where):
        raise Refused(HTTPStatus.BAD_REQUEST, unknown)
    return where if pairs else None


def _tag(reader: Reader, *request: object) -> str:
    """Return an ETag that changes after each load of logs, and with another database file."""
    state = (checks_stamp(reader), reader.warehouse.database.stat().st_ino)
    return sha256(repr((state, request)).encode()).hexdigest()[:32]


def _figure(reader: Reader, name: str) -> tuple[Figure, Filter]:
    where = _filter(reader) or Filter()
    figures = figures_under(reader, where)
    if name not in figures:
        game = game_under(reader, where) or "this database"
        raise Refused(HTTPStatus.NOT_FOUND, f"{game} has no figure {name[:60]!r}{did_you_mean(name, figures)}")
    return figures[name], where


def _counted(reader: Reader, figure: Figure, where: Filter) -> CountedFigure:
    frame, game = figure.frame(reader, where), game_under(reader, where)
    finding, caption = finding_of(reader, figure, frame, where), left_out(figure, where)
    rows, about = _listed_columns(figure, frame), _about(figure, game)
    columns = [column for column in about if column.name in rows.columns]
    return CountedFigure(figure.name, figure.title, game, finding, caption, columns, rows.fill_nan(None).to_dicts())


def _listed_columns(figure: Figure, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select([column for column in figure.columns if column in frame.columns])


def _about(figure: Figure, game: str) -> list[FigureColumn]:
    return [FigureColumn(name, heading, meaning_of(name, game)) for name, heading in figure.columns.items()]
