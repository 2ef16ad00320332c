"""Tables and figures for notebooks and other programs: `/api/tables/dim_seats.parquet`, `/api/figures/win-share`."""

from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from io import BytesIO
from typing import IO, Annotated, Any, Final

import polars as pl
from flask import Flask, Response, jsonify, request
from pydantic import Field

from dashboards.catalog.asked import FilterError, asked_filter
from dashboards.catalog.figures import figures_under, finding_of, left_out
from dashboards.catalog.metrics import meaning_of
from dashboards.games.figure import Figure
from dashboards.http.access import GONE, Refused
from dashboards.http.openapi.described import (
    API,
    IF_NONE_MATCH,
    UNREADABLE,
    Answer,
    Operation,
    asked,
    parameters,
    served,
)
from dashboards.http.openapi.document import as_json
from dashboards.http.spool import Spool
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.encoded import WRITERS, write_csv
from dashboards.warehouse.filters import DESCRIBED_KEYS, FILTER_KEYS, Filter
from dashboards.warehouse.known_names import unknown_name
from dashboards.warehouse.provenance import checks_stamp
from dashboards.warehouse.published import OfferedTable, offered, reading_offered
from dashboards.warehouse.reader import Reader
from himalaya_core.names import did_you_mean
from ingest.tables.published import published_tables

__all__ = ["TABLES", "register"]

TYPES: Final = {
    "parquet": "application/vnd.apache.parquet",
    "arrow": "application/vnd.apache.arrow.file",
    "csv": "text/csv",
}
REFUSED: Final = {
    "400": "There is no such parameter or column, or a value makes no sense; the nearest is named",
    "503": UNREADABLE,
}


@dataclass(frozen=True, slots=True)
class TableList:
    """The tables that are handed out."""

    tables: list[OfferedTable]


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Which columns of a table are asked for."""

    columns: Annotated[list[str], Field(description="only these columns, in this order: `match,players`")] = field(
        default_factory=list
    )


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


TABLES: Final = f"{API}/tables"
LIST_TABLES: Final = Operation(
    "listTables",
    "The tables that are handed out, with what a row of them is and what each column means",
    {"200": Answer("All of them", TableList)},
    {"503": UNREADABLE},
    is_strict=True,
)
GET_TABLE: Final = Operation(
    "getTable",
    "A table as a file",
    {
        "200": Answer(
            "The file; parts of it can be asked for",
            {"contentMediaType": "application/octet-stream"},
            tuple(TYPES.values()),
            {"ETag": "digest of what the file is made from"},
        ),
        "206": Answer("The part that was asked for"),
        "304": Answer("It has not changed"),
    },
    REFUSED
    | {
        "404": "There is no such table; the nearest is named",
        "503": "Other tables are being written, or the database cannot be read",
    },
    description="All rows are of one moment. With a filter, those of the matches that the list of matches has under "
    "it (in any status, and of one game: the one most played, if none is named); `from` and `to` leave the rows of "
    "these rounds, where a table has rounds. Cells of CSV that a spreadsheet would run begin with an apostrophe.",
    query=(*parameters(TableColumns), *DESCRIBED_KEYS),
    headers=(IF_NONE_MATCH,),
    is_strict=True,
)
LIST_FIGURES: Final = Operation(
    "listFigures",
    "The figures of a game, with what each column means",
    {"200": Answer("All of them, in the order of pages and reports", FigureList)},
    REFUSED,
    query=DESCRIBED_KEYS,
    is_strict=True,
)
GET_FIGURE: Final = Operation(
    "getFigure",
    "A figure, counted under a filter",
    {"200": Answer("Its rows, and what they show in a sentence", CountedFigure)},
    REFUSED | {"404": "The game has no such figure; the nearest is named"},
    query=DESCRIBED_KEYS,
    is_strict=True,
)
GET_FIGURE_CSV: Final = Operation(
    "getFigureAsCsv",
    "The rows of a figure, counted under a filter, as CSV",
    {
        "200": Answer("Its rows; parts of them can be asked for", {"type": "string"}, (TYPES["csv"],)),
        "206": Answer("The part that was asked for"),
    },
    GET_FIGURE.refusals,
    query=DESCRIBED_KEYS,
    is_strict=True,
)


def register(server: Flask, reader: Reader) -> None:
    """Add the routes to the server."""
    spool = Spool()

    @served(server, "GET", TABLES, LIST_TABLES)
    def list_tables() -> Response:
        return jsonify(as_json(TableList(offered(reader))))

    @served(server, "GET", f"{TABLES}/<table>.<any(parquet,arrow,csv):format>", GET_TABLE)
    def get_table(table: str, format: str) -> Response:  # noqa: A002  as the address has it
        found, where = _table(reader, table), _filter(reader)
        columns = _columns(found)
        if where is not None and not found.filters:
            raise Refused(HTTPStatus.BAD_REQUEST, f"{table} has no rows of single matches, so no filter leaves some")

        gone = request.environ.get(GONE)

        def make(file: IO[bytes]) -> None:
            with reading_offered(reader, found, where, columns, nested=format != "csv", gone=gone) as stream:
                WRITERS[format](stream.columns, stream.batches, file)

        tag = _tag(reader, table, format, columns, where)
        return spool.answer(tag, TYPES[format], f"himalaya-{table}.{format}", make)

    @served(server, "GET", f"{API}/figures", LIST_FIGURES)
    def list_figures() -> Response:
        where = _filter(reader) or Filter()
        game, figures = game_under(reader, where), figures_under(reader, where)
        about = [FigureAbout(each.name, each.title, each.section, _about(each, game)) for each in figures.values()]
        return jsonify(as_json(FigureList(game, about)))

    @served(server, "GET", f"{API}/figures/<figure>", GET_FIGURE)
    def get_figure(figure: str) -> Response:
        found, where = _figure(reader, figure)
        return jsonify(as_json(_counted(reader, found, where)))

    @served(server, "GET", f"{API}/figures/<figure>.csv", GET_FIGURE_CSV)
    def get_figure_as_csv(figure: str) -> Response:
        found, where = _figure(reader, figure)
        text = BytesIO()
        write_csv((), [_told(found, found.frame(reader, where))], text)
        answer = Response(text.getvalue(), mimetype=TYPES["csv"])
        answer.headers["Content-Disposition"] = f'attachment; filename="himalaya-{figure}.csv"'
        answer.make_conditional(request, accept_ranges=True, complete_length=answer.content_length)
        return answer


def _table(reader: Reader, name: str) -> OfferedTable:
    found = offered(reader, name)
    if not found:
        near = did_you_mean(name, [table.name for table in published_tables()])
        raise Refused(HTTPStatus.NOT_FOUND, f"there is no table {name[:60]!r} to hand out{near}")
    return found[0]


def _columns(table: OfferedTable) -> list[str]:
    names = [name for text in asked(TableColumns).columns for name in text.split(",") if name]
    known = [column.name for column in table.columns]
    for name in names:
        if name not in known:
            near = did_you_mean(name, known)
            raise Refused(HTTPStatus.BAD_REQUEST, f"{table.name} has no column {name[:60]!r}{near}")
    return list(dict.fromkeys(names))


def _filter(reader: Reader) -> Filter | None:
    """Return the filter that is asked for; none if there is none. What it cannot mean is refused."""
    pairs = [(key, value) for key, value in request.args.items(multi=True) if key in FILTER_KEYS]
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
