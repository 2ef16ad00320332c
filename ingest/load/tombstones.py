"""Tombstones: digests of forgotten logs and of their first lines, which keep these logs from being loaded again.

A first line names the match, its seed and its players. So any text that starts with it is kept out too: the head of a
forgotten match, a damaged copy, a live match that grows. Lines from the middle of a match are recognised only if they
are the same bytes. If they are cut differently, they are quarantined as a rest without a start.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

import duckdb

from ingest.arrow import table_of

__all__ = ["first_line_of", "tombstoned"]

ASKED: Final = {"bytes_sha256": "VARCHAR", "first_line_sha256": "VARCHAR"}
STAYS_OUT: Final = """
SELECT bytes_sha256 FROM asked SEMI JOIN forgotten_matches USING (bytes_sha256) UNION
SELECT bytes_sha256 FROM asked SEMI JOIN forgotten_matches USING (first_line_sha256)
"""


def first_line_of(text: bytes) -> str:
    """Return the SHA-256 of the first line of a text, without its line end."""
    return hashlib.sha256(text.partition(b"\n")[0]).hexdigest()


def tombstoned(connection: duckdb.DuckDBPyConnection, texts: Iterable[tuple[str, bytes]]) -> set[str]:
    """Return the digests of the texts that are to stay out; `texts` are pairs of SHA-256 and text.

    If nothing was ever forgotten, the texts are not read.
    """
    ((marks,),) = connection.execute("SELECT count(*) FROM forgotten_matches").fetchall()
    if not marks:
        return set()
    asked = table_of(ASKED, ((digest, first_line_of(text)) for digest, text in texts))
    connection.register("asked", asked)
    found = connection.execute(STAYS_OUT).fetchall()
    connection.unregister("asked")
    return {digest for (digest,) in found}
