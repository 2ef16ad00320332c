"""Export a table, a query or a figure of the catalog to a file: CSV, Parquet, JSON or XLSX, batch by batch.

A file gets its final name once it is complete. Text cells that a spreadsheet would run as a formula are neutralised in
CSV and XLSX. The data dictionary is in the metadata `dictionary` of Parquet, and on a sheet of XLSX.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import polars as pl

from dashboards.catalog.figures import all_figures, figures_under
from dashboards.catalog.metrics import meaning_of
from dashboards.queries.encoded import write_csv, write_parquet
from dashboards.queries.export import (
    LONGEST,
    Column,
    ExportError,
    Stream,
    reading_query,
    reading_table,
    table_names,
)
from dashboards.queries.filters import RESULTS, Filter
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.queries.where import filter_choices, game_under, unknown_name
from dashboards.report.words import filter_from
from dashboards.report.workbook import Sheet, write_sheets
from himalaya_core.names import did_you_mean
from ingest.files import as_usual
from ingest.warehouse import Report, Warehouse

__all__ = ["FORMATS", "export", "exportable"]

MOST_ROWS: Final = 1_048_575
"""Maximum number of rows in an XLSX sheet, without the header."""
MOMENTS: Final = {"TIMESTAMP", "DATE"}
DICTIONARY: Final = {"column": "the column", "type": "its type in the database", "meaning": "what it means"}


def export(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write a file (operation `export`); return the `rows` and `columns` written, and the `size` in bytes.

    Arguments: `table` (a table, or a figure of the catalog) or `query` (its text); `filter`, pairs of keys and values,
    for a figure; `timeout`: seconds for a query; `dictionary`: the meanings of the columns instead of the rows;
    `format`; `file`.
    """
    file, kind = Path(arguments["file"]), str(arguments["format"])
    with ExitStack() as stack:
        stream = stack.enter_context(_stream(warehouse, arguments, kind))
        if arguments.get("dictionary"):
            stream = _dictionary(stream.columns)
        part = file.with_name(f".{file.name}.{os.getpid()}")
        stack.callback(lambda: part.unlink(missing_ok=True))
        try:
            with part.open("wb") as opened:
                rows = FORMATS[kind](_Reported(stream, report), opened)
            as_usual(part).replace(file)
        except OSError as error:
            raise ExportError(f"{file}: cannot be written ({error.strerror or error})") from None
    return {"rows": rows, "columns": len(stream.columns), "size": file.stat().st_size}


@contextmanager
def _stream(warehouse: Warehouse, arguments: dict[str, Any], kind: str) -> Iterator[Stream]:
    nested = kind == "parquet"
    name, text, pairs = arguments.get("table"), arguments.get("query"), arguments.get("filter") or []
    if name in all_figures():
        where = filter_from([(key, value) for key, value in pairs])
        yield _figure(warehouse, str(name), where)
        return
    if pairs:
        raise ExportError(
            "a filter applies only to a figure: a table is exported whole, and a query does its own filtering"
        )
    if text is not None:
        seconds = float(arguments.get("timeout") or LONGEST)
        with reading_query(warehouse, str(text), nested=nested, counted=kind == "xlsx", seconds=seconds) as stream:
            yield stream
        return
    if name not in table_names(warehouse):
        near = did_you_mean(str(name), [*all_figures(), *table_names(warehouse)])
        raise ExportError(f"there is no table or figure {name!r}{near or ';'} `himalaya export` alone lists all")
    with reading_table(warehouse, str(name), nested=nested) as stream:
        yield stream


def exportable(warehouse: Warehouse, arguments: dict[str, Any], _report: Report) -> dict[str, list[str]]:
    """Return the names of everything that can be exported (operation `exportable`). Arguments: `filter` (pairs).

    `figures` are those of the filter's game, `tables` all tables.
    """
    where = filter_from([(key, value) for key, value in arguments["filter"]])
    return {"figures": list(figures_under(Reader(warehouse), where)), "tables": table_names(warehouse)}


