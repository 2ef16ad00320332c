"""Stored logs of a warehouse, as chunks to be validated again."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import duckdb
import zstandard

from ingest.errors import WarehouseError
from ingest.packed import unpack
from ingest.read.split import Chunk, FileSpan
from ingest.warehouse import Warehouse

__all__ = ["SLICE", "chunks_of", "stored_chunks"]

CHUNK_BYTES: Final = 4 << 20
SLICE: Final = 100
"""Logs that are read from the file together."""
LOGS: Final = """
SELECT game, match, file, first_line, lines
FROM {schema}raw_matches JOIN {schema}stg_match_started USING (match_id)
WHERE match_id BETWEEN $first AND $last AND list_contains($ids, match_id) ORDER BY match_id
"""


def chunks_of(warehouse: Warehouse, ids: Sequence[int], *, together: bool = True) -> Iterator[Chunk]:
    """Yield the logs of matches as `stored_chunks` does; between slices the warehouse can be replaced."""
    for start in range(0, len(ids), SLICE):
        with warehouse.reading() as reader:
            some = list(stored_chunks(reader, ids[start : start + SLICE], together=together))
        yield from some


def stored_chunks(
    reader: duckdb.DuckDBPyConnection, ids: Sequence[int], schema: str = "", *, together: bool = True
) -> Iterator[Chunk]:
    """Yield the logs of matches, several of one game in a chunk, each with the file and place that it came from.

    `ids` are in order. `schema` names an attached database, with a dot. Unless they are `together`, each match is a
    chunk. Raises `WarehouseError` if a log is damaged.
    """
    most = CHUNK_BYTES if together else 0
    spans: list[FileSpan] = []
    texts: list[bytes] = []
    game, size = "", 0
    for match_game, span, text in _logs(reader, ids, schema):
        if spans and (match_game != game or size + len(text) > most):
            yield Chunk(tuple(spans), b"".join(texts))
            spans, texts, size = [], [], 0
        game = match_game
        spans.append(span)
        texts.append(text)
        size += len(text)
    if spans:
        yield Chunk(tuple(spans), b"".join(texts))


def _logs(reader: duckdb.DuckDBPyConnection, ids: Sequence[int], schema: str) -> Iterator[tuple[str, FileSpan, bytes]]:
    """Yield game, origin and lines of matches."""
    for start in range(0, len(ids), SLICE):
        wanted = ids[start : start + SLICE]
        values = {"first": wanted[0], "last": wanted[-1], "ids": wanted}
        for game, match, file, first_line, packed in reader.execute(LOGS.format(schema=schema), values).fetchall():
            try:
                text = unpack(packed)
            except zstandard.ZstdError:
                raise WarehouseError(f"the log of match {match} in the database is damaged; restore a backup") from None
            lines = text.count(b"\n")
            yield game, FileSpan(Path(file), first_line, lines, len(text), sizes=(lines,)), text
