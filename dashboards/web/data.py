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

from dashboards.catalog.asked import FilterError, asked_filter
from dashboards.catalog.figures import figures_under, finding_of, left_out
from dashboards.catalog.metrics import meaning_of
from dashboards.games.figure import Figure
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.encoded import WRITERS, write_csv
from dashboards.warehouse.filters import DESCRIBED_KEYS, FILTER_KEYS, Filter
from dashboards.warehouse.known_names import unknown_name
from dashboards.warehouse.provenance import checks_stamp
from dashboards.warehouse.published import OfferedTable, offered, reading_offered
from dashboards.warehouse.reader import Reader
from dashboards.web.access import connection, gone
from dashboards.web.refusals import API, Refused
from dashboards.web.replayed import knows
from dashboards.web.routing import UNCHANGED, UNREADABLE, as_body, as_parameters, check_keys, refusals
from dashboards.web.services import Services
from himalaya_core.names import did_you_mean
from ingest.tables.published import published_tables

__all__ = ["AT_ONCE", "MOST_KEPT", "TABLES", "MadeFiles", "routes"]

TABLES: Final = f"{API}/tables"
FIGURES: Final = f"{API}/figures"
AT_ONCE: Final = 2
"""Files that are made at the same time; each takes a thread of the server and memory of the database."""
MOST_KEPT: Final = 4
MOST_BYTES: Final = 256 << 20
"""Of a file that is kept for who asks again."""
OPEN_FILES: Final = Path("/proc/self/fd")
TYPES: Final = {
    "parquet": "application/vnd.apache.parquet",
    "arrow": "application/vnd.apache.arrow.file",
    "csv": "text/csv",
}
REFUSED: Final = {400: "There is no such parameter or column, or a value makes no sense; the nearest is named"}
PART: Final = {"description": "The part that was asked for"}
TAG: Final = {"ETag": {"description": "digest of what the file is made from", "schema": {"type": "string"}}}
ABOUT: Final = """\
All rows are of one moment. With a filter, those of the matches that the list of matches has under it (in any status,
and of one game: the one most played, if none is named); `from` and `to` leave the rows of these rounds, where a table
has rounds. Cells of CSV that a spreadsheet would run begin with an apostrophe."""
Format = Annotated[str, FromPath(description="of the file"), WithJsonSchema({"enum": list(TYPES)})]
Columns = Annotated[list[str], FromQuery(description="only these columns, in this order: `match,players`")]


@dataclass(frozen=True, slots=True)
class TableList:
    """The tables that are handed out."""

    tables: list[OfferedTable]


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """A column of a figure: its heading on pages, and what it means, with unit and formula."""

    name: str
    heading: str
    meaning: str


@dataclass(frozen=True, slots=True)
class FigureAbout:
    """A figure: in which section of pages it stands, what it is called, and its columns."""

    name: str
    title: str
    section: str
    columns: list[FigureColumn]


@dataclass(frozen=True, slots=True)
class FigureList:
    """The figures of the game that a filter means."""

    game: str
    figures: list[FigureAbout]


@dataclass(frozen=True, slots=True)
class CountedFigure:
    """A figure counted under a filter: its rows, what they show in a sentence, and what of the filter it ignores."""

    name: str
    title: str
    game: str
    finding: str
    caption: str
    columns: list[FigureColumn]
    rows: list[dict[str, Any]]


class MadeFile(os.PathLike[str]):
    """A temporary file without a name: it is deleted with its last holder, and with the process."""

    def __init__(self) -> None:
        handle, self._path = tempfile.mkstemp(prefix="himalaya-")
        self.file = os.fdopen(handle, "w+b")
        weakref.finalize(self, self.file.close)
        if OPEN_FILES.is_dir():  # elsewhere it keeps its name
            Path(self._path).unlink()
            self._path = str(OPEN_FILES / str(handle))

    def __fspath__(self) -> str:
        """Return where it can be opened."""
        return self._path


