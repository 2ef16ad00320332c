"""Write rows to files in batches, as CSV that is safe in spreadsheets, Parquet or Arrow IPC."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any, Final

import polars as pl

from dashboards.queries.export import Column

__all__ = ["WRITERS", "neutral", "neutral_frame", "write_arrow", "write_csv", "write_parquet"]


RISKY: Final = ("=", "+", "-", "@", "\t", "\r")


def neutral(value: Any) -> Any:
    """Return a value that is safe in a spreadsheet: text that would run as a formula gets a leading apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(RISKY) else value


def neutral_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with all text and headings made safe for spreadsheets; other columns are unchanged."""
    texts = (pl.String, pl.Categorical, pl.Enum)
    columns = []
    for name, dtype in frame.schema.items():
        if isinstance(dtype, texts):
            text = pl.col(name).cast(pl.String)
            risky = pl.any_horizontal(*(text.str.starts_with(start) for start in RISKY))
            columns.append(pl.when(risky).then(pl.concat_str(pl.lit("'"), text)).otherwise(text).alias(name))
    return frame.with_columns(columns).rename(lambda name: str(neutral(name)))


Batches = Iterable[pl.DataFrame]


def write_csv(_: Sequence[Column], batches: Batches, file: IO[bytes]) -> int:
    """Write batches (at least one) as CSV and return the number of rows; lists become texts."""
    rows, is_first = 0, True
    for batch in batches:
        neutral_frame(_flat(batch)).write_csv(file, include_header=is_first)
        rows, is_first = rows + batch.height, False
    return rows


def write_parquet(columns: Sequence[Column], batches: Batches, file: IO[bytes]) -> int:
    """Write batches (at least one) as Parquet and return the number of rows."""
    import pyarrow.parquet as pq

    return _through_arrow(columns, batches, lambda schema: pq.ParquetWriter(file, schema, compression="zstd"))


def write_arrow(columns: Sequence[Column], batches: Batches, file: IO[bytes]) -> int:
    """Write batches (at least one) as an Arrow IPC file and return the number of rows."""
    import pyarrow as pa

    options = pa.ipc.IpcWriteOptions(compression="zstd")
    return _through_arrow(columns, batches, lambda schema: pa.ipc.new_file(file, schema, options=options))


def _through_arrow(columns: Sequence[Column], batches: Batches, opened: Callable[[Any], Any]) -> int:
    rows, schema, writer = 0, None, None
    try:
        for batch in batches:
            table = batch.to_arrow(compat_level=pl.CompatLevel.oldest())
            if writer is None:
                schema = _with_meanings(columns, table.schema)
                writer = opened(schema)
            writer.write_table(table.cast(schema))
            rows += batch.height
    finally:
        if writer is not None:
            writer.close()
    return rows


def _with_meanings(columns: Sequence[Column], schema: Any) -> Any:
    import pyarrow as pa

    about = {column.name: {"type": column.type, "meaning": column.meaning} for column in columns}
    fields = [field.with_metadata({"meaning": about[field.name]["meaning"]}) for field in schema]
    return pa.schema(fields, {"dictionary": json.dumps(about, ensure_ascii=False)})


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    return frame.with_columns(pl.col(name).cast(pl.List(pl.String)).list.join(", ") for name in lists)


WRITERS: Final[Mapping[str, Callable[[Sequence[Column], Batches, IO[bytes]], int]]] = {
    "parquet": write_parquet,
    "arrow": write_arrow,
    "csv": write_csv,
}