def _figure(warehouse: Warehouse, name: str, where: Filter) -> Stream:
    reader = Reader(warehouse)
    try:
        figures, game = figures_under(reader, where), game_under(reader, where)
        if name not in figures:
            if not game:
                raise ExportError(f"there is no figure {name}: the database has no matches")
            near = did_you_mean(name, figures) or ";"
            raise ExportError(f"{game} has no figure {name}{near} `himalaya export --game {game}` lists them")
        if unknown := unknown_name(reader, where):
            raise ExportError(f"the filter: {unknown}")
        results = [*RESULTS, *filter_choices(reader, game_under(reader, where)).eliminations] if where.results else []
        if others := sorted(set(where.results) - set(results)):
            near = did_you_mean(others[0], results)
            raise ExportError(f"the filter: expected a result of {', '.join(results)}, found {others[0][:40]!r}{near}")
        frame = figures[name].frame(reader, where)
    except DatabaseError as error:
        raise ExportError(str(error)) from None
    frame = frame.select([column for column in figures[name].columns if column in frame.columns])
    columns = [Column(column, str(kind), meaning_of(column, game)) for column, kind in frame.schema.items()]
    return Stream(columns, frame.height, iter([frame]))


def _dictionary(columns: list[Column]) -> Stream:
    rows = [(column.name, column.type, column.meaning) for column in columns]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(DICTIONARY, pl.String), orient="row")
    return Stream([Column(name, "VARCHAR", text) for name, text in DICTIONARY.items()], len(rows), iter([frame]))


@dataclass(slots=True)
class _Reported:
    """Iterator over the batches of a stream that reports progress while they are written."""

    stream: Stream
    report: Report

    def __iter__(self) -> Iterator[pl.DataFrame]:
        rows = 0
        for batch in self.stream.batches:
            self.report({"what": "writing", "done": rows, "total": self.stream.rows})
            rows += batch.height
            yield batch
        self.report({"what": "writing", "done": rows, "total": rows})


def _csv(reported: _Reported, file: IO[bytes]) -> int:
    return write_csv(reported.stream.columns, reported, file)


def _json(reported: _Reported, file: IO[bytes]) -> int:
    rows, between = 0, b"[\n"
    for batch in reported:
        for line in _numbers(batch).write_ndjson().splitlines():
            file.write(between + line.encode())
            between = b",\n"
        rows += batch.height
    file.write(b"\n]\n" if rows else b"[]\n")
    return rows


def _parquet(reported: _Reported, file: IO[bytes]) -> int:
    return write_parquet(reported.stream.columns, reported, file)


def _xlsx(reported: _Reported, file: IO[bytes]) -> int:
    stream, rows = reported.stream, 0
    if (stream.rows or 0) > MOST_ROWS:
        raise ExportError(f"a sheet has room for {MOST_ROWS:,} rows; export more as csv, parquet or json")

    def every() -> Iterator[tuple[Any, ...]]:
        nonlocal rows
        for batch in reported:
            rows += batch.height
            yield from _numbers(batch).iter_rows()

    first = Sheet(
        "Data",
        [column.name for column in stream.columns],
        ["moment" if column.type in MOMENTS else "plain" for column in stream.columns],
        every(),
    )
    about = [(column.name, column.type, column.meaning) for column in stream.columns]
    write_sheets(file, [first, Sheet("Dictionary", list(DICTIONARY), ["text"] * 3, about)], "Export", streamed=True)
    return rows


FORMATS: Final[dict[str, Callable[[_Reported, IO[bytes]], int]]] = {
    "csv": _csv,
    "parquet": _parquet,
    "json": _json,
    "xlsx": _xlsx,
}


def _numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """Replace decimals by types that every program can read: whole numbers become integers, others floats."""
    decimals = [name for name, kind in frame.schema.items() if isinstance(kind, pl.Decimal)]
    whole = [
        name for name in decimals if frame[name].cast(pl.Int64, strict=False).null_count() == frame[name].null_count()
    ]
    return frame.with_columns(pl.col(name).cast(pl.Int64 if name in whole else pl.Float64) for name in decimals)