class MadeFiles:
    """Files that are made to be sent, on the disk; the last ones are kept for who asks again.

    Each is whole before the first byte goes out, so that an error is still an answer, and parts can be asked for, as
    readers of Parquet do. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._kept: LRUCache[str, MadeFile] = LRUCache(MOST_KEPT)

    def answer(self, tag: str, kind: str, name: str, make: Callable[[IO[bytes]], object]) -> Response:
        """Answer with the file of a tag, or the part that is asked for; `make` writes it if it is not kept.

        Nothing is made for who knows the tag. Refused while too many files are being made.
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
            message = f"{AT_ONCE} tables are being written; try again in a moment"
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
        summary="The tables that are handed out, with what a row of them is and what each column means",
        responses=refusals(UNREADABLE),
    )
    def list_tables(request: Request) -> TableList:
        check_keys(request, ())
        return TableList(offered(reader))

    @api.get(
        f"{TABLES}/{{table}}.{{format}}",
        operation_id="getTable",
        summary="A table as a file",
        description=ABOUT,
        response_class=Response,
        responses={
            200: as_body(
                "The file; parts of it can be asked for",
                {"contentMediaType": "application/octet-stream"},
                *TYPES.values(),
            )
            | {"headers": TAG},
            206: PART,
            304: UNCHANGED,
            **refusals(
                REFUSED,
                {
                    404: "There is no such table; the nearest is named",
                    503: "Other tables are being written, or the database cannot be read",
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
            raise Refused(HTTPStatus.NOT_FOUND, f"format: expected {', '.join(TYPES)}, found {format[:40]!r}")
        found, where = _table(reader, table), _filter(reader)
        wanted, left = _columns(found, columns), gone()
        if where is not None and not found.filters:
            raise Refused(HTTPStatus.BAD_REQUEST, f"{table} has no rows of single matches, so no filter leaves some")

        def make(file: IO[bytes]) -> None:
            with reading_offered(reader, found, where, wanted, nested=format != "csv", gone=left) as stream:
                WRITERS[format](stream.columns, stream.batches, file)

        tag = _tag(reader, table, format, wanted, where)
        return files.answer(tag, TYPES[format], f"himalaya-{table}.{format}", make)

    @api.get(
        FIGURES,
        operation_id="listFigures",
        summary="The figures of a game, with what each column means",
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
        summary="The rows of a figure, counted under a filter, as CSV",
        response_class=Response,
        responses={
            200: as_body("Its rows; parts of them can be asked for", {"type": "string"}, TYPES["csv"]),
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
            write_csv((), [_told(found, found.frame(reader, where))], file)

        tag = _tag(reader, "figure", figure, where)
        return files.answer(tag, TYPES["csv"], f"himalaya-{figure}.csv", make)

    @api.get(
        f"{FIGURES}/{{figure}}",
        operation_id="getFigure",
        summary="A figure, counted under a filter",
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
        raise Refused(HTTPStatus.NOT_FOUND, f"there is no table {name[:60]!r} to hand out{near}")
    return found[0]


def _columns(table: OfferedTable, asked: Iterable[str]) -> list[str]:
    names = [name for text in asked for name in text.split(",") if name]
    known = [column.name for column in table.columns]
    for name in names:
        if name not in known:
            near = did_you_mean(name, known)
            raise Refused(HTTPStatus.BAD_REQUEST, f"{table.name} has no column {name[:60]!r}{near}")
    return list(dict.fromkeys(names))


def _filter(reader: Reader) -> Filter | None:
    """Return the filter that is asked for; none if there is none. What it cannot mean is refused."""
    pairs = [(key, value) for key, value in connection().query_params.multi_items() if key in FILTER_KEYS]
    try:
        where = asked_filter(pairs)
    except FilterError as error:
        raise Refused(HTTPStatus.BAD_REQUEST, str(error)) from None
    if unknown := unknown_name(reader, where):
        raise Refused(HTTPStatus.BAD_REQUEST, unknown)
    return where if pairs else None


def _tag(reader: Reader, *asked_for: object) -> str:
    """Return a text that changes when what is asked for may: when anything comes in, or the file is another."""
    state = (checks_stamp(reader), reader.warehouse.database.stat().st_ino)
    return sha256(repr((state, asked_for)).encode()).hexdigest()[:32]


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
    rows, about = _told(figure, frame), _about(figure, game)
    columns = [column for column in about if column.name in rows.columns]
    return CountedFigure(figure.name, figure.title, game, finding, caption, columns, rows.fill_nan(None).to_dicts())


def _told(figure: Figure, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select([column for column in figure.columns if column in frame.columns])


def _about(figure: Figure, game: str) -> list[FigureColumn]:
    return [FigureColumn(name, heading, meaning_of(name, game)) for name, heading in figure.columns.items()]
